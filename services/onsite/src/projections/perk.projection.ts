import { perkSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity } from '@mikro-orm/core';
import { projectedColumns } from './projected-columns.ts';

export const ProjectedPerk = defineEntity({
  name: 'ProjectedPerk',
  tableName: 'perk_projection',
  properties: { ...projectedColumns },
});

export const perkProjection = defineProjection({
  // Only the existence of the perk is stored.
  type: { ...perkSnapshot, data: perkSnapshot.data.pick({}) },
  table: 'onsite.perk_projection',
  columns: {},
  row: () => ({}),
});
