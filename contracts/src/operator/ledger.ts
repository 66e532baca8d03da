import { z } from 'zod';
import { timestamp } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { pageFields } from './page.ts';
import { eventScope } from './reference.ts';

/** Where money of orders is: with the provider, earned, owed to buyers, or taken by disputes. */
export const journalAccounts = ['provider', 'sales', 'refunds_due', 'dispute'] as const;
export type JournalAccount = (typeof journalAccounts)[number];

/** What moves money from one account to another. */
export const journalCauses = [
  'charge',
  'refund_due',
  'refund_withdrawn',
  'refund',
  'refund_returned',
  'dispute',
  'dispute_returned',
] as const;
export type JournalCause = (typeof journalCauses)[number];

const account = () =>
  z.enum(journalAccounts).meta({
    description:
      '`provider`: the money that the payment provider has. `sales`: what buyers have paid and are not owed. `refunds_due`: what is owed to buyers. `dispute`: what disputes of buyers have taken from the provider, until they are won.',
  });

const amount = (description: string) =>
  z.int().meta({ description: `${description}, in the minor unit`, example: 4500 });

const config = {
  tag: 'Orders',
  owner: 'commerce',
  audience: 'operator',
  isRead: true,
  permission: 'money',
} as const;

const period = {
  from: timestamp().optional().meta({ description: 'Only entries from this moment on' }),
  before: timestamp().optional().meta({ description: 'Only entries before this moment' }),
};

export const readTrialBalance = operation({
  method: 'POST',
  url: '/operator/ledger.trialBalance',
  config: {
    ...config,
    operationId: 'ledger.trialBalance',
    summary: 'Sum the journal of a business unit, per account and currency',
    description:
      'Each payment, refund and dispute is posted in the transaction that moves it, from one account to another, so the balances of a currency sum to zero. Payments that belong to no order are not posted: `commerce.reconcile` lists them.',
  },
  schema: {
    body: z.object({ businessUnitId: eventScope.businessUnitId, ...period }),
    response: {
      200: z.object({
        accounts: z.array(
          z.object({
            account: account(),
            currency: z.string().meta({ example: 'EUR' }),
            debit: amount('What came to the account'),
            credit: amount('What left the account'),
            balance: amount('Debit less credit'),
          }),
        ),
      }),
    },
  },
});

export const exportLedger = operation({
  method: 'POST',
  url: '/operator/ledger.export',
  config: {
    ...config,
    operationId: 'ledger.export',
    summary: 'Export the journal of a business unit as CSV, oldest entry first',
    description:
      'The fields are position, postedAt, eventId, orderId, cause, causeId (the payment, refund or dispute), debit, credit, amount (minor unit) and currency; each entry moves its amount from the credit to the debit account. Each page has a header line. With `nextCursor`, run it again with this `cursor`.',
  },
  schema: {
    body: z.object({ businessUnitId: eventScope.businessUnitId, ...period, ...pageFields }),
    response: {
      200: z.object({
        csv: z.string().meta({ description: 'Fields are never quoted: none has a comma.' }),
        nextCursor: z.string().nullable(),
      }),
    },
  },
});
