import { seatLedgerSnapshot } from '@event-api/contracts/messages/registration';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import { SeatLedger } from './seat.entity.ts';

/** The snapshots of a ticket type's taken seats for other services. */
export const seatSource = defineSnapshotSource({
  type: seatLedgerSnapshot,
  entity: SeatLedger,
  id: 'ticketTypeId',
  computed: {},
});
