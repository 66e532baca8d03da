import { z } from 'zod';
import { name, timestampOut } from '../http/fields.ts';
import { AppliedTaxRate, taxModes } from '../http/tax-rates.ts';
import { operation } from '../operation.ts';
import { eventScope, reference } from './reference.ts';

const config = { tag: 'Tax rates', owner: 'catalog', audience: 'operator' } as const;

/** A tax rate of a business unit. An archived one cannot be given to anything else. */
export const TaxRate = z.object({
  ...AppliedTaxRate.shape,
  businessUnitId: z.string(),
  archivedAt: timestampOut().nullable(),
  createdAt: timestampOut(),
});

const { businessUnitId } = eventScope;

export const createTaxRate = operation({
  method: 'POST',
  url: '/operator/taxRate.create',
  config: {
    ...config,
    operationId: 'taxRate.create',
    permission: 'policy',
    summary: 'Create a tax rate of a business unit',
    description:
      'Ticket types, add-ons and bundles name it in `taxRateId`. It never changes: for a new percentage, create another one.',
  },
  schema: {
    body: z.object({
      businessUnitId,
      name: name().meta({ description: 'The name of the rate', example: 'VAT 19 %' }),
      percentage: z
        .int()
        .min(0)
        .max(10_000)
        .meta({ description: 'In basis points: 1900 is 19 %', example: 1900 }),
      mode: z.enum(taxModes).meta({
        description: 'Whether prices include the tax, or it is added to them',
        example: 'inclusive',
      }),
    }),
    response: { 201: TaxRate },
  },
});

export const listTaxRates = operation({
  method: 'POST',
  url: '/operator/taxRate.list',
  config: {
    ...config,
    operationId: 'taxRate.list',
    isRead: true,
    permission: 'settings.read',
    summary: 'List the tax rates of a business unit, oldest first',
  },
  schema: {
    body: z.object({ businessUnitId }),
    response: { 200: z.object({ taxRates: z.array(TaxRate) }) },
  },
});

export const archiveTaxRate = operation({
  method: 'POST',
  url: '/operator/taxRate.archive',
  config: {
    ...config,
    operationId: 'taxRate.archive',
    permission: 'policy',
    summary: 'Archive a tax rate',
    description: 'What has the rate keeps it and stays taxed; nothing else can get it.',
  },
  schema: {
    body: z.object({ businessUnitId, taxRateId: reference('tax', 'The tax rate') }),
    response: { 200: TaxRate },
  },
});
