import type { EventScope } from '@event-api/contracts/internal/scope';
import { readBadge } from '@event-api/contracts/internal/seats';
import { ApiError } from '@event-api/platform/errors';
import type { ServiceClient } from '@event-api/platform/http/call-service';
import type { Badge, Shown } from './rules.ts';

/**
 * Registration's own word on a badge: null when it names nobody in this event. `'away'` when registration
 * does not answer in time: a door does not wait.
 */
export async function askRegistration(
  registration: ServiceClient,
  scope: EventScope,
  { registrationId, checkinCode }: Shown,
): Promise<Badge | null | 'away'> {
  const { businessUnitId, eventId } = scope;
  // With both, registration would not say which of them is wrong.
  const asked = registrationId === undefined ? { checkinCode } : { registrationId };
  try {
    const answer = await registration.call(readBadge, { businessUnitId, eventId, ...asked });
    const { id, checkinCode: code, status } = answer.registration;
    return { id, checkinCode: code, status, perkIds: answer.perkIds };
  } catch (error) {
    return error instanceof ApiError && error.code === 404 ? null : 'away';
  }
}
