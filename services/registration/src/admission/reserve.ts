import { normalEmail } from '@event-api/contracts/email';
import type { FormResponses } from '@event-api/contracts/http/form-responses';
import type {
  ReservationInput,
  reserveSeats as reserveOperation,
} from '@event-api/contracts/internal/reservations';
import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { z } from 'zod';
import { decideWithRefresh } from '../projections/decide-with-refresh.ts';
import { codeKey } from '../redemption-codes/redemption-codes.rules.ts';
import { createPerson } from '../registrations/person.ts';
import type {
  OrderRequest,
  ReserveDecision,
  ReserveRefusal,
} from '../reservations/reservations.rules.ts';
import type { AdmissionDeps } from './deps.ts';

export interface ReservationDeps extends AdmissionDeps {
  /** How long seats are reserved. */
  reservationMs: number;
}

const projectionDependentReasons: readonly ReserveRefusal['reason'][] = [
  'NOT_FOUND',
  'EVENT_ARCHIVED',
  'NOT_ON_SALE',
  'SOLD_OUT',
  'ADDON_NOT_ON_SALE',
  'ADDON_SOLD_OUT',
  'BELOW_ORDER_MINIMUM',
  'ABOVE_ORDER_MAXIMUM',
];

type Input = z.output<typeof reserveOperation.schema.body>;

/**
 * Reserves the seats of an order, all of them or none. A repeated call returns the existing
 * reservation.
 *
 * While the price is unknown, a type that requires approval is rejected first, as in a charged
 * order. The refresh that follows any rejection confirms that it requires approval, and the second
 * decision reports its seat. So the caller can refuse the order without another look at the type.
 * Errors: 404 for an unknown event; 503. Emits: the seats.
 */
export async function reserveSeats(deps: ReservationDeps, body: Input): Promise<ReserveDecision> {
  const { admission, refresher, reservationMs } = deps;
  const { businessUnitId, eventId, price } = body;
  const scope = { businessUnitId, eventId };
  await refresher.require(eventRef(scope));
  await Promise.all(
    addonsOf(body).map((id) => refresher.require({ type: addonSnapshot.type, businessUnitId, id })),
  );
  const order = orderRequest(body);
  const { result } = await decideWithRefresh({
    refresher,
    scope,
    ticketTypeIds: typesOf(body),
    addonIds: addonsOf(body),
    decide: ({ isRefreshed }) => {
      const acceptsApproval = price === 'free' || (price === 'unknown' && isRefreshed);
      const input = { ...order, acceptsApproval, reservationMs };
      return admission.submit<'reserve'>(scope, { kind: 'reserve', input });
    },
    dependsOnProjections: ({ result }) =>
      result.outcome === 'refused' && projectionDependentReasons.includes(result.reason),
  });
  return result;
}

/**
 * The input of decisions: the request with a person for each seat. `responses` are those of the
 * order, which each person gets.
 */
export function orderRequest(
  body: ReservationInput,
  responses: FormResponses | null = null,
): OrderRequest {
  return {
    reservationId: body.reservationId,
    buyerEmail: normalEmail(body.buyer.email),
    seats: body.seats.map(({ ticketTypeId, email, name, inBundle, amount }) => ({
      ticketTypeId,
      inBundle,
      amount,
      person: email === null ? null : createPerson(body.businessUnitId, { email, name, responses }),
    })),
    addonIds: body.addonIds,
    addons: body.addons?.map(({ addonId, emails }) => ({
      addonId,
      emails: emails.map(normalEmail),
    })),
    addonUnits: body.addonUnits,
    codeKey: body.redemptionCode === null ? null : codeKey(body.redemptionCode),
  };
}

/** The distinct ticket types of a reservation. */
export const typesOf = (body: ReservationInput): string[] => [
  ...new Set(body.seats.map(({ ticketTypeId }) => ticketTypeId)),
];

/** The distinct add-ons of a reservation. */
export const addonsOf = ({ addonIds }: ReservationInput): string[] => [...new Set(addonIds)];
