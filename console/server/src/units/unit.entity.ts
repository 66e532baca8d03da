import { defineEntity, p } from '@mikro-orm/core';

/** A business unit as the gateway has last returned it. */
export const StoredUnit = defineEntity({
  name: 'KnownUnit',
  tableName: 'known_unit',
  properties: {
    businessUnitId: p.text().primary(),
    name: p.text(),
    defaultCurrency: p.text(),
  },
});
