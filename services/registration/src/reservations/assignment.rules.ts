import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { AdmissionState, Change, Person, ReservationState } from '../seats/seats.rules.ts';
import { activeRegistration } from './seat-sources.rules.ts';

/** A person to register on an open seat of an order. */
export interface AssignRequest {
  orderId: string;
  seatId: string;
  person: Person;
}

export type AssignDecision =
  | {
      outcome: 'assigned';
      registrationId: string;
      status: RegistrationStatus;
      /** None if an earlier request has assigned the seat to the same person. */
      changes: Change[];
    }
  | { outcome: 'unknown' }
  | { outcome: 'not_open'; seat: 'assigned' | 'cancelled' }
  | { outcome: 'event_archived' }
  | { outcome: 'event_ended' }
  | { outcome: 'attendee_registered' };

/**
 * Decides whether a person gets an open seat of a fulfilled order. The seat is sold, so no rule of
 * the sale is checked again. Its use of a redemption code and the add-ons that it keeps go to the
 * registration. Checks in this order: the seat, the event, the person.
 */
export function decideAssignment(
  state: AdmissionState,
  { orderId, seatId, person }: AssignRequest,
): AssignDecision {
  const seat = state.reservations.get(seatId);
  const order = state.reservations.get(orderId);
  if (seat?.openSeat?.orderId !== orderId || !order?.fulfilment) return { outcome: 'unknown' };
  const existing = activeRegistration(state, person.normalEmail);
  if (seat.state !== 'active') {
    const [held] = seat.fulfilment?.seats ?? [];
    if (!held) return { outcome: 'not_open', seat: 'cancelled' };
    if (existing?.id !== held.registrationId) return { outcome: 'not_open', seat: 'assigned' };
    const { id: registrationId, status } = existing;
    return { outcome: 'assigned', registrationId, status, changes: [] };
  }
  if (state.eventStatus === 'archived') return { outcome: 'event_archived' };
  if (state.eventEndsAt && state.eventEndsAt <= state.now) return { outcome: 'event_ended' };
  if (existing) return { outcome: 'attendee_registered' };
  const { registrationId } = person;
  const { ticketTypeId } = seat.openSeat;
  // A seat of a type that requires approval is taken when the registration is approved.
  const status = seat.seats.has(ticketTypeId) ? 'confirmed' : 'pending';
  return {
    outcome: 'assigned',
    registrationId,
    status,
    changes: [
      {
        kind: 'close_reservation',
        id: seatId,
        to: 'fulfilled',
        fulfilment: {
          seats: [{ registrationId, created: true, status }],
          addonRegistrationId: null,
        },
      },
      {
        kind: 'register',
        person,
        status,
        ticketTypeId,
        redemptionCodeId: seat.redemptionCodeId,
        orderId,
        seatId,
      },
      { kind: 'assign_seat', orderId, seatId, registrationId },
      ...keptAddons(seat, registrationId, orderId, ticketTypeId),
    ],
  };
}

/** What a person says about itself; null if the request leaves it out. */
interface Details {
  name: string | null;
  /** As canonical JSON. */
  responses: string | null;
}

/**
 * Whether a repeated assignment asks for what the registration of the seat has. What it leaves out is
 * not asked for.
 */
export const repeats = (asked: Details, stored: Details): boolean =>
  (asked.name === null || asked.name === stored.name) &&
  (asked.responses === null || asked.responses === stored.responses);

function keptAddons(
  { seats }: ReservationState,
  registrationId: string,
  orderId: string,
  ticketTypeId: string,
): Change[] {
  const units = [...seats].flatMap(([addonId, quantity]) =>
    addonId === ticketTypeId ? [] : [{ addonId, quantity }],
  );
  return units.length > 0 ? [{ kind: 'add_addons', registrationId, orderId, units }] : [];
}
