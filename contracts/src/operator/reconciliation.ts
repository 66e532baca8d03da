import { z } from 'zod';
import { timestampOut } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { pageFields } from './page.ts';
import { eventScope } from './reference.ts';

const day = (description: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-11-28')
    .meta({ description, example: '2026-11-28' });

const money = (description: string) =>
  z
    .object({ amount: z.int(), currency: z.string() })
    .nullable()
    .meta({ description, example: { amount: 4500, currency: 'EUR' } });

export const Reconciliation = z.object({
  provider: z.string().meta({
    description: 'The account: `stripe` is that of the platform, `stripe/pac_…` one of a unit',
    example: 'stripe',
  }),
  businessUnitId: z
    .string()
    .nullable()
    .meta({ description: 'The unit that owns the account; null for that of the platform' }),
  day: day('The compared day, in UTC'),
  ranAt: timestampOut(),
  compared: z.int().meta({ description: 'Number of payments, refunds and disputes of the day' }),
  differences: z.int().meta({ description: 'Number of differences' }),
  listed: z
    .array(
      z.object({
        kind: z.string().meta({
          description: '`charge`, `refund`, `refund_returned`, `dispute` or `dispute_returned`',
          example: 'charge',
        }),
        objectId: z.string().meta({
          description: "The provider's id of the payment, the refund or the dispute",
          example: 'pi_3PqXyZ2eZvKYlo2C',
        }),
        orderId: z.string().nullable(),
        businessUnitId: z.string().nullable(),
        difference: z.string().meta({
          description:
            '`missing_here` (not in the journal), `missing_there` (not at the provider), `other_amount` or `other_currency`',
          example: 'missing_here',
        }),
        here: money('What the journal has'),
        there: money('What the provider has'),
      }),
    )
    .meta({ description: 'The first 1000 differences' }),
});

const config = {
  tag: 'Orders',
  owner: 'commerce',
  audience: 'operator',
  permission: ['money', 'platform'],
} as const;

const unit = eventScope.businessUnitId.optional().meta({
  description: 'Only the own accounts of this business unit; all accounts if left out',
});

export const listReconciliations = operation({
  method: 'POST',
  url: '/operator/reconciliation.list',
  config: {
    ...config,
    operationId: 'reconciliation.list',
    isRead: true,
    summary: 'List the comparisons of the journal with the payment provider, newest day first',
    description:
      'Each closed day is compared once for each account, a day after its end. With `nextCursor`, run it again with this `cursor`.',
  },
  schema: {
    body: z.object({
      businessUnitId: unit,
      from: day('Only comparisons from this day on').optional(),
      onlyDifferent: z
        .boolean()
        .default(false)
        .meta({ description: 'Only comparisons with differences' }),
      ...pageFields,
    }),
    response: {
      200: z.object({
        reconciliations: z.array(Reconciliation),
        nextCursor: z.string().nullable(),
      }),
    },
  },
});

export const runReconciliation = operation({
  method: 'POST',
  url: '/operator/reconciliation.run',
  config: {
    ...config,
    operationId: 'reconciliation.run',
    summary: 'Compare a closed day of the journal with the payment provider again',
    description:
      'The new result replaces the former one: `reconciliation.list` shows it. It changes no order and moves no money.',
  },
  schema: {
    body: z.object({ businessUnitId: unit, day: day('A closed day, in UTC') }),
    response: { 200: z.object({}) },
  },
});
