import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventSnapshot, ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';

/**
 * Decides, and before a refusal that copies may have caused brings them up to date and decides once
 * more. Errors: 503 when a refusal needs the owner and the owner is away.
 */
export async function decideWithRefresh<Result>(options: {
  refresher: ProjectionRefresher;
  scope: EventScope;
  ticketTypeIds: readonly string[];
  decide: () => Promise<Result>;
  dependsOnProjections: (result: Result) => boolean;
}): Promise<Result> {
  const { refresher, scope, decide } = options;
  const { businessUnitId, eventId } = scope;
  const first = await decide();
  if (!options.dependsOnProjections(first)) return first;
  await refresher.refresh([
    { type: eventSnapshot.type, businessUnitId, id: eventId },
    ...options.ticketTypeIds.map((id) => ({ type: ticketTypeSnapshot.type, businessUnitId, id })),
  ]);
  // Also when this changed no copy: a message may have done so after the first decision.
  return decide();
}
