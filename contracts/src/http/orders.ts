import { z } from 'zod';
import { operation } from '../operation.ts';
import { Billing } from './billing.ts';
import { EventPath } from './events.ts';
import {
  emailFilter,
  id,
  instantFilter,
  ListQuery,
  listOf,
  statusFilter,
  timestampOut,
  updatedSince,
} from './fields.ts';
import { RefundPolicy } from './refund-policies.ts';
import { registrationStatuses } from './registrations.ts';
import { LineTax } from './tax-rates.ts';

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
    isFinal:
      'yes; a full refund leads to `refunded`, the cancellation of a free order to `cancelled`',
  },
  cancelled: {
    meaning:
      'The order was cancelled before it was paid, or it is free and was cancelled later, or an attendee registered elsewhere while its page was open, or the registration that was offered a seat of it was cancelled. Its seats are released.',
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
      'Money arrived, and the order cannot be fulfilled or was not paid in full. An operator refunds `refundsDue`.',
    buyerMessage: 'We could not complete your order. You will get your money back.',
    isFinal:
      'yes; the refund leads to `refunded`. If all attendees had registered, the refund of their other order leads to `paid`',
  },
  refunded: {
    meaning:
      'Everything is refunded, and what the order created is cancelled, unless the refund kept it.',
    buyerMessage: 'Your order is refunded.',
    isFinal: 'yes',
  },
};

/** The statuses of an attempt to pay an order. */
export const paymentAttemptStatuses = [
  'open',
  'declined',
  'expired',
  'succeeded',
  'mismatch',
] as const;
export type PaymentAttemptStatus = (typeof paymentAttemptStatuses)[number];

export const orderItemTypes = ['registration_type', 'addon', 'bundle'] as const;
export type OrderItemType = (typeof orderItemTypes)[number];

const money = (example: number, description = "In the currency's minor unit") =>
  z.int().meta({ description, example });

/** Of what is charged: `grossAmount` is `totalAmount`, and the sum of the others. */
const taxedAmounts = {
  netAmount: money(9756, '`totalAmount` without tax'),
  taxAmount: money(1854, 'The tax in `totalAmount`'),
  grossAmount: money(11610, '`totalAmount`: the sum of `netAmount` and `taxAmount`'),
};

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
    totalAmount: money(11610, 'What is charged for the line, with tax'),
    ...taxedAmounts,
    taxes: z.array(LineTax).meta({
      description:
        'The rates that were applied, which later changes of the catalog do not change. More than one on a line of a ' +
        'bundle whose items have several. Empty without tax.',
    }),
    unfulfilledAmount: money(
      0,
      'The part of `totalAmount` for seats that were not created, because their attendees had registered elsewhere ' +
        'before the order was paid, and for add-ons whose recipient is not registered any more. It is due for a refund',
    ),
    cancelledQuantity: z.int().meta({
      description: 'Units of an add-on that changes of the order have cancelled.',
      example: 0,
    }),
    attendees: z.array(OrderAttendee).meta({
      description:
        'One per seat that was ordered for a person. On a line of an add-on: its recipients; empty if it is for the buyer.',
    }),
    registrationIds: z.array(z.string()).meta({
      description:
        'Once the order is fulfilled: one per seat that is not open, in the order of `attendees`. ' +
        'On a line without seats, the registrations that received its add-ons.',
    }),
  })
  .meta({ id: 'OrderLine' });

const OrderRegistration = z.object({
  id: id('reg'),
  status: z.enum(registrationStatuses).nullable().meta({
    description: 'Null while it is not known, for a moment after a release or a restore.',
    example: 'confirmed',
  }),
});

/** Why a cancelled seat gets what it gets. */
export const seatRefundReasons = ['band', 'too_late', 'settled'] as const;

/** A cancelled seat, and what the refund policy of the order pays back for it. */
export const CancelledSeat = z
  .object({
    registrationId: z.string().meta({
      description:
        'The registration that had the seat. Of a seat that was open, its own id, as in `seats`.',
      example: 'reg_01k8zq4m3ne7rbj5t2xw9vd6ah',
    }),
    cancelledAt: timestampOut(),
    paidAmount: money(11610, 'What the seat and the add-ons of its attendee cost'),
    refundAmount: money(
      8788,
      'What the policy pays back: `paidAmount` = `refundAmount` + `keptAmount`, unless it is `settled`',
    ),
    keptAmount: money(
      2822,
      'What is kept, with the fixed fee; of a `settled` seat what no other refund pays back',
    ),
    feeAmount: money(500, 'The part of `keptAmount` that is the fixed fee'),
    band: z.int().nullable().meta({
      description: 'The index of the band of `refundPolicy` that applies; null if none does.',
      example: 0,
    }),
    reason: z.enum(seatRefundReasons).meta({
      description:
        '`band`: a band applies. `too_late`: none applies any more. `settled`: the money of the seat was paid back, or is ' +
        'due, for another reason, or an operator has refunded it.',
      example: 'band',
    }),
  })
  .meta({ id: 'CancelledSeat' });

/** Why cancelled units of an add-on get what they get. */
export const addonRefundReasons = [...seatRefundReasons, 'no_bands'] as const;

/** Units of an add-on that a change of the order has cancelled, and what was paid back for them. */
export const CancelledAddonUnits = z
  .object({
    itemIndex: z.int().meta({ description: 'The index of its item in `items`.', example: 1 }),
    registrationId: z.string().nullable().meta({
      description: 'The named recipient; null for units of the buyer.',
      example: null,
    }),
    quantity: z.int().meta({ example: 1 }),
    cancelledAt: timestampOut(),
    paidAmount: money(3000, 'What the units cost: `paidAmount` = `refundAmount` + `keptAmount`'),
    refundAmount: money(2400, 'What the policy pays back, without a fee'),
    keptAmount: money(600, 'What is kept'),
    band: z.int().nullable().meta({
      description: 'The index of the band of `refundPolicy` that applies; null if none does.',
      example: 0,
    }),
    reason: z.enum(addonRefundReasons).meta({
      description: 'As in the quote that was executed.',
      example: 'band',
    }),
  })
  .meta({ id: 'CancelledAddonUnits' });

/**
 * `open`: it has no attendee yet. `cancelled`: a change has cancelled it, its order or its
 * registration has ended, or it could not be created.
 */
export const seatStatuses = ['open', 'assigned', 'cancelled'] as const;
export type SeatStatus = (typeof seatStatuses)[number];

/** A seat of an order, with what it cost. */
export const OrderSeat = z
  .object({
    id: z.string().meta({ example: 'seat_01k8zq4m3ne7rbj5t2xw9vd6ah_1' }),
    itemIndex: z.int().meta({ description: 'The index of its item in `items`.', example: 0 }),
    ticketTypeId: id('tt'),
    status: z.enum(seatStatuses).meta({
      description:
        '`open`: it has no attendee yet (`assignLater`). Once the order is paid, `assignSeat` gives it to one. ' +
        '`assigned`: it belongs to an attendee. `cancelled`: a change of the order cancelled it, its order ' +
        'ended, its registration was cancelled or rejected, or the attendee had registered elsewhere before the order was paid.',
      example: 'assigned',
    }),
    registrationId: z
      .string()
      .nullable()
      .meta({
        description:
          'The registration of its attendee, once the order is fulfilled; of an attendee who had registered before, that one. ' +
          'Null for an open seat.',
        example: 'reg_01k8zq4m3ne7rbj5t2xw9vd6ah',
      }),
    amount: money(
      11610,
      'What it cost, after every discount. What a bundle costs on top of its seats belongs to its add-ons',
    ),
  })
  .meta({ id: 'OrderSeat' });

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
        '`mismatch`: another amount or currency arrived than the page asked for; it is due for a refund. ' +
        '`declined`: a card was declined, and nothing was charged; or the provider did not open a page.',
      example: 'open',
    }),
  })
  .meta({ id: 'PaymentAttempt' });

/**
 * What a dispute is waiting for. During an `inquiry` the bank only asks. `needs_response`, then
 * `under_review`: the money is taken, and the bank decides.
 */
export const disputeStatuses = [
  'inquiry',
  'needs_response',
  'under_review',
  'won',
  'lost',
] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/** A payment that the buyer's bank takes back, or asks about. */
export const OrderDispute = z
  .object({
    id: z.string().meta({
      description: "The provider's id of the dispute.",
      example: 'dp_1PqX2eLkdIwHu7ixfGyBhKcW',
    }),
    amount: money(11610),
    currency: z.string().meta({ example: 'EUR' }),
    status: z.enum(disputeStatuses).meta({
      description:
        '`inquiry`: the bank asks, and no money is taken. `needs_response`: the money is taken, and an answer is expected ' +
        'at the provider until `respondBy`. `under_review`: the bank decides. `won`: the money is back, or an inquiry has ended. `lost`: the money is gone.',
      example: 'needs_response',
    }),
    reason: z.string().nullable().meta({
      description: 'Why, as the provider says it.',
      example: 'fraudulent',
    }),
    respondBy: timestampOut().nullable().meta({
      description: 'Until when it can be answered at the provider; null if no answer is expected.',
    }),
    createdAt: timestampOut(),
  })
  .meta({ id: 'OrderDispute' });

export const Order = z
  .object({
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
    totalAmount: money(11610, 'What is charged, with tax'),
    ...taxedAmounts,
    items: z.array(OrderLine),
    billing: Billing.nullable().meta({
      description: 'Whom it is billed to; null if it was not sent.',
    }),
    redemptionCode: z.string().nullable().meta({ example: null }),
    responses: z.record(z.string(), z.unknown()).nullable().meta({ example: null }),
    registrationIds: z.array(z.string()).meta({
      description:
        'Once the order is fulfilled: the registrations of its seats and those that received its add-ons, each once.',
    }),
    registrations: z.array(OrderRegistration).meta({
      description:
        'The same registrations with their present status. A door accepts only confirmed ones. A change of a status is a ' +
        'change of the registration and not of the order.',
    }),
    seats: z.array(OrderSeat).meta({
      description:
        'Every seat with its price, in the order of `items` and their attendees. Like `registrations` it shows the present ' +
        'status, whose change is no change of the order. Empty for an order of add-ons.',
    }),
    changesAmount: money(
      0,
      "Paid for changes of the order in addition to `totalAmount`, in the currency's minor unit",
    ),
    refundedAmount: money(0, "Paid back, in the currency's minor unit"),
    refundDueAmount: money(
      0,
      "Owed back and not yet paid back, in the currency's minor unit. Without money received in another currency",
    ),
    refundsDue: z.array(z.object({ currency: z.string(), amount: z.int() })).meta({
      description:
        'Owed back and not yet paid back, one entry for each currency in which money arrived.',
      example: [],
    }),
    disputedAmount: money(
      0,
      'What disputes have taken of its payments and not returned: the amounts of `disputes` that are `needs_response`, ' +
        '`under_review` or `lost`, in the currency of the order',
    ),
    disputes: z.array(OrderDispute).meta({
      description:
        'The disputes of its payments, oldest first. The status of the order and its registrations stay as they are.',
      example: [],
    }),
    refundPolicy: RefundPolicy.nullable().meta({
      description:
        'The refund policy of the event when the order was placed; later changes do not change it. Null if the event had ' +
        'none.',
    }),
    cancelledSeats: z.array(CancelledSeat).meta({
      description:
        'The paid seats that were cancelled, with what the bands of `refundPolicy` pay back, oldest first. A seat appears ' +
        'a moment after its cancellation.',
      example: [],
    }),
    cancelledAddons: z.array(CancelledAddonUnits).meta({
      description:
        'Units of add-ons that changes of the order have cancelled, oldest first. Those that end with their seat are in ' +
        '`cancelledSeats`.',
      example: [],
    }),
    holdExpiresAt: timestampOut()
      .nullable()
      .meta({ description: 'When the hold of its seats ends; null once they are no longer held.' }),
    paymentUrl: z
      .string()
      .nullable()
      .meta({
        description:
          'The hosted payment page, while the order awaits payment and the page can be paid. Null while a payment is ' +
          'processed, and after a payment of another amount: then confirm the order again for a new page.',
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
  })
  .meta({ id: 'Order' });

const config = { tag: 'Orders', owner: 'commerce', audience: 'api' } as const;

export const listOrders = operation({
  method: 'GET',
  url: '/v1/events/:eventId/orders',
  config: {
    ...config,
    operationId: 'listOrders',
    permission: 'orders.list',
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
      refundDue: z.enum(['true']).optional().meta({
        description: 'Only orders with money that is due for a refund, whatever their status.',
      }),
      disputed: z.enum(['true']).optional().meta({
        description: 'Only orders with a dispute that is not `won`, whatever their status.',
      }),
      placedFrom: instantFilter('Only orders that were placed at this instant or later.'),
      placedBefore: instantFilter('Only orders that were placed before this instant.'),
      updatedSince: updatedSince(),
    }),
    response: { 200: listOf('orders', Order) },
  },
});

export const getOrder = operation({
  method: 'GET',
  url: '/v1/events/:eventId/orders/:orderId',
  config: {
    ...config,
    operationId: 'getOrder',
    permission: 'orders.get',
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
