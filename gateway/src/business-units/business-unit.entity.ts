import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const BusinessUnit = defineEntity({
  name: 'BusinessUnit',
  tableName: 'business_unit',
  properties: {
    id: p.text().primary(),
    name: p.text(),
    defaultCurrency: p.character().length(3),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
});

export type BusinessUnit = InferEntity<typeof BusinessUnit>;
