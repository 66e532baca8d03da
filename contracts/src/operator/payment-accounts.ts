import { z } from 'zod';
import { id } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { eventScope } from './reference.ts';

/** An account at the payment provider. */
const AccountState = z.object({
  providerAccountId: z.string().nullable().meta({
    description: "The provider's id of the unit's own account",
    example: 'acct_1PqXyZ2eZvKYlo2C',
  }),
  canCharge: z.boolean().meta({ description: 'Whether the provider accepts payments for it' }),
  missing: z.array(z.string()).meta({
    description:
      'What the provider needs before it accepts payments, in its words; `access` if it rejects the stored key or the connection',
  }),
});

const Fee = z.object({
  basisPoints: z.int().min(0).max(10_000).meta({
    description: 'Hundredths of a percent of the payment, rounded half up',
    example: 250,
  }),
  fixedAmount: z.int().min(0).max(1_000_000_000).meta({
    description: 'Added to it, in the minor unit of the currency of the payment',
    example: 30,
  }),
});

/** On which account the next payment of a business unit is opened. */
export const PaymentAccount = z.object({
  businessUnitId: id('unit'),
  account: z.enum(['platform', 'own', 'missing']).meta({
    description:
      'On which account payments are opened: the one of the platform, the own one of the unit, or none: an order that costs something is a 412 `PAYMENT_ACCOUNT_MISSING`.',
  }),
  provider: z.string().meta({ example: 'stripe' }),
  ...AccountState.shape,
  isConnected: z.boolean().meta({
    description: 'Whether the own account is connected to that of the platform, without a key',
  }),
  setup: AccountState.nullable().meta({
    description:
      'The account that its owner still sets up. It replaces the present one as soon as it can be charged.',
  }),
  fee: Fee.nullable().meta({
    description:
      'What the platform takes of each payment on a connected account; null for nothing. A refund returns its share.',
  }),
  notificationPath: z.string().meta({
    description:
      'The path of this platform to which the provider sends the notifications of an own account',
    example: '/payments/notifications/stripe/unit_01k8zq4m3ne7rbj5t2xw9vd6ah',
  }),
});

export type PaymentAccount = z.infer<typeof PaymentAccount>;

const config = { tag: 'Business units', owner: 'commerce', audience: 'operator' } as const;

const { businessUnitId } = eventScope;

const secret = (description: string, example: string) =>
  z
    .string()
    .regex(/^[!-~]{16,300}$/, 'must be 16 to 300 characters without spaces')
    .meta({ description, example });

export const getPaymentAccount = operation({
  method: 'POST',
  url: '/operator/paymentAccount.get',
  config: {
    ...config,
    operationId: 'paymentAccount.get',
    isRead: true,
    permission: 'money',
    summary: 'Read on which account the payments of a business unit are opened',
    description: 'It asks the provider what the own account of the unit needs.',
  },
  schema: { body: z.object({ businessUnitId }), response: { 200: PaymentAccount } },
});

export const setPaymentAccountKey = operation({
  method: 'POST',
  url: '/operator/paymentAccount.setKey',
  config: {
    ...config,
    operationId: 'paymentAccount.setKey',
    permission: 'money',
    summary: 'Connect the own account of a business unit at the payment provider by its secret key',
    description:
      'The provider names the account of the key before it is stored, encrypted; it is never returned. Pages that are open on another account stay payable. A new key of the same account replaces the old one.',
    preconditions: ['PAYMENT_ACCOUNT_REFUSED'],
  },
  schema: {
    body: z.object({
      businessUnitId,
      secretKey: secret('The secret or restricted key of the account', 'sk_live_0123456789abcdef'),
      webhookSecret: secret(
        'The signing secret of the endpoint that sends the notifications to `notificationPath`',
        'whsec_0123456789abcdef',
      ),
    }),
    response: { 200: PaymentAccount },
  },
});

export const connectPaymentAccount = operation({
  method: 'POST',
  url: '/operator/paymentAccount.connect',
  config: {
    ...config,
    operationId: 'paymentAccount.connect',
    permission: 'money',
    summary: 'Connect an account of a business unit at the payment provider without its key',
    description:
      'Returns the page of the provider on which the owner of the account goes on. It can be repeated: the page expires within minutes. Payments are opened on the account as soon as it can be charged.',
    preconditions: ['PAYMENT_ACCOUNT_REFUSED'],
  },
  schema: {
    body: z.object({
      businessUnitId,
      returnUrl: z
        .url({ protocol: /^https?$/ })
        .max(2048)
        .meta({
          description: 'Where the page of the provider leads back to',
          example: 'https://console.example.com/',
        }),
    }),
    response: {
      200: PaymentAccount.extend({
        onboardingUrl: z.string().nullable().meta({
          description: 'The page of the provider; null if it needs nothing',
          example: 'https://connect.stripe.com/setup/s/acct_1PqXyZ2eZvKYlo2C',
        }),
      }),
    },
  },
});

export const setPaymentAccountFee = operation({
  method: 'POST',
  url: '/operator/paymentAccount.setFee',
  config: {
    ...config,
    operationId: 'paymentAccount.setFee',
    permission: 'platform',
    summary: 'Set what the platform takes of payments on the connected account of a business unit',
    description:
      'For pages that are opened from now on. Never more than the payment, and nothing of payments on an account by its key or on that of the platform.',
  },
  schema: {
    body: z.object({ businessUnitId, ...Fee.shape }),
    response: { 200: z.object({ businessUnitId, ...Fee.shape }) },
  },
});

export const disconnectPaymentAccount = operation({
  method: 'POST',
  url: '/operator/paymentAccount.disconnect',
  config: {
    ...config,
    operationId: 'paymentAccount.disconnect',
    permission: 'money',
    summary: 'Open no more payments on the own account of a business unit',
    description:
      'Its open pages stay payable, and its payments are refunded there: keep its key and its notifications at the provider valid.',
  },
  schema: { body: z.object({ businessUnitId }), response: { 200: PaymentAccount } },
});

export const reencryptPaymentAccounts = operation({
  method: 'POST',
  url: '/operator/paymentAccount.reencrypt',
  config: {
    ...config,
    operationId: 'paymentAccount.reencrypt',
    permission: 'platform',
    summary: 'Encrypt the secrets of all payment accounts with the newest key',
    description:
      'Run it after a new first key of `PAYMENT_SECRETS_KEYS` is rolled out, and before the replaced key is removed. It can be repeated.',
  },
  schema: {
    body: z.object({}),
    response: {
      200: z.object({
        accounts: z.int().meta({ description: 'Number of payment accounts.' }),
        reencrypted: z.int().meta({ description: 'Number of those with a replaced key.' }),
      }),
    },
  },
});
