import { readCheckedIn } from '@event-api/contracts/internal/checkins';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { ApiError } from '@event-api/platform/core/errors';
import type { ServiceClient } from '@event-api/platform/http/service-client';

/**
 * Whether a registration was let in at a door; null if onsite does not respond. Call it after the
 * change: a check-in that was made before is then seen.
 */
export async function findCheckedIn(
  onsite: ServiceClient,
  { businessUnitId, eventId }: EventScope,
  registrationId: string,
): Promise<boolean | null> {
  try {
    const body = { businessUnitId, eventId, registrationId };
    return (await onsite.call(readCheckedIn, body)).checkedIn;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
