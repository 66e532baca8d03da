import { z } from 'zod';
import { registrationKinds, registrationStatuses } from '../http/registrations.ts';
import { snapshotType } from './snapshot.ts';

/** The seats of one ticket type, absolute; its `aggregateId` is the ticket type's id. */
export const seatLedgerSnapshot = snapshotType({
  type: 'registration.seat_ledger',
  origin: 'registration',
  data: z.object({ confirmed: z.int(), waitlisted: z.int(), held: z.int() }),
});

/** A registration as doors see it, with what delivers perks to it. Who it is, nobody is told. */
export const registrationSnapshot = snapshotType({
  type: 'registration.registration',
  origin: 'registration',
  data: z.object({
    status: z.enum(registrationStatuses),
    type: z.enum(registrationKinds),
    checkinCode: z.string(),
    ticketTypeId: z.string().nullable(),
    addonIds: z.array(z.string()),
    redemptionCodeId: z.string().nullable(),
    grantedPerkIds: z.array(z.string()),
  }),
});

/** What a redemption code delivers. One that has never delivered anything is not told of. */
export const redemptionCodeSnapshot = snapshotType({
  type: 'registration.redemption_code',
  origin: 'registration',
  data: z.object({ perkIds: z.array(z.string()) }),
});
