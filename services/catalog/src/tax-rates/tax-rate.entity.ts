import { taxModes } from '@event-api/contracts/http/tax-rates';
import { defineEntity, p } from '@mikro-orm/core';

/** A tax rate of a business unit. Only `archivedAt` changes. */
export const TaxRate = defineEntity({
  name: 'TaxRate',
  tableName: 'tax_rate',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    name: p.text(),
    percentage: p.integer().check('(percentage >= 0) AND (percentage <= 10000)'),
    mode: p.enum(taxModes),
    archivedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
  indexes: [{ name: 'tax_rate_of_unit', properties: ['businessUnitId', 'createdAt', 'id'] }],
});
