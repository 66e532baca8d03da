import { defineEntity, p } from '@mikro-orm/core';

/** One row per event: the lock for all changes of its seats, and the limits per buyer email. */
export const EventLock = defineEntity({
  name: 'EventLock',
  tableName: 'event_lock',
  properties: {
    eventId: p.text().primary(),
    businessUnitId: p.text(),
    /** Null for the default. */
    maxHoldsPerEmail: p.integer().nullable(),
    /** Null for no limit. */
    maxSeatsPerEmail: p.integer().nullable(),
    /** Null for the default. */
    waitlistOfferMinutes: p.integer().nullable(),
    /** When the cancellation of the event closed its admission: nothing is registered any more. */
    cancelledAt: p.datetime(3).nullable(),
  },
});

/**
 * The taken seats of a ticket type, or the taken units of an add-on, which are counted alike. The
 * capacity is in the projection of the ticket type or add-on.
 */
export const SeatLedger = defineEntity({
  name: 'SeatLedger',
  tableName: 'seat_ledger',
  properties: {
    /** The id of the ticket type or add-on. */
    ticketTypeId: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text().index('seat_ledger_of_event'),
    /** Seats of confirmed registrations; units of an add-on that active registrations have. */
    confirmed: p.integer().default(0).check('confirmed >= 0'),
    waitlisted: p.integer().default(0).check('waitlisted >= 0').index('seat_ledger_waiting'),
    /** Waitlisted registrations with an open offer. */
    offered: p.integer().default(0).check('offered >= 0 and offered <= waitlisted'),
    reserved: p.integer().default(0).check('reserved >= 0'),
    /** The version of the projected ticket type that was applied last. */
    ticketTypeVersion: p.bigint('number').default(0),
    version: p.bigint('number'),
  },
});
