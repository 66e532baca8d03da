import { z } from 'zod';
import { registrationKinds, registrationStatuses } from '../http/registrations.ts';
import { snapshotType } from './snapshot.ts';

/**
 * The seat counts of one ticket type, or the units of one add-on, as absolute numbers; its
 * `aggregateId` is the id of the ticket type or add-on. The units that registrations have are
 * `confirmed`.
 */
export const seatLedgerSnapshot = snapshotType({
  type: 'registration.seat_ledger',
  origin: 'registration',
  data: z.object({
    confirmed: z.int(),
    waitlisted: z.int(),
    /** The previous release does not publish it. */
    offered: z.int().optional(),
    reserved: z.int(),
  }),
});

/**
 * A registration as check-in needs it, with the sources of its perks. The name is its only personal
 * data: doors show it.
 */
export const registrationSnapshot = snapshotType({
  type: 'registration.registration',
  origin: 'registration',
  data: z.object({
    name: z.string().nullable(),
    status: z.enum(registrationStatuses),
    type: z.enum(registrationKinds),
    checkinCode: z.string(),
    /** Badge codes that it had before a transfer. */
    replacedCheckinCodes: z.array(z.string()),
    ticketTypeId: z.string().nullable(),
    addonIds: z.array(z.string()),
    redemptionCodeId: z.string().nullable(),
    /** The order whose seat it is. The previous release does not publish it. */
    orderId: z.string().nullable().optional(),
    /** The open seat that it was assigned to. The previous release does not publish it. */
    seatId: z.string().nullable().optional(),
    /** The previous release does not publish it. */
    cancelledAt: z.string().nullable().optional(),
    /**
     * Whether its event was cancelled when it ended: it follows the refund of the event. Null while it
     * is active. The previous release does not publish it.
     */
    endedWithEvent: z.boolean().nullable().optional(),
    grantedPerkIds: z.array(z.string()),
  }),
});

/**
 * The perk that a redemption code delivers. A code that has never delivered one is not published.
 */
export const redemptionCodeSnapshot = snapshotType({
  type: 'registration.redemption_code',
  origin: 'registration',
  data: z.object({ perkIds: z.array(z.string()) }),
});
