import { seatLedgerSnapshot } from '@event-api/contracts/messages/registration';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';

export const seatCountProjection = defineProjection({
  type: seatLedgerSnapshot,
  table: 'catalog.seat_count',
  columns: { confirmed: 'int', waitlisted: 'int' },
  row: ({ confirmed, waitlisted }) => ({ confirmed, waitlisted }),
});
