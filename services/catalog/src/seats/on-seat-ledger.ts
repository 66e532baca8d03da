import { seatLedgerSnapshot } from '@event-api/contracts/messages/registration';
import { defineCopy } from '@event-api/platform/projections/copy';

export const seatCountCopy = defineCopy({
  type: seatLedgerSnapshot,
  table: 'catalog.seat_count',
  columns: { confirmed: 'int', waitlisted: 'int' },
  row: ({ confirmed, waitlisted }) => ({ confirmed, waitlisted }),
});
