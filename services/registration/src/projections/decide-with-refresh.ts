import type { EventScope } from '@event-api/contracts/internal/scope';
import {
  addonSnapshot,
  eventSnapshot,
  ticketTypeSnapshot,
} from '@event-api/contracts/messages/catalog';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';

/**
 * Decides once, with the records of their owner while the projections are not confirmed. If the
 * result is a rejection that depends on projections, refreshes them and decides again.
 * Errors: 404 when the owner has no such event; 503 when the refresh is needed and the owner is
 * unavailable.
 */
export async function decideWithRefresh<Result>(options: {
  refresher: ProjectionRefresher;
  scope: EventScope;
  ticketTypeIds: readonly string[];
  addonIds?: readonly string[];
  decide: (state: { isRefreshed: boolean }) => Promise<Result>;
  dependsOnProjections: (result: Result) => boolean;
}): Promise<Result> {
  const { refresher, scope, decide } = options;
  const { businessUnitId, eventId } = scope;
  const event = { type: eventSnapshot.type, businessUnitId, id: eventId };
  const records = [
    event,
    ...options.ticketTypeIds.map((id) => ({ type: ticketTypeSnapshot.type, businessUnitId, id })),
    ...(options.addonIds ?? []).map((id) => ({ type: addonSnapshot.type, businessUnitId, id })),
  ];
  if (await refresher.confirm(records)) await refresher.require(event);
  const first = await decide({ isRefreshed: false });
  if (!options.dependsOnProjections(first)) return first;
  await refresher.refresh(records);
  // Also if the refresh changed nothing: a message may have updated the projections after the first
  // decision.
  return decide({ isRefreshed: true });
}
