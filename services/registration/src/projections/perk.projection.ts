import { perkSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectedColumns } from './projected-columns.ts';

export const PerkProjection = defineEntity({
  name: 'PerkProjection',
  tableName: 'perk_projection',
  properties: { ...projectedColumns, name: p.text(), description: p.text().nullable() },
  indexes: [{ name: 'perk_projection_of_event', properties: ['eventId'] }],
});

export const perkProjection = defineProjection({
  type: perkSnapshot,
  schema: 'registration',
  entity: PerkProjection,
});
