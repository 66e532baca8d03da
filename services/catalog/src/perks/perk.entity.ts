import { perkTargetTypes } from '@event-api/contracts/operator/perks';
import { versionColumn } from '@event-api/platform/db/row-version';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const Perk = defineEntity({
  name: 'Perk',
  tableName: 'perk',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    name: p.text(),
    description: p.text().nullable(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    version: versionColumn(),
  },
  indexes: [
    { name: 'perk_of_event', properties: ['businessUnitId', 'eventId', 'createdAt', 'id'] },
  ],
});

export type Perk = InferEntity<typeof Perk>;

/** A ticket type or an add-on that delivers a perk. */
export const PerkBinding = defineEntity({
  name: 'PerkBinding',
  tableName: 'perk_binding',
  properties: {
    perkId: p.text().primary(),
    targetType: p.enum(perkTargetTypes).primary(),
    targetId: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
  },
  indexes: [
    { name: 'perk_binding_of_target', properties: ['businessUnitId', 'eventId', 'targetId'] },
  ],
});

export type PerkBinding = InferEntity<typeof PerkBinding>;
