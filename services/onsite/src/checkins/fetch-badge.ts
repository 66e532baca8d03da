import { readBadge } from '@event-api/contracts/internal/reservations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { ApiError } from '@event-api/platform/core/errors';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { Badge, PresentedBadge } from './rules.ts';

/** What registration says about a badge. */
export type BadgeResult =
  | { outcome: 'found'; badge: Badge }
  /** It names nobody in this event. */
  | { outcome: 'unknown' }
  /** Registration did not respond in time: a door does not wait. */
  | { outcome: 'unavailable'; error: unknown };

/** Asks registration for the registration behind a badge. Never fails. */
export async function fetchBadge(
  registration: ServiceClient,
  scope: EventScope,
  { registrationId, checkinCode }: PresentedBadge,
): Promise<BadgeResult> {
  const { businessUnitId, eventId } = scope;
  // With both, registration would not say which of them is wrong.
  const identifier = registrationId === undefined ? { checkinCode } : { registrationId };
  try {
    const response = await registration.call(readBadge, { businessUnitId, eventId, ...identifier });
    const { id, checkinCode: code, status } = response.registration;
    const badge = { id, checkinCode: code, status, perkIds: response.perkIds };
    return { outcome: 'found', badge };
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.code === 404;
    return isUnknown ? { outcome: 'unknown' } : { outcome: 'unavailable', error };
  }
}
