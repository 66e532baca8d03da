import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { KeptUnits, ReleaseDecision } from '../reservations/closing.rules.ts';
import {
  findHandedOver,
  type HandedOverRegistration,
} from '../reservations/reservations.queries.ts';
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
 * Cancels the registrations of an order, releases its open seats and removes its add-ons. Returns
 * the ids of the cancelled registrations and released seats, and the registrations that another
 * order has now, also when an earlier call has handed them over. Errors: 404 for an unknown event;
 * 503. Emits: the seats.
 */
export async function revokeOrder(
  deps: AdmissionDeps,
  scope: EventScope,
  orderId: string,
): Promise<{ cancelled: string[]; handedOver: HandedOverRegistration[] }> {
  const cancelled = await submitRevocation(deps, scope, { orderId });
  return { cancelled, handedOver: await findHandedOver(deps.db, scope, orderId) };
}

/**
 * Revokes registrations of an order whose price is refunded. The order does not list them any more:
 * it does not get them from another order later. Returns the same as `revokeOrder`.
 * Errors: 404 for an unknown event; 503. Emits: the seats.
 */
export async function revokeSeats(
  deps: AdmissionDeps,
  scope: EventScope,
  revoked: { orderId: string; registrationIds: readonly string[] },
): Promise<{ cancelled: string[]; handedOver: HandedOverRegistration[] }> {
  const cancelled = await submitRevocation(deps, scope, revoked);
  return { cancelled, handedOver: await findHandedOver(deps.db, scope, revoked.orderId) };
}

/**
 * Returns units of add-ons of an order to the sale, down to those that its registrations keep.
 * Errors: 404 for an unknown event; 503. Emits: the units.
 */
export async function returnUnits(
  { admission, refresher }: AdmissionDeps,
  scope: EventScope,
  returned: { orderId: string; units: readonly KeptUnits[] },
): Promise<void> {
  await refresher.require(eventRef(scope));
  await admission.submit<'return_units'>(scope, { kind: 'return_units', ...returned });
}

async function submitRevocation(
  { admission, refresher }: AdmissionDeps,
  scope: EventScope,
  revoked: { orderId: string; registrationIds?: readonly string[] },
): Promise<string[]> {
  await refresher.require(eventRef(scope));
  const { result } = await admission.submit<'revoke'>(scope, { kind: 'revoke', ...revoked });
  return result.changes.flatMap((change) =>
    change.kind === 'set_status' || change.kind === 'close_reservation' ? change.id : [],
  );
}
