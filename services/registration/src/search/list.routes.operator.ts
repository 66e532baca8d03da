import {
  countRegistrations,
  listSortedRegistrations,
  type RegistrationCounts,
} from '@event-api/contracts/operator/registration-list';
import { readSearch, type Search } from '@event-api/contracts/operator/search';
import { rethrowMissing } from '@event-api/platform/core/errors';
import { createSharedReads, longerForSlowReads } from '@event-api/platform/core/shared-reads';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { listName } from '@event-api/platform/http/list-page';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { RegistrationDeps } from '../deps.ts';
import {
  countByStatus,
  countsOf,
  listSorted,
  type StatusCount,
} from '../registrations/sorted-list.queries.ts';
import { timeouts } from '../timeouts.ts';
import { filtersOf } from './filters.ts';
import { countMatches } from './search.queries.ts';
import { matchView, mayReadEmails } from './search.view.ts';

/** The most sets of filters of events whose counts a process shares. */
const maxCounts = 1000;

/** The list of operators: in a chosen order, with counts. */
export function sortedListRoutes(app: HttpServer, deps: RegistrationDeps): void {
  const share = createSharedReads<RegistrationCounts>({
    intervalMs: longerForSlowReads(timeouts.dayCountIntervalMs),
    maxKeys: maxCounts,
  });

  app.route({
    ...listSortedRegistrations,
    handler: async ({ body, caller }) => {
      const { businessUnitId, eventId, status, sort, direction, limit, cursor } = body;
      const scope = { businessUnitId, eventId };
      const filters = { status, ...filtersOf(body, caller) };
      const list = listName('registration.list', body);
      const [afterId = null] = decodeCursor(list, cursor, ['string'] as const) ?? [];
      await deps.refresher.require(eventRef(scope)).catch(rethrowMissing('event'));
      await deps.expireAndPromoteIfDue(scope);
      const rows = await listSorted(deps.db, scope, { filters, sort, direction, afterId, limit });
      const view = (row: (typeof rows)[number]) =>
        matchView(row, { showsEmail: mayReadEmails(caller) });
      const { items, nextCursor } = paginate(rows, limit, view, ({ id }) => [id], list);
      return { registrations: items, nextCursor };
    },
  });

  app.route({
    ...countRegistrations,
    handler: async ({ body, caller }) => {
      const { businessUnitId, eventId, query } = body;
      const scope = { businessUnitId, eventId };
      const filters = filtersOf(body, caller);
      await deps.refresher.require(eventRef(scope)).catch(rethrowMissing('event'));
      return share(JSON.stringify([scope, filters, query]), () =>
        query === undefined
          ? countByStatus(deps.db, scope, filters)
          : countFound(query, (search) => countMatches(deps.db, scope, search, filters)),
      );
    },
  });
}

/** Counts what the first search that finds anything finds. */
async function countFound(
  query: string,
  count: (search: Search) => Promise<StatusCount[]>,
): Promise<RegistrationCounts> {
  for (const search of readSearch(query)) {
    const rows = await count(search);
    if (rows.length > 0) return countsOf(rows);
  }
  return countsOf([]);
}
