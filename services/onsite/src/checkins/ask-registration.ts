import type { EventScope } from '@event-api/contracts/internal/scope';
import { readBadge } from '@event-api/contracts/internal/seats';
import { ApiError } from '@event-api/platform/errors';
import type { ServiceClient } from '@event-api/platform/http/call-service';
import type { Badge, Shown } from './rules.ts';

/** What registration says about a badge. */
export type BadgeAnswer =
  | { outcome: 'found'; badge: Badge }
  /** It names nobody in this event. */
  | { outcome: 'unknown' }
  /** Registration did not respond in time: a door does not wait. */
  | { outcome: 'unavailable'; error: unknown };

/** Asks registration for the registration behind a badge. Never fails. */
export async function askRegistration(
  registration: ServiceClient,
  scope: EventScope,
  { registrationId, checkinCode }: Shown,
): Promise<BadgeAnswer> {
  const { businessUnitId, eventId } = scope;
  // With both, registration would not say which of them is wrong.
  const asked = registrationId === undefined ? { checkinCode } : { registrationId };
  try {
    const answer = await registration.call(readBadge, { businessUnitId, eventId, ...asked });
    const { id, checkinCode: code, status } = answer.registration;
    const badge = { id, checkinCode: code, status, perkIds: answer.perkIds };
    return { outcome: 'found', badge };
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.code === 404;
    return isUnknown ? { outcome: 'unknown' } : { outcome: 'unavailable', error };
  }
}
