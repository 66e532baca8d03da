import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { ApiError, notFound } from '@event-api/platform/core/errors';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { timeouts } from '../timeouts.ts';
import type { Confirmation } from './trust.rules.ts';

/**
 * Checks that an event exists before a check-in. Scans cannot wait: while catalog is unavailable,
 * the projection decides, and an event that is not projected is a 404. Returns whether the event is
 * confirmed. Errors: 404.
 */
export async function requireEventOfDoor(
  refresher: ProjectionRefresher,
  scope: EventScope,
): Promise<Confirmation> {
  const confirmation = await confirmEvent(refresher, scope);
  await refresher.require(eventRef(scope), timeouts.ownerMs).catch((error: unknown) => {
    throw error instanceof ApiError ? notFound('event') : error;
  });
  return confirmation;
}

/**
 * Fetches the event while the projections are not confirmed. An owner that does not respond changes
 * nothing.
 */
async function confirmEvent(
  refresher: ProjectionRefresher,
  scope: EventScope,
): Promise<Confirmation> {
  try {
    if (await refresher.confirm([eventRef(scope)], timeouts.ownerMs)) return 'confirmed';
    return await refresher.statusOf([eventSnapshot.type]);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return 'unconfirmed';
  }
}
