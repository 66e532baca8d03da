import { defineEntity, p } from '@mikro-orm/core';

/** A perk that an operator granted to one registration. */
export const PerkGrant = defineEntity({
  name: 'PerkGrant',
  tableName: 'perk_grant',
  properties: {
    registrationId: p.text().primary(),
    perkId: p.text().primary(),
    businessUnitId: p.text(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
});
