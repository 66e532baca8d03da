import { defineEntity, p } from '@mikro-orm/core';

/** One row per event: the only lock of everything that changes its seats, and how much one email may hold in it. */
export const Admission = defineEntity({
  name: 'Admission',
  tableName: 'admission',
  properties: {
    eventId: p.text().primary(),
    businessUnitId: p.text(),
    /** Null for the default. */
    maxHoldsPerEmail: p.integer().nullable(),
    /** Null for no limit. */
    maxSeatsPerEmail: p.integer().nullable(),
  },
});

/** The seats of a ticket type as they are taken. How many there are is the copy of the ticket type's to say. */
export const SeatLedger = defineEntity({
  name: 'SeatLedger',
  tableName: 'seat_ledger',
  properties: {
    ticketTypeId: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text().index('seat_ledger_of_event'),
    confirmed: p.integer().default(0).check('confirmed >= 0'),
    waitlisted: p.integer().default(0).check('waitlisted >= 0').index('seat_ledger_waiting'),
    held: p.integer().default(0).check('held >= 0'),
    /** The version of the copy whose consequences have been drawn. */
    appliedVersion: p.bigint('number').default(0),
    version: p.bigint('number'),
  },
});

export const reservationStates = ['held', 'fulfilled', 'released', 'expired'] as const;

/** Seats set aside for an order. */
export const SeatReservation = defineEntity({
  name: 'SeatClaim',
  tableName: 'seat_claim',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    state: p.enum(reservationStates),
    expiresAt: p.datetime(3).nullable(),
    /** As compared; null where only the release of the claim has arrived. */
    buyerEmail: p.text().nullable(),
    /** All of its seats, with those that require approval and so hold none. */
    seatCount: p.integer().default(0),
    redemptionCodeId: p.text().nullable(),
    codeUses: p.integer().default(0),
    /** What was answered to a fulfilment, for a repeat of it. */
    fulfilment: p.json().nullable(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
  indexes: [
    { name: 'seat_claim_due', properties: ['state', 'expiresAt'] },
    { name: 'seat_claim_of_buyer', properties: ['eventId', 'buyerEmail', 'state'] },
  ],
});

/** How many seats of which type a claim holds. */
export const SeatReservationItem = defineEntity({
  name: 'SeatClaimSeats',
  tableName: 'seat_claim_seats',
  properties: {
    claimId: p.text().primary(),
    ticketTypeId: p.text().primary(),
    quantity: p.integer().check('quantity > 0'),
  },
});
