import { seatLedgerSnapshot } from '@event-api/contracts/messages/registration';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';

/** The snapshots of a ticket type's taken seats for other services. */
export const seatSource = defineSnapshotSource({
  type: seatLedgerSnapshot,
  from: 'registration.seat_ledger t',
  id: 't.ticket_type_id',
  data: `jsonb_build_object('confirmed', t.confirmed, 'waitlisted', t.waitlisted, 'reserved', t.reserved)`,
});
