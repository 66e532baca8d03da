import type { fulfilReservation, reserveSeats } from '@event-api/contracts/internal/reservations';
import type { z } from 'zod';
import type { Fulfilment } from '../seats/seats.rules.ts';
import type { ReserveDecision } from './reservations.rules.ts';

/** The decision on a reservation as other services receive it. */
export function reservationView(
  decision: ReserveDecision,
): z.input<(typeof reserveSeats.schema.response)[200]> {
  if (decision.outcome !== 'reserved') return decision;
  const { reservation, code, buyerRegistrationId, approvalSeat } = decision;
  return {
    outcome: 'reserved',
    expiresAt: reservation.expiresAt?.toISOString() ?? '',
    redemptionCode: code?.code ?? null,
    discount: code?.discount ?? null,
    discountedTicketTypeId: code?.discount ? code.ticketTypeId : null,
    approvalSeat,
    buyerRegistrationId,
  };
}

/** The decision on a fulfilment as other services receive it. */
export function fulfilmentView(
  decision:
    | { outcome: 'fulfilled'; fulfilment: Fulfilment }
    | { outcome: 'unfulfillable' }
    | { outcome: 'released' },
): z.input<(typeof fulfilReservation.schema.response)[200]> {
  if (decision.outcome !== 'fulfilled') return { outcome: decision.outcome };
  const { seats, typeChanges: _, ...fulfilment } = decision.fulfilment;
  return {
    outcome: 'fulfilled',
    ...fulfilment,
    seats: seats.map(({ registrationId, created, status }) => ({
      registrationId,
      created,
      status,
    })),
  };
}
