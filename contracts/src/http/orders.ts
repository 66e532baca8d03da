import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import {
  email,
  emailFilter,
  id,
  itemType,
  ListQuery,
  listOf,
  name,
  normalEmail,
  nullIsAbsent,
  nullIsDefault,
  statusFilter,
  text,
  timestampOut,
  updatedSince,
} from './fields.ts';
import { formResponses } from './form-responses.ts';
import { registrationStatuses } from './registrations.ts';

export const orderStatuses = [
  'held',
  'awaiting_payment',
  'paid',
  'cancelled',
  'expired',
  'refund_due',
  'refunded',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** What each status means for a shop; the reference and docs/algorithms/checkout.md contain it. */
export const orderStatusMeanings: Record<
  OrderStatus,
  { meaning: string; buyerMessage: string; isFinal: string }
> = {
  held: {
    meaning: 'The seats are reserved until `holdExpiresAt`. Nothing is paid.',
    buyerMessage: 'Your seats are reserved. Continue to the payment.',
    isFinal: 'no',
  },
  awaiting_payment: {
    meaning: 'The payment page at `paymentUrl` is open, or its payment is being processed.',
    buyerMessage:
      'We are waiting for your payment. After a declined card, try another one on the same page.',
    isFinal: 'no',
  },
  paid: {
    meaning:
      'The order is fulfilled. `registrationIds` are its registrations; `unfulfilledAmount` of an item is above 0 if seats of it could not be created.',
    buyerMessage: 'Thank you. Here are your tickets.',
    isFinal: 'yes; a full refund leads to `refunded`',
  },
  cancelled: {
    meaning: 'The order was cancelled before it was paid. Its seats are released.',
    buyerMessage: 'Your order is cancelled. Nothing was charged.',
    isFinal: 'yes; a payment that arrives afterwards leads to `refund_due`',
  },
  expired: {
    meaning: 'The hold ended before the order was paid. Its seats are released.',
    buyerMessage: 'The time to pay is over. Please order again.',
    isFinal: 'yes; a payment that arrives afterwards leads to `paid` or `refund_due`',
  },
  refund_due: {
    meaning:
      'The payment arrived and the order cannot be fulfilled. An operator refunds `refundDueAmount`.',
    buyerMessage: 'We could not complete your order. You will get your money back.',
    isFinal: 'yes; the refund leads to `refunded`',
  },
  refunded: {
    meaning: 'Everything is refunded, and what the order created is cancelled.',
    buyerMessage: 'Your order is refunded.',
    isFinal: 'yes',
  },
};

/** The statuses of an attempt to pay an order. */
export const paymentAttemptStatuses = ['open', 'declined', 'expired', 'succeeded'] as const;
export type PaymentAttemptStatus = (typeof paymentAttemptStatuses)[number];

export const orderItemTypes = ['registration_type', 'addon', 'bundle'] as const;
export type OrderItemType = (typeof orderItemTypes)[number];

/** The input of an order. */
export const orderLimits = {
  lines: 20,
  quantity: 100,
  seats: 100,
} as const;

const money = (example: number, description = "In the currency's minor unit") =>
  z.int().meta({ description, example });

const OrderAttendee = z.object({
  email: z.string().meta({ example: 'ada@example.com' }),
  name: z.string().nullable().meta({ example: 'Ada Lovelace' }),
});

/** A line as it was sold. Later changes of the catalog do not change it. */
export const OrderLine = z
  .object({
    itemType: z.enum(orderItemTypes),
    itemId: id('tt'),
    name: z.string().meta({ example: 'Conference pass' }),
    quantity: z.int().meta({ example: 1 }),
    unitAmount: money(12900),
    discountAmount: money(1290, 'Off the whole line'),
    totalAmount: money(11610),
    unfulfilledAmount: money(
      0,
      'The part of `totalAmount` for seats that were not created, because their attendees had registered elsewhere ' +
        'before the order was paid, and for add-ons whose recipient is not registered any more. It is due for a refund',
    ),
    attendees: z.array(OrderAttendee).meta({
      description:
        'One per seat. On a line of an add-on: its recipients; empty if it is for the buyer.',
    }),
    registrationIds: z.array(z.string()).meta({
      description:
        'Once the order is fulfilled: one per seat, in the order of `attendees`. ' +
        'On a line without seats, the registrations that received its add-ons.',
    }),
  })
  .meta({ id: 'OrderLine' });

/** A payment page, or a card that was declined on it. */
export const PaymentAttempt = z
  .object({
    at: timestampOut().meta({
      description: 'When the page was opened, or the card was declined.',
      example: '2027-05-10T07:02:11.000Z',
    }),
    status: z.enum(paymentAttemptStatuses).meta({
      description:
        '`open`: the page can be paid. `succeeded`: it was paid. `expired`: it can no longer be paid. ' +
        '`declined`: a card was declined, and nothing was charged; or the provider did not open a page.',
      example: 'open',
    }),
  })
  .meta({ id: 'PaymentAttempt' });

const orderFields = {
  id: id('ord'),
  orderNumber: z.string().meta({ example: 'ORD-7K3M9QXA' }),
  eventId: id('evt'),
  email: z.string().meta({ example: 'ada@example.com' }),
  name: z.string().nullable().meta({ example: 'Ada Lovelace' }),
  status: z.enum(orderStatuses).meta({
    description:
      'Poll while it is `held` or `awaiting_payment`. The section Orders of the reference has a table of all statuses.',
    example: 'awaiting_payment',
  }),
  currency: z.string().meta({ example: 'EUR' }),
  totalAmount: money(11610),
  items: z.array(OrderLine),
  redemptionCode: z.string().nullable().meta({ example: null }),
  responses: z.record(z.string(), z.unknown()).nullable().meta({ example: null }),
  registrationIds: z.array(z.string()).meta({
    description:
      'Once the order is fulfilled: the registrations of its seats and those that received its add-ons, each once.',
  }),
  refundedAmount: money(0, "Paid back, in the currency's minor unit"),
  refundDueAmount: money(
    0,
    "Owed back and not yet paid back, in the currency's minor unit. Without money received in another currency",
  ),
  holdExpiresAt: timestampOut()
    .nullable()
    .meta({ description: 'When the hold of its seats ends; null once they are no longer held.' }),
  paymentUrl: z.string().nullable().meta({
    description: 'The hosted payment page, while the order awaits payment.',
    example: null,
  }),
  paymentAttempts: z.array(PaymentAttempt).meta({
    description:
      'Oldest first. A payment page is one entry, and each card that is declined on it is another one; a page that is ' +
      'paid after a declined card has both. At most 100 declined cards of a page are listed. Empty for a free order.',
  }),
  placedAt: timestampOut(),
  paidAt: timestampOut().nullable(),
  cancelledAt: timestampOut().nullable(),
};

export const Order = z.object(orderFields).meta({ id: 'Order' });

export const PlacedOrder = z
  .object({
    ...orderFields,
    alreadyRegistered: z.boolean().meta({
      description: 'Whether the buyer had an active registration when the order was placed.',
      example: false,
    }),
    registrationId: z.string().nullable().meta({
      description: 'That registration of the buyer; null unless `alreadyRegistered` is true.',
      example: null,
    }),
  })
  .meta({ id: 'PlacedOrder' });

/** No order was placed: the buyer has a registration in the event. */
export const BuyerRegistered = z
  .object({
    alreadyRegistered: z.literal(true),
    registrationId: id('reg'),
    registrationStatus: z.enum(registrationStatuses).meta({
      description:
        '`waitlisted` means that the buyer waits for a seat. Once it is offered (`offerExpiresAt` of the registration), ' +
        'the same order takes it.',
      example: 'confirmed',
    }),
  })
  .meta({ id: 'BuyerRegistered' });

const CreateOrderLine = z.object({
  itemType: itemType(orderItemTypes),
  itemId: text({ min: 1, max: 200 }).meta({ example: 'tt_01k8zq4m3ne7rbj5t2xw9vd6ah' }),
  quantity: nullIsDefault(z.int().min(1).max(orderLimits.quantity), 1),
  attendees: nullIsAbsent(
    z
      .array(
        z.object({
          email: email(),
          name: name()
            .nullable()
            .default(null)
            .meta({ description: 'Null is the same as leaving it out.', example: 'Ada Lovelace' }),
        }),
      )
      .max(orderLimits.seats),
  ).meta({
    description:
      'One attendee per seat of the line. An order of a single seat may omit them: the seat is for the buyer. ' +
      'On a line of an add-on: none, and the add-on is for the buyer; or one per unit, each an attendee of the same order ' +
      'or a person who is registered in the event. The perks of the add-on go to exactly these persons.',
  }),
});

export const CreateOrder = z
  .object({
    email: email(),
    name: name().nullable().default(null),
    items: z.array(CreateOrderLine).min(1).max(orderLimits.lines),
    redemptionCode: text({ min: 1, max: 200 }).nullable().default(null).meta({ example: null }),
    responses: formResponses().nullable().default(null),
  })
  .check((ctx) => {
    const seen = new Set<string>();
    for (const [line, { itemType: type, itemId, attendees = [] }] of ctx.value.items.entries()) {
      for (const [place, attendee] of attendees.entries()) {
        // An attendee has one seat, and each add-on once.
        const of = type === 'addon' ? itemId : '';
        const key = `${of} ${normalEmail(attendee.email)}`;
        if (!seen.has(key)) {
          seen.add(key);
          continue;
        }
        const path = ['items', line, 'attendees', place, 'email'];
        const message =
          type === 'addon'
            ? 'must not get the same add-on twice'
            : 'must not appear in the order twice';
        ctx.issues.push({ code: 'custom', message, path, input: attendee.email });
      }
    }
  })
  .meta({ id: 'CreateOrder' });

export type CreateOrder = z.output<typeof CreateOrder>;

/** Validated only if the order costs something; a free order accepts any URL. */
export const ConfirmOrder = z
  .object({
    successUrl: z.unknown().meta({
      type: 'string',
      description:
        'Where the payment page redirects after payment: https, or http on localhost. `{ORDER_NUMBER}` in the path, the ' +
        'query or the fragment, also percent-encoded as `%7BORDER_NUMBER%7D`, is replaced with the number of the order.',
      example: 'https://tickets.example.com/thanks?order={ORDER_NUMBER}',
    }),
    cancelUrl: z.unknown().meta({
      type: 'string',
      description: 'Where it redirects when the buyer cancels. `{ORDER_NUMBER}` is replaced, too.',
      example: 'https://tickets.example.com/basket?order={ORDER_NUMBER}',
    }),
  })
  .partial()
  .meta({ id: 'ConfirmOrder' });

const config = { tag: 'Orders', owner: 'commerce', audience: 'api' } as const;

const NumberPath = EventPath.extend({
  orderNumber: z
    .string()
    .meta({ description: "The order's number or id", example: 'ORD-7K3M9QXA' }),
});

export const listOrders = operation({
  method: 'GET',
  url: '/v1/events/:eventId/orders',
  config: {
    ...config,
    operationId: 'listOrders',
    summary: 'List orders',
    description:
      'Newest first, or with `updatedSince` oldest change first, with their line items. `email` is the email of the ' +
      'buyer. An order also changes when it is paid or refunded, and when the platform closes it after its hold ends.',
  },
  schema: {
    params: EventPath,
    querystring: ListQuery.extend({
      status: statusFilter(orderStatuses),
      email: emailFilter(),
      updatedSince: updatedSince(),
    }),
    response: { 200: listOf('orders', Order) },
  },
});

export const placeOrder = operation({
  method: 'POST',
  url: '/v1/events/:eventId/orders',
  config: {
    ...config,
    operationId: 'placeOrder',
    summary: 'Place an order',
    description:
      'Holds the seats for 15 minutes. Prices are those at this time and do not change afterwards. ' +
      '`alreadyRegistered` is true when the buyer has an active registration of the event. ' +
      "When such an order contains a ticket for the buyer's own email, nothing is placed and the response is 200. " +
      'A waitlisted buyer or attendee with an offer of the ticket type gets the offered seat: once the order is paid, ' +
      'the same registration is confirmed. ' +
      'A 412 names the line in `details[0].field`, such as `items[1]`.',
    preconditions: [
      'EVENT_ARCHIVED',
      'NOT_ON_SALE',
      'APPROVAL_NEEDS_FREE_ORDER',
      'CODE_INVALID',
      'CODE_USES_EXCEEDED',
      'TOO_MANY_HOLDS',
      'TOO_MANY_SEATS',
      'SOLD_OUT',
      'ATTENDEE_REGISTERED',
      'NOT_REGISTERED',
    ],
  },
  schema: {
    params: EventPath,
    body: CreateOrder,
    response: { 200: BuyerRegistered, 201: PlacedOrder },
  },
});

export const getOrder = operation({
  method: 'GET',
  url: '/v1/events/:eventId/orders/:orderId',
  config: {
    ...config,
    operationId: 'getOrder',
    summary: 'Read one order',
    description:
      'By its id or its number. Poll it while its `status` is `held` or `awaiting_payment`, and stop at every other one. ' +
      '`paymentAttempts` shows a declined card.',
  },
  schema: {
    params: EventPath.extend({ orderId: id('ord') }),
    response: { 200: Order },
  },
});

export const confirmOrder = operation({
  method: 'POST',
  url: '/v1/events/:eventId/orders/:orderNumber/confirm',
  config: {
    ...config,
    operationId: 'confirmOrder',
    summary: 'Confirm an order',
    description:
      'A free order is fulfilled and becomes `paid`. Any other order gets a `paymentUrl` and becomes `awaiting_payment`; ' +
      'the body must have `successUrl` and `cancelUrl`. A retry returns the same order with the same page. ' +
      '`ATTENDEE_REGISTERED`: an attendee of an order that is not free has registered since; `details[0].field` names the ' +
      'attendee in `items`, and the order stays `held`.',
    preconditions: ['ORDER_CLOSED', 'ATTENDEE_REGISTERED', 'PAYMENT_UNAVAILABLE'],
  },
  schema: {
    params: NumberPath,
    body: ConfirmOrder.optional(),
    response: { 200: Order },
  },
});

export const cancelOrder = operation({
  method: 'POST',
  url: '/v1/events/:eventId/orders/:orderNumber/cancel',
  config: {
    ...config,
    operationId: 'cancelOrder',
    summary: 'Cancel an order',
    description:
      'Ends its payment page and releases its seats now. If the page is paid, the response is 412 `ALREADY_PAID` and the order becomes `paid`. A closed order stays as it is.',
    preconditions: ['ALREADY_PAID'],
  },
  schema: { params: NumberPath, response: { 200: Order } },
});
