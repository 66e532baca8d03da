import { z } from 'zod';
import { snapshotType } from './snapshot.ts';

/** The seats of one ticket type, absolute; its `aggregateId` is the ticket type's id. */
export const seatLedgerSnapshot = snapshotType({
  type: 'registration.seat_ledger',
  origin: 'registration',
  data: z.object({ confirmed: z.int(), waitlisted: z.int(), held: z.int() }),
});
