import { z } from 'zod';
import { id, limits, text, timestampOut } from '../http/fields.ts';
import { Order } from '../http/orders.ts';
import { operation } from '../operation.ts';
import { eventScope } from './perks.ts';

export const refundStates = ['due', 'pending', 'done', 'failed'] as const;
export type RefundState = (typeof refundStates)[number];

/** Money that goes back, or has to. */
export const Refund = z.object({
  id: id('rfd'),
  eventId: id('evt'),
  orderId: id('ord'),
  amount: z.int(),
  currency: z.string(),
  state: z.enum(refundStates).meta({
    description: '`due` waits for an operator, `pending` for the provider.',
  }),
  /** Why it is owed, in a word; `operator` for one that an operator decided. */
  cause: z.string(),
  reason: z.string().nullable(),
  failure: z.string().nullable(),
  createdAt: timestampOut(),
  doneAt: timestampOut().nullable(),
});

export type Refund = z.infer<typeof Refund>;

const config = { tag: 'Orders', owner: 'commerce', audience: 'operator' } as const;

export const refundOrder = operation({
  method: 'POST',
  url: '/operator/order.refund',
  config: {
    ...config,
    operationId: 'order.refund',
    summary: 'Refund an order, in full or in part; pays what is due, too',
    preconditions: ['NOTHING_TO_REFUND'],
  },
  schema: {
    body: z
      .object({
        ...eventScope,
        orderId: text({ min: 1, max: 200 }),
        onlyDue: z.boolean().default(false).meta({
          description: 'Pay what is due and nothing else: what the order has made stays.',
        }),
        amount: z
          .int()
          .min(1)
          .max(limits.amount * 100_000)
          .optional()
          .meta({
            description:
              'What goes back on top of what is due. Without it all the rest does, and what the order has made is revoked.',
          }),
        reason: text({ min: 0, max: 200 }).nullable().default(null),
      })
      .check((ctx) => {
        const { onlyDue, amount } = ctx.value;
        if (!onlyDue || amount === undefined) return;
        const message = 'is not for a refund of only what is due';
        ctx.issues.push({ code: 'custom', message, path: ['amount'], input: amount });
      }),
    response: {
      200: z.object({
        order: Order,
        refunds: z.array(Refund),
        /** What the organiser has promised, for the operator to read. */
        policy: z.object({ text: z.string(), refundableUntil: z.string().nullable() }).nullable(),
      }),
    },
  },
});

export const listRefunds = operation({
  method: 'POST',
  url: '/operator/refund.list',
  config: { ...config, operationId: 'refund.list', summary: 'List refunds, newest first' },
  schema: {
    body: z.object({ ...eventScope, state: z.enum(refundStates).optional() }),
    response: { 200: z.object({ refunds: z.array(Refund) }) },
  },
});

const perCurrency = z.record(z.string(), z.int());

export const reconcileCommerce = operation({
  method: 'POST',
  url: '/operator/commerce.reconcile',
  config: {
    ...config,
    operationId: 'commerce.reconcile',
    summary: 'Repeat every step that was left half-way, and report what is open',
  },
  schema: {
    body: z.object({}),
    response: {
      200: z.object({
        /** Orders, payments and refunds that a step was repeated for. */
        repeated: z.int(),
        /** What could not be finished, with why. */
        failed: z.array(z.object({ id: z.string(), step: z.string(), error: z.string() })),
        /** Money that nobody's order is known for. */
        unmatched: z.array(
          z.object({ id: z.string(), amount: z.int(), currency: z.string(), why: z.string() }),
        ),
        received: perCurrency,
        kept: perCurrency,
        refundsDue: perCurrency,
        refunded: perCurrency,
        /** Currencies in which the money received is not what was kept, is due and was given back. */
        unbalanced: z.array(z.string()),
      }),
    },
  },
});
