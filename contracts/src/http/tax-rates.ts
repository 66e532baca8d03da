import { z } from 'zod';
import { id, text } from './fields.ts';

/** Whether prices include the tax, or it is added to them. */
export const taxModes = ['inclusive', 'exclusive'] as const;
export type TaxMode = (typeof taxModes)[number];

/** A tax rate as it applies to a price. It never changes. */
export const AppliedTaxRate = z
  .object({
    id: id('tax'),
    name: z.string().meta({ example: 'VAT 19 %' }),
    percentage: z.int().meta({ description: 'In basis points: 1900 is 19 %.', example: 1900 }),
    mode: z.enum(taxModes).meta({
      description: '`inclusive`: prices include the tax. `exclusive`: it is added to them.',
    }),
  })
  .meta({ id: 'AppliedTaxRate' });

export type AppliedTaxRate = z.infer<typeof AppliedTaxRate>;

export const taxTreatments = ['standard', 'reverse_charge'] as const;

/** What a rate taxes of a line of an order. */
export const LineTax = z
  .object({
    rate: AppliedTaxRate,
    treatment: z.enum(taxTreatments).meta({
      description:
        '`reverse_charge`: the customer owes the tax, and none is charged. `standard`: the rate applies.',
      example: 'standard',
    }),
    netAmount: z.int().meta({ example: 9756 }),
    taxAmount: z.int().meta({ example: 1854 }),
    grossAmount: z.int().meta({ example: 11610 }),
  })
  .meta({ id: 'LineTax' });

export type LineTax = z.infer<typeof LineTax>;

/** The tax rate of something that is sold, as its record has it. */
export const taxRateId = z.string().nullable().meta({
  description: 'The tax rate of the business unit that its price is taxed with.',
  example: null,
});

/** The same, as requests set it. */
export const taxRateIdInput = text({ min: 1, max: 200 }).nullable().meta({
  description: 'A tax rate of the business unit, which operators create. Null means none.',
  example: null,
});
