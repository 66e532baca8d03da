import { perkSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectedColumns } from './projected-columns.ts';

export const ProjectedPerk = defineEntity({
  name: 'ProjectedPerk',
  tableName: 'perk_projection',
  properties: {
    ...projectedColumns,
    /** Null until the projection is rebuilt after the release that added it. */
    name: p.text().nullable(),
  },
});

export const perkProjection = defineProjection({
  type: perkSnapshot,
  schema: 'onsite',
  entity: ProjectedPerk,
});
