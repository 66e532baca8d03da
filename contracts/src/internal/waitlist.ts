import { z } from 'zod';
import { eventSnapshot, ticketTypeSnapshot } from '../messages/catalog.ts';
import { seatLedgerSnapshot } from '../messages/registration.ts';
import { snapshotOf } from '../messages/snapshot.ts';
import { operation } from '../operation.ts';

/** An event as catalog publishes it. */
export const EventRecord = snapshotOf(eventSnapshot);

/** A ticket type as catalog publishes it. */
export const TicketTypeRecord = snapshotOf(ticketTypeSnapshot);

/** The seats of a ticket type as registration publishes them. */
export const SeatLedgerRecord = snapshotOf(seatLedgerSnapshot);

/**
 * The time limit of a promotion, in milliseconds. Afterwards the operation returns the committed
 * seats.
 */
const timeoutMs = z.int().min(0).max(5000);

/** The seats of the ticket types of the event that share a capacity with others. */
const seatLedgersOfGroups = z.array(SeatLedgerRecord);

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
      timeoutMs,
    }),
    response: {
      200: z.object({
        /** Null before the first registration. */
        seatLedger: SeatLedgerRecord.nullable(),
        /** The previous release returns none. */
        seatLedgersOfGroups: seatLedgersOfGroups.default([]),
      }),
    },
  },
});

export const promoteWaitlistsOfGroups = operation({
  method: 'POST',
  url: '/internal/waitlist/promote-groups',
  config: {
    tag: 'Internal',
    owner: 'registration',
    audience: 'service',
    operationId: 'promoteWaitlistsOfGroups',
    summary:
      'Apply the changed capacity groups of an event, promote from the waitlists of its ticket types and return the seats of those in a group',
  },
  schema: {
    body: z.object({
      /** The changed record. Only the service that owns events may send it. */
      event: EventRecord,
      timeoutMs,
    }),
    response: { 200: z.object({ seatLedgersOfGroups }) },
  },
});
