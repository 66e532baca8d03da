import { z } from 'zod';
import { country, limits, line } from './fields.ts';

const text = (example: string, max: number = limits.nameLength) =>
  line({ min: 1, max }).meta({ example });

const vatId = {
  description:
    'The VAT identification number. In the European Union it must have the format of `address.country`; whether it is ' +
    'assigned is not checked. It is kept in capitals, without spaces and separators.',
  example: 'DE123456789',
};

/** Whom an order is billed to. */
export const Billing = z
  .object({
    name: z.string().nullable().meta({ example: 'Ada Lovelace' }),
    company: z.string().nullable().meta({ example: 'Analytical Engines GmbH' }),
    address: z.object({
      line1: z.string().meta({ example: 'Unter den Linden 1' }),
      line2: z.string().nullable().meta({ example: null }),
      postalCode: z.string().nullable().meta({ example: '10117' }),
      city: z.string().meta({ example: 'Berlin' }),
      country: z.string().meta({ description: 'ISO 3166-1 alpha-2 code', example: 'DE' }),
    }),
    vatId: z.string().nullable().meta(vatId),
  })
  .meta({ id: 'Billing' });

export type Billing = z.infer<typeof Billing>;

/** The billing of a request. */
export const BillingInput = z
  .object({
    name: text('Ada Lovelace').nullable().default(null),
    company: text('Analytical Engines GmbH').nullable().default(null),
    address: z.object({
      line1: text('Unter den Linden 1'),
      line2: text('3rd floor').nullable().default(null),
      postalCode: text('10117', 20).nullable().default(null),
      city: text('Berlin'),
      country: country(),
    }),
    vatId: line({ min: 1, max: 40 }).nullable().default(null).meta(vatId),
  })
  .meta({ id: 'BillingInput' });

export type BillingInput = z.output<typeof BillingInput>;
