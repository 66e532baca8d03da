import { z } from 'zod';
import { timestamp } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { pageFields } from './page.ts';
import { eventScope } from './reference.ts';

/** Where money of orders is: with the provider, earned, tax, taken by the platform, owed to buyers, or taken by disputes. */
export const journalAccounts = [
  'provider',
  'sales',
  'tax',
  'fee',
  'refunds_due',
  'dispute',
] as const;
export type JournalAccount = (typeof journalAccounts)[number];

/** What moves money at the provider. */
export const movementKinds = [
  'charge',
  'refund',
  'refund_returned',
  'dispute',
  'dispute_returned',
] as const;
export type MovementKind = (typeof movementKinds)[number];

/** What moves money from one account to another. */
export type JournalCause =
  | MovementKind
  | 'tax'
  | 'tax_returned'
  | 'fee'
  | 'fee_returned'
  | 'refund_due'
  | 'refund_withdrawn';

const account = () =>
  z.enum(journalAccounts).meta({
    description:
      '`provider`: the money that the payment provider has. `sales`: what buyers have paid and are not owed, without tax. `tax`: the tax in it. `fee`: what the platform has taken of payments on a connected account. `refunds_due`: what is owed to buyers. `dispute`: what disputes of buyers have taken from the provider, until they are won.',
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

const day = (description: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-11-28')
    .meta({ description, example: '2026-11-28' });

const hash = (description: string) =>
  z.string().meta({
    description,
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  });

export const JournalDigest = z.object({
  businessUnitId: eventScope.businessUnitId,
  day: day('The closed day, in UTC'),
  currency: z.string().meta({ example: 'EUR' }),
  entries: z.int().meta({ description: 'Number of entries of the day', example: 12 }),
  accounts: z.array(
    z.object({
      account: account(),
      debit: amount('What came to the account on the day'),
      credit: amount('What left the account on the day'),
    }),
  ),
  entriesHash: hash('SHA-256 of the lines of the entries in the CSV of `ledger.export`'),
  previousHash: hash('The `hash` of the day before that has entries').nullable(),
  hash: hash('SHA-256 of the text of this digest, which names the previous one'),
  signature: z
    .string()
    .nullable()
    .meta({ description: 'Ed25519 over this text, in base64; null without a signing key' }),
  publicKey: z.string().nullable().meta({
    description: 'The key of the signature: SubjectPublicKeyInfo in base64',
    example: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
  }),
});

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

export const listLedgerDigests = operation({
  method: 'POST',
  url: '/operator/ledger.digests',
  config: {
    ...config,
    operationId: 'ledger.digests',
    summary: 'List the signed digests of the closed days of a journal, oldest first',
    description:
      'A day ends in UTC and is closed minutes later: no entry is added to it afterwards. Each digest names the hash of the one before it. `docs/verify-ledger.py` recomputes them from the CSV of `ledger.export`. With `nextCursor`, run it again with this `cursor`.',
  },
  schema: {
    body: z.object({
      businessUnitId: eventScope.businessUnitId,
      from: day('Only digests from this day on').optional(),
      through: day('Only digests up to this day').optional(),
      ...pageFields,
    }),
    response: {
      200: z.object({
        closedThrough: day('The last closed day of all journals').nullable(),
        publicKey: z.string().nullable().meta({
          description: 'The key that signs the next digests; null without one',
        }),
        digests: z.array(JournalDigest),
        nextCursor: z.string().nullable(),
      }),
    },
  },
});
