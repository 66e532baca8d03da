import { z } from 'zod';
import { id, limits, line, listOf, requireField, timestamp, timestampOut } from '../http/fields.ts';
import { Order } from '../http/orders.ts';
import { operation } from '../operation.ts';
import { pageFields } from './page.ts';
import { eventScope, reference } from './reference.ts';

export const refundStates = ['due', 'pending', 'done', 'failed', 'withdrawn'] as const;
export type RefundState = (typeof refundStates)[number];

/** Why money goes back. A later release may have more causes. */
export const refundCauses = [
  'operator',
  'late',
  'mismatch',
  'surplus',
  'unfulfillable',
  'attendee_registered',
  'refund_policy',
  'event_cancelled',
  'at_provider',
] as const;
export type RefundCause = (typeof refundCauses)[number];

/** A refund: money that was returned, or is due. */
export const Refund = z.object({
  id: id('rfd'),
  businessUnitId: id('unit'),
  eventId: id('evt'),
  orderId: id('ord'),
  amount: z.int(),
  taxAmount: z.int().meta({
    description:
      'The tax in `amount`: its share of the tax in the payment. All of a payment carries all its tax, however it is divided. 0 for a payment that pays for nothing.',
  }),
  currency: z.string(),
  state: z.enum(refundStates).meta({
    description:
      '`due` waits for `sendsAt` or an operator, `pending` for the provider. `failed` is a refund that an operator requested and the provider refused: no money has moved, and nothing sends it again. `withdrawn` is no longer owed: the order got the registration of a refunded order, an operator has withdrawn a failed refund, the payment was returned at the provider, or a sent refund failed later and another one is due in its place.',
  }),
  /**
   * The cause in one word; `operator` for a refund that an operator decided, `at_provider` for one
   * that was made at the provider.
   */
  cause: z.string(),
  reason: z.string().nullable(),
  failure: z.string().nullable(),
  createdAt: timestampOut(),
  doneAt: timestampOut().nullable(),
  registrationIds: z.array(z.string()).meta({
    description: 'The registrations whose price it refunds; empty for another refund.',
  }),
  sendsAt: timestampOut().nullable().meta({
    description:
      'When the platform sends a due refund by itself (`refund.setDelay`); null if it waits for an operator.',
  }),
});

export type Refund = z.infer<typeof Refund>;

/** A refund in a list, with the order and the email of its buyer: to whom money is owed. */
export const ListedRefund = Refund.extend({
  orderNumber: z.string(),
  email: z.string(),
  isOwed: z.boolean().meta({
    description:
      'Whether the money is still owed: `due`, `pending`, and `failed` unless an operator has requested another refund of the order since.',
  }),
});

export type ListedRefund = z.infer<typeof ListedRefund>;

const countOf = (description: string) => z.int().meta({ description, example: 1 });

/** What is owed in a currency: refunds that are due, pending, or failed and not repeated. */
export const OwedRefunds = z.object({
  currency: z.string(),
  amount: z.int(),
  buyers: countOf('The number of buyers, by email'),
  oldestAt: timestampOut().meta({ description: 'Since when the oldest refund is owed' }),
  dueRefunds: countOf('Refunds that wait for their time or an operator'),
  pendingRefunds: countOf('Refunds that wait for the provider'),
  failedRefunds: countOf('Refunds that the provider refused and no operator has repeated'),
});

export type OwedRefunds = z.infer<typeof OwedRefunds>;

/** The amount of an `order.refund`, given by exactly one of these fields. */
export const refundExtents = ['amount', 'onlyDue', 'all', 'registrationIds'] as const;
export type RefundExtent = (typeof refundExtents)[number];

const isExtent = (field: unknown): boolean => refundExtents.some((one) => one === field);

const config = { tag: 'Orders', owner: 'commerce', audience: 'operator' } as const;

export const refundOrder = operation({
  method: 'POST',
  url: '/operator/order.refund',
  config: {
    ...config,
    operationId: 'order.refund',
    permission: 'money',
    summary: 'Refund what is due for an order and more of its payment, and cancel what is refunded',
    description:
      'Exactly one of `amount`, `onlyDue`, `all` and `registrationIds` is required. A refund that is identical to one of the last ten minutes is 409, unless `force` is true or the client chose an `Idempotency-Key` (`--key`). The price of a registration is refunded once: 409 if nothing is left to do for any of `registrationIds`.',
    errors: [409],
    preconditions: ['NOTHING_TO_REFUND', 'ORDER_BUSY', 'PAYMENT_DISPUTED'],
  },
  schema: {
    body: z
      .object({
        ...eventScope,
        orderId: reference('ord', 'The order'),
        all: z.boolean().default(false).meta({
          description:
            'Refund everything that is left of the payment. The registrations of the order are revoked.',
        }),
        onlyDue: z.boolean().default(false).meta({
          description: 'Refund only what is due. The registrations of the order stay.',
        }),
        amount: z
          .int()
          .min(1)
          .max(limits.amount * 100_000)
          .optional()
          .meta({
            description: 'The amount to refund on top of what is due, in the minor unit.',
            example: 1500,
          }),
        registrationIds: z
          .array(reference('reg', 'A registration'))
          .min(1)
          .max(100)
          .optional()
          .meta({
            description:
              'Refund the prices of these registrations of the order, with their add-ons and less their discounts (`seats` of `order.find`), and cancel them. An open seat is named by its own id. At most what is left of the payment.',
          }),
        keepRegistrations: z.boolean().default(false).meta({
          description:
            'With `registrationIds`: refund their prices and cancel nothing. With the last price the order is `refunded`.',
        }),
        reason: line({ min: 0, max: 200 }).nullable().default(null).meta({
          description: 'A note that is stored with the refund',
        }),
        force: z.boolean().default(false).meta({
          description:
            'Refund even if an identical refund was requested less than ten minutes ago.',
        }),
      })
      .check((ctx) => {
        // An invalid field has its own issue, and counts neither as sent nor as missing.
        if (ctx.issues.some(({ path }) => isExtent(path?.[0]))) return;
        const sent = refundExtents.filter((field) => ctx.value[field]);
        if (ctx.value.keepRegistrations && !sent.includes('registrationIds')) {
          requireField(ctx, 'registrationIds', 'is required with keepRegistrations');
        }
        if (sent.length === 1) return;
        if (sent.length === 0) {
          for (const field of refundExtents) {
            const others = refundExtents.filter((other) => other !== field).join(' or ');
            requireField(ctx, field, `is required unless ${others} is sent`);
          }
        }
        for (const field of sent) {
          const others = sent.filter((other) => other !== field).join(' and ');
          const message = `cannot be combined with ${others}`;
          ctx.issues.push({ code: 'custom', message, path: [field], input: ctx.value[field] });
        }
      })
      .meta({ example: { amount: 1500 } }),
    response: {
      200: z.object({
        order: Order,
        refunds: z.array(Refund),
        /** The refund policy of the organiser, for the operator to read. */
        policy: z.object({ text: z.string(), refundableUntil: z.string().nullable() }).nullable(),
      }),
    },
  },
});

const listedScope = {
  businessUnitId: eventScope.businessUnitId
    .optional()
    .meta({ description: 'Only this business unit; all units if left out' }),
  eventId: eventScope.eventId.optional().meta({ description: 'Only this event of the unit' }),
};

/** An event is one of a business unit. */
function requireUnitOfEvent(
  ctx: z.core.ParsePayload<{ businessUnitId?: unknown; eventId?: unknown }>,
) {
  const { businessUnitId, eventId } = ctx.value;
  if (eventId === undefined || businessUnitId !== undefined) return;
  requireField(ctx, 'businessUnitId', 'is required with eventId');
}

const unknownScope = 'An unknown business unit yields an empty list; an unknown event is a 404.';

export const listRefunds = operation({
  method: 'POST',
  url: '/operator/refund.list',
  config: {
    ...config,
    operationId: 'refund.list',
    isRead: true,
    permission: 'money',
    summary: 'List the refunds of an event, of a business unit or of all units, newest first',
    description: unknownScope,
  },
  schema: {
    body: z
      .object({
        ...listedScope,
        state: z.enum(refundStates).optional().meta({ description: 'Only refunds in this state' }),
        onlyOwed: z.boolean().default(false).meta({
          description: 'Only refunds that are owed: those with `isOwed`',
        }),
        createdFrom: timestamp()
          .optional()
          .meta({ description: 'Only refunds that were created at this instant or later' }),
        createdBefore: timestamp()
          .optional()
          .meta({ description: 'Only refunds that were created before this instant' }),
        ...pageFields,
      })
      .check(requireUnitOfEvent),
    response: { 200: listOf('refunds', ListedRefund) },
  },
});

export const withdrawFailedRefunds = operation({
  method: 'POST',
  url: '/operator/refund.withdraw',
  config: {
    ...config,
    operationId: 'refund.withdraw',
    permission: 'money',
    summary: 'Withdraw the refunds of an order that the provider refused',
    description:
      'For money that was returned in another way, or is no longer owed. No money moves. An order without failed refunds stays as it is.',
  },
  schema: {
    body: z.object({
      ...eventScope,
      orderId: reference('ord', 'The order'),
      reason: line({ min: 1, max: 200 }).meta({
        description: 'Why nothing is owed, for the audit log',
        example: 'Returned by bank transfer',
      }),
    }),
    response: {
      200: z.object({ withdrawn: z.array(id('rfd')).meta({ description: 'The refunds' }) }),
    },
  },
});

/** How long a refund is due before the platform sends it. */
export const defaultRefundAfterHours = 24;

const refundAfterHours = z
  .int()
  .min(0)
  .max(90 * 24)
  .nullable();

export const RefundDelay = z.object({ businessUnitId: id('unit'), refundAfterHours });

export type RefundDelay = z.infer<typeof RefundDelay>;

export const setRefundDelay = operation({
  method: 'POST',
  url: '/operator/refund.setDelay',
  config: {
    ...config,
    operationId: 'refund.setDelay',
    permission: 'money',
    summary: 'Set after how long a business unit returns money that pays for nothing',
    description:
      'Such as a payment that arrived late, twice or in another amount. And what an open dispute has held back, once that is won. Other refunds by a refund policy, and those that the provider has refused, wait for an operator. What is due already keeps its time.',
  },
  schema: {
    body: z.object({
      businessUnitId: eventScope.businessUnitId,
      refundAfterHours: refundAfterHours.meta({
        description: `Hours after which a refund that becomes due is sent; ${defaultRefundAfterHours} if it was never set, and 0 sends it at once. While it is null, none is sent: an operator sends each.`,
        example: 48,
      }),
    }),
    response: { 200: RefundDelay },
  },
});

export const getRefundDelay = operation({
  method: 'POST',
  url: '/operator/refund.getDelay',
  config: {
    ...config,
    operationId: 'refund.getDelay',
    isRead: true,
    permission: 'money',
    summary: 'Read after how long a business unit returns money that pays for nothing',
  },
  schema: {
    body: z.object({ businessUnitId: eventScope.businessUnitId }),
    response: { 200: RefundDelay },
  },
});

export const summarizeRefunds = operation({
  method: 'POST',
  url: '/operator/refund.summary',
  config: {
    ...config,
    operationId: 'refund.summary',
    isRead: true,
    permission: 'money',
    summary:
      'Sum what is owed to the buyers of an event, of a business unit or of all units, by currency',
    description: `A failed refund counts until an operator requests another one for its order. ${unknownScope}`,
  },
  schema: {
    body: z.object(listedScope).check(requireUnitOfEvent),
    response: { 200: z.object({ owed: z.array(OwedRefunds) }) },
  },
});

/** The order of an entry; null where the order is unknown. */
const orderRef = {
  businessUnitId: z.string().nullable(),
  eventId: z.string().nullable(),
  orderId: z.string().nullable(),
};

const perCurrency = z.record(z.string(), z.int());

export const reconcileCommerce = operation({
  method: 'POST',
  url: '/operator/commerce.reconcile',
  config: {
    ...config,
    operationId: 'commerce.reconcile',
    permission: ['money', 'platform'],
    summary: 'Retry every unfinished step and account for the money, of a business unit or of all',
    description: 'For an unknown business unit, all lists and sums are empty.',
  },
  schema: {
    body: z.object({
      businessUnitId: eventScope.businessUnitId.optional().meta({
        description: 'Only this business unit; all units if left out',
      }),
    }),
    response: {
      200: z.object({
        repeated: z.int().meta({
          description: 'Number of orders, payments and refunds for which a step was retried.',
        }),
        /** The steps that failed again, with the reason. */
        failed: z.array(
          z.object({ id: z.string(), step: z.string(), error: z.string(), ...orderRef }),
        ),
        /**
         * Payments that settle no order, with the reason. The order is that of the payment page, if
         * it belongs to this platform.
         */
        unmatched: z.array(
          z.object({
            id: z.string(),
            amount: z.int(),
            currency: z.string(),
            why: z.string(),
            provider: z.string(),
            providerPaymentId: z.string(),
            ...orderRef,
          }),
        ),
        received: perCurrency,
        kept: perCurrency,
        refundsDue: perCurrency,
        refunded: perCurrency,
        /** Currencies in which the amount received differs from what is kept, due and refunded. */
        unbalanced: z.array(z.string()),
        /** The first 100 orders that cause such a difference. */
        unbalancedOrders: z.array(
          z.object({
            ...orderRef,
            currency: z.string(),
            received: z.int(),
            kept: z.int(),
            refundsDue: z.int(),
            refunded: z.int(),
          }),
        ),
      }),
    },
  },
});
