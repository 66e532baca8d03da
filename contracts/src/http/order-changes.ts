import { z } from 'zod';
import { operation } from '../operation.ts';
import { OrderNumberPath } from './checkout.ts';
import { nullIsAbsent, nullIsDefault, requireField, text, timestampOut } from './fields.ts';
import { Order, seatRefundReasons } from './orders.ts';
import { repeatsOf } from './repeats-of.ts';

/** The input of a change of an order. `quoteMinutes`: how long a quote can be executed. */
export const orderChangeLimits = { seats: 100, addons: 100, quoteMinutes: 10 } as const;

const reference = () => text({ min: 1, max: 200 });

const CancelledAddon = z.object({
  itemIndex: z.int().min(0).meta({
    description: 'The index of an item of an add-on in `items` of the order.',
    example: 1,
  }),
  quantity: nullIsDefault(z.int().min(1).max(10_000), 1).meta({
    description: 'How many units of it. 1 for a named recipient.',
    default: 1,
  }),
  registrationId: nullIsAbsent(reference()).meta({
    description: 'The recipient, if the item names its recipients; one of its `registrationIds`.',
  }),
});

export type CancelledAddon = z.output<typeof CancelledAddon>;

const ChangedType = z.object({
  seatId: reference().meta({
    description: 'The id of one of the `seats` of the order.',
    example: 'seat_01k8zq4m3ne7rbj5t2xw9vd6ah_1',
  }),
  ticketTypeId: reference().meta({ description: 'Another ticket type of the event.' }),
});

export type ChangedType = z.output<typeof ChangedType>;

/** A change of an order to be quoted, or a quote to be executed. */
export const ChangeOrder = z
  .object({
    dryRun: nullIsDefault(z.boolean(), false).meta({
      description: 'Quotes the changes and changes nothing. The other fields say what to change.',
      default: false,
      example: true,
    }),
    quoteId: nullIsAbsent(reference()).meta({
      description: 'Executes this quote of the order. The quote has the changes.',
    }),
    cancelSeats: nullIsDefault(z.array(reference()).max(orderChangeLimits.seats), []).meta({
      description: 'Ids of `seats` of the order to cancel, with the add-ons of their attendees.',
      example: ['seat_01k8zq4m3ne7rbj5t2xw9vd6ah_2'],
    }),
    cancelAddons: nullIsDefault(z.array(CancelledAddon).max(orderChangeLimits.addons), []).meta({
      description: 'Units of add-ons of the order to cancel.',
      example: [],
    }),
    changeTypes: nullIsDefault(z.array(ChangedType).max(orderChangeLimits.seats), []).meta({
      description:
        'Seats that get another ticket type. The new one costs its present price, without a redemption code. A dearer one is paid ' +
        'by others that cost less, and what is left is to be paid on a payment page; then the quote cancels nothing.',
      example: [],
    }),
    successUrl: z.unknown().optional().meta({
      type: 'string',
      description:
        'Where the payment page redirects after payment, as in the confirmation of an order. Required with the quoteId of a quote with an `amountToPay`.',
    }),
    cancelUrl: z.unknown().optional().meta({
      type: 'string',
      description: 'Where it redirects when the buyer cancels. Required as `successUrl`.',
    }),
  })
  .check((ctx) => {
    const missing = missingFrom(ctx.value);
    if (missing) requireField(ctx, missing.field, missing.message);
    for (const issue of missing ? [] : issuesOf(ctx.value)) {
      ctx.issues.push({ code: 'custom', input: ctx.value, ...issue });
    }
  })
  .meta({ id: 'ChangeOrder' });

interface Input {
  dryRun: boolean;
  quoteId?: string | undefined;
  cancelSeats: readonly string[];
  cancelAddons: readonly CancelledAddon[];
  changeTypes: readonly ChangedType[];
}

/** Either changes with `dryRun`, or a quote. */
function missingFrom({ dryRun, quoteId, cancelSeats, cancelAddons, changeTypes }: Input) {
  if (quoteId !== undefined) return null;
  if (!dryRun) {
    return { field: 'quoteId', message: 'is required: send the changes with dryRun first' };
  }
  if (cancelSeats.length + cancelAddons.length + changeTypes.length > 0) return null;
  const message = 'must name a seat, or cancelAddons an add-on, or changeTypes a seat';
  return { field: 'cancelSeats', message };
}

function issuesOf({
  dryRun,
  quoteId,
  cancelSeats,
  cancelAddons,
  changeTypes,
}: Input): { path: (string | number)[]; message: string }[] {
  if (quoteId !== undefined) {
    const named = {
      dryRun,
      cancelSeats: cancelSeats.length > 0,
      cancelAddons: cancelAddons.length > 0,
      changeTypes: changeTypes.length > 0,
    };
    return Object.entries(named).flatMap(([field, isSent]) =>
      isSent ? [{ path: [field], message: 'must be left out with quoteId' }] : [],
    );
  }
  const changed = changeTypes.map(({ seatId }) => seatId);
  const addons = cancelAddons.map((addon) => [addon.itemIndex, addon.registrationId].join());
  return [
    ...repeatsOf(cancelSeats).map((index) => ['cancelSeats', index]),
    ...repeatsOf(addons).map((index) => ['cancelAddons', index]),
    ...repeatsOf([...cancelSeats, ...changed])
      .filter((index) => index >= cancelSeats.length)
      .map((index) => ['changeTypes', index - cancelSeats.length, 'seatId']),
  ].map((path) => ({ path, message: 'must not appear twice' }));
}

const money = (example: number, description: string) =>
  z.int().meta({ description: `${description}, in the currency's minor unit`, example });

/** Why a line of a quote gets its refund. */
export const quoteLineReasons = [...seatRefundReasons, 'no_bands'] as const;

const totals = {
  refund: money(8788, 'What is paid back'),
  fee: money(500, 'The fixed fee that the refund policy keeps; `refund` is without it'),
  amountToPay: money(0, 'What is to be paid in addition'),
};

/** One change of a quote. */
export const OrderQuoteLine = z
  .object({
    seatId: z.string().nullable().meta({
      description: 'The seat of the order; null for units of an add-on.',
      example: 'seat_01k8zq4m3ne7rbj5t2xw9vd6ah_2',
    }),
    itemIndex: z.int().meta({ description: 'The index of its item in `items`.', example: 0 }),
    quantity: z.int().meta({ description: 'The units of the add-on; 1 for a seat.', example: 1 }),
    ticketTypeId: z.string().nullable().meta({
      description: 'The new ticket type of the seat; null for what is cancelled.',
      example: null,
    }),
    price: z.int().nullable().meta({
      description:
        "What the new ticket type costs, in the currency's minor unit; null for what is cancelled.",
      example: null,
    }),
    paid: money(
      11610,
      'What the seat and the add-ons of its attendee cost, or the units; of a seat with a new ticket type what the seat cost',
    ),
    ...totals,
    band: z.int().nullable().meta({
      description: 'The index of the band of `refundPolicy` that applies; null if none does.',
      example: 0,
    }),
    isLimited: z.boolean().meta({
      description:
        'Whether `refund` is less than the band pays back, because earlier refunds have left less of the payment. Then no more ' +
        'than what is left is kept as `fee`.',
      example: false,
    }),
    reason: z.enum(quoteLineReasons).meta({
      description:
        '`band`: a band applies. `too_late`: none applies any more. `no_bands`: the policy of the order has none, and an ' +
        'operator decides about its money. `settled`: the money of the seat was paid back, or is due, already.',
      example: 'band',
    }),
  })
  .meta({ id: 'OrderQuoteLine' });

/** What a change of an order pays back and costs. */
export const OrderQuote = z
  .object({
    id: z.string().meta({ example: 'quo_01k8zq4m3ne7rbj5t2xw9vd6ah' }),
    expiresAt: timestampOut().meta({
      description: `Until when it can be executed: ${orderChangeLimits.quoteMinutes} minutes after it was made.`,
    }),
    currency: z.string().meta({ example: 'EUR' }),
    lines: z.array(OrderQuoteLine).meta({ description: 'One for each change.' }),
    ...totals,
  })
  .meta({ id: 'OrderQuote' });

export type OrderQuote = z.infer<typeof OrderQuote>;
export type OrderQuoteLine = z.infer<typeof OrderQuoteLine>;

export const orderChangeStatuses = ['quoted', 'awaiting_payment', 'done'] as const;

export const OrderChange = z
  .object({
    status: z.enum(orderChangeStatuses).meta({
      description:
        '`quoted`: nothing has changed yet. `awaiting_payment`: the new seats are held, and what was quoted happens when the page is paid. `done`: what was quoted has happened.',
      example: 'quoted',
    }),
    paymentUrl: z.string().nullable().meta({
      description: 'The payment page of `amountToPay`, until `quote.expiresAt`; null without one.',
      example: null,
    }),
    quote: OrderQuote,
    order: Order,
  })
  .meta({ id: 'OrderChange' });

export const changeOrder = operation({
  method: 'POST',
  url: '/v1/events/:eventId/orders/:orderNumber/changes',
  config: {
    tag: 'Orders',
    owner: 'commerce',
    audience: 'api',
    operationId: 'changeOrder',
    permission: 'orders.cancel',
    summary: 'Change a paid order by a quote',
    description:
      'With `dryRun: true` it quotes the changes: what the refund policy of the order pays back and keeps for seats and units of add-ons. With `quoteId` it ' +
      'executes the quote: exactly what was quoted happens, once, or the response is 412, such as `QUOTE_EXPIRED`, and nothing ' +
      'changes. A cancelled seat goes to the waitlist or back on sale at once, and so does the former seat of one that gets ' +
      'another ticket type: it keeps its registration, badge, add-ons and use of a code, and the band pays back its percentage of the difference, ' +
      'without a fee, as far as no dearer type of the same quote takes it. Whether the new type is on sale and has a seat, and the order keeps its limits per order, is decided when the quote is executed. The refund is sent ' +
      'at once if the policy is `automatic`; otherwise it is due, and an operator pays it. A quote that is executed again ' +
      'changes nothing more.',
    preconditions: [
      'ORDER_NOT_PAID',
      'ORDER_BUSY',
      'SEAT_CANCELLED',
      'EVENT_CANCELLED',
      'EVENT_ENDED',
      'EVENT_ARCHIVED',
      'QUOTE_EXPIRED',
      'PRICE_HIGHER',
      'NOT_ON_SALE',
      'SOLD_OUT',
      'BELOW_ORDER_MINIMUM',
      'ABOVE_ORDER_MAXIMUM',
    ],
  },
  schema: {
    params: OrderNumberPath,
    body: ChangeOrder,
    response: { 200: OrderChange },
  },
});
