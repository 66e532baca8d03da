import {
  countRegistrations,
  listSortedRegistrations,
  type RegistrationCounts,
} from '@event-api/contracts/operator/registration-list';
import { permissionDenied, rethrowMissing } from '@event-api/platform/core/errors';
import { createSharedReads, longerForSlowReads } from '@event-api/platform/core/shared-reads';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { listName } from '@event-api/platform/http/list-page';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { z } from 'zod';
import type { RegistrationDeps } from '../deps.ts';
import { countByStatus, listSorted } from '../registrations/sorted-list.ts';
import { timeouts } from '../timeouts.ts';
import { matchView, mayReadEmails } from './search.view.ts';

/** The most sets of filters of events whose counts a process shares. */
const maxCounts = 1000;

type Filters = Pick<
  z.output<(typeof countRegistrations)['schema']['body']>,
  'registrationTypeId' | 'registeredFrom' | 'registeredBefore' | 'answer'
>;

/** Errors: 403 for a filter by answers from a caller who may not read them. */
function filtersOf(body: Filters, caller: Caller) {
  if (body.answer && !mayReadEmails(caller)) throw permissionDenied();
  const { registrationTypeId: type, registeredFrom: from, registeredBefore: before, answer } = body;
  return { type, from, before, answer };
}

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
      const { businessUnitId, eventId } = body;
      const scope = { businessUnitId, eventId };
      const filters = filtersOf(body, caller);
      await deps.refresher.require(eventRef(scope)).catch(rethrowMissing('event'));
      return share(JSON.stringify([scope, filters]), () => countByStatus(deps.db, scope, filters));
    },
  });
}
