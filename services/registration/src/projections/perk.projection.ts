import { perkSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';

export const perkProjection = defineProjection({
  type: perkSnapshot,
  table: 'registration.perk_copy',
  columns: { name: 'text', description: 'text' },
  row: ({ name, description }) => ({ name, description }),
});
