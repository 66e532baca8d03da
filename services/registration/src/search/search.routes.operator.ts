import { readSearch, searchRegistrations } from '@event-api/contracts/operator/search';
import { rethrowMissing } from '@event-api/platform/core/errors';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { listName } from '@event-api/platform/http/list-page';
import { eventRef } from '@event-api/platform/http/record-scope';
import { searchInTurn } from '@event-api/platform/http/search-in-turn';
import type { HttpServer } from '@event-api/platform/http/server';
import type { RegistrationDeps } from '../deps.ts';
import type { RegistrationRow } from '../registrations/registrations.queries.ts';
import { filtersOf } from './filters.ts';
import { findMatches } from './search.queries.ts';
import { matchView, mayReadEmails } from './search.view.ts';

export function searchRoutes(app: HttpServer, deps: RegistrationDeps): void {
  app.route({
    ...searchRegistrations,
    handler: async ({ body, caller }) => {
      const { businessUnitId, eventId, query, limit, cursor } = body;
      const scope = { businessUnitId, eventId };
      const filters = { status: body.status, ...filtersOf(body, caller) };
      const list = listName('registration.search', body);
      const [place, afterId = null] =
        decodeCursor(list, cursor, ['integer', 'string'] as const) ?? [];
      await deps.refresher.require(eventRef(scope)).catch(rethrowMissing('event'));
      await deps.expireAndPromoteIfDue(scope);
      const page = { filters, afterId, limit };
      const found = await searchInTurn(readSearch(query), place, (search) =>
        findMatches(deps.db, scope, search, page),
      );
      const view = (row: RegistrationRow) => matchView(row, { showsEmail: mayReadEmails(caller) });
      const key = ({ id }: RegistrationRow) => [found.place, id];
      const { items, nextCursor } = paginate(found.rows, limit, view, key, list);
      return { registrations: items, nextCursor, foundBy: found.foundBy };
    },
  });
}
