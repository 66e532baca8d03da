import { readSearch, searchRegistrations } from '@event-api/contracts/operator/search';
import { rethrowMissing } from '@event-api/platform/core/errors';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { listName } from '@event-api/platform/http/list-page';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { RegistrationDeps } from '../deps.ts';
import { findMatches } from './search.queries.ts';
import { matchView, mayReadEmails } from './search.view.ts';

export function searchRoutes(app: HttpServer, deps: RegistrationDeps): void {
  app.route({
    ...searchRegistrations,
    handler: async ({ body, caller }) => {
      const { businessUnitId, eventId, query, limit, cursor } = body;
      const scope = { businessUnitId, eventId };
      const filters = {
        status: body.status,
        type: body.registrationTypeId,
        from: body.registeredFrom,
        before: body.registeredBefore,
      };
      const list = listName('registration.search', body);
      const after = decodeCursor(list, cursor, ['string'] as const);
      await deps.refresher.require(eventRef(scope)).catch(rethrowMissing('event'));
      await deps.expireAndPromoteIfDue(scope);
      const afterId = after?.[0] ?? null;
      const page = { filters, afterId, limit };
      const rows = await findMatches(deps.db, scope, readSearch(query), page);
      const view = (row: (typeof rows)[number]) =>
        matchView(row, { showsEmail: mayReadEmails(caller) });
      const { items, nextCursor } = paginate(rows, limit, view, ({ id }) => [id], list);
      return { registrations: items, nextCursor };
    },
  });
}
