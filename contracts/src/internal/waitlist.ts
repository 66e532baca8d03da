import { z } from 'zod';
import { ticketTypeSnapshot } from '../messages/catalog.ts';
import { seatLedgerSnapshot } from '../messages/registration.ts';
import { snapshotOf } from '../messages/snapshot.ts';
import { operation } from '../operation.ts';

/** A ticket type as catalog publishes it. */
export const TicketTypeRecord = snapshotOf(ticketTypeSnapshot);

/**
 * The seats of a ticket type as registration publishes them; null before the first registration.
 */
export const SeatLedgerRecord = snapshotOf(seatLedgerSnapshot).nullable();

export const promoteWaitlist = operation({
  method: 'POST',
  url: '/internal/waitlist/promote',
  config: {
    tag: 'Internal',
    owner: 'registration',
    audience: 'service',
    operationId: 'promoteWaitlist',
    summary:
      'Apply a changed ticket type, promote registrations from its waitlist and return its seats',
  },
  schema: {
    body: z.object({
      /** The changed record. Only the service that owns ticket types may send it. */
      ticketType: TicketTypeRecord,
      /**
       * The time limit of the promotion, in milliseconds. Afterwards the operation returns the
       * committed seats.
       */
      timeoutMs: z.int().min(0).max(5000),
    }),
    response: {
      200: z.object({
        seatLedger: SeatLedgerRecord,
      }),
    },
  },
});
