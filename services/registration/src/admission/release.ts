import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { ReleaseDecision } from '../reservations/closing/rules.ts';
import type { AdmissionDeps } from './deps.ts';

/**
 * Releases a reservation, once; with `onlyIfExpired`, only if it has expired. A reservation that
 * has not arrived yet is recorded as released.
 * Errors: 404 for an unknown event; 503. Emits: the seats.
 */
export async function releaseReservation(
  { admission, refresher }: AdmissionDeps,
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

/**
 * Cancels the registrations that an order created, removes its add-ons and returns the ids of the
 * registrations that were cancelled. Errors: 404 for an unknown event; 503. Emits: the seats.
 */
export async function revokeOrder(
  { admission, refresher }: AdmissionDeps,
  scope: EventScope,
  orderId: string,
): Promise<string[]> {
  await refresher.require(eventRef(scope));
  const { result } = await admission.submit<'revoke'>(scope, { kind: 'revoke', orderId });
  return result.changes.flatMap((change) => (change.kind === 'set_status' ? change.id : []));
}
