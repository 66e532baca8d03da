import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { ReleaseDecision } from '../reservations/closing/rules.ts';
import type { RegistrationDeps } from './register.ts';

/**
 * Gives back what a claim holds, once; with `onlyIfOver`, only if it has run out. A claim that has not
 * arrived is closed before it does.
 * Errors: 404 for an unknown event; 503. Emits: the seats.
 */
export async function releaseReservation(
  { admission, refresher }: RegistrationDeps,
  scope: EventScope,
  reservationId: string,
  onlyIfExpired: boolean,
): Promise<ReleaseDecision['outcome']> {
  await refresher.require(eventRef(scope));
  const { result } = await admission.submit<'release'>(scope, {
    kind: 'release',
    reservationId,
    onlyIfExpired,
  });
  return result.outcome;
}
