import { z } from 'zod';
import { normalEmail } from '../email.ts';
import { operation } from '../operation.ts';
import { BillingInput } from './billing.ts';
import { EventPath } from './events.ts';
import { email, id, itemType, name, nullIsAbsent, nullIsDefault, text } from './fields.ts';
import { formResponses } from './form-responses.ts';
import { Order, orderItemTypes } from './orders.ts';
import { registrationStatuses } from './registrations.ts';

/** The input of an order. */
export const orderLimits = {
  lines: 20,
  quantity: 100,
  seats: 100,
} as const;

export const PlacedOrder = z
  .object({
    ...Order.shape,
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
    openOrderId: id('ord')
      .nullable()
      .meta({
        description:
          'The open order that has taken the seat which the waitlisted buyer was offered, placed for example in another ' +
          'tab. Confirm or cancel that order. Null in all other cases.',
        example: null,
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
      'One attendee per seat of the line, or with `assignLater` of its first seats. An order of a single seat may omit them: the seat is for the buyer. ' +
      'On a line of a bundle: first all seats of the first bundle, in the order of its `items` and each as often as its ' +
      '`quantity`, then those of the next bundle; its add-ons are for the buyer, or for the first attendee of the order if the buyer is not registered. ' +
      'On a line of an add-on: none, and the add-on is for the buyer; or one per unit, each an attendee of the same order ' +
      'or a person who is registered in the event. The perks of the add-on go to exactly these persons.',
  }),
});

export const CreateOrder = z
  .object({
    email: email(),
    name: name().nullable().default(null),
    items: z.array(CreateOrderLine).min(1).max(orderLimits.lines),
    assignLater: nullIsDefault(z.boolean(), false).meta({
      description:
        'Whether seats without an attendee are accepted. They are `open` in `seats` of the order: sold like any other seat, ' +
        'and assigned later by `assignSeat`, until the event ends. The buyer gets none by itself. A ticket type that requires ' +
        'approval has open seats only in an order without cost; the assignment then applies for it.',
      example: false,
    }),
    billing: BillingInput.nullable()
      .default(null)
      .meta({
        description:
          'Whom the order is billed to. For an `online` event, a company with a VAT id of another country of the European ' +
          'Union than that of the event gets reverse charge: no tax is charged.',
        example: null,
      }),
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

/** The path of an order, which a person may know by its number. */
export const OrderNumberPath = EventPath.extend({
  orderNumber: z
    .string()
    .meta({ description: "The order's number or id", example: 'ORD-7K3M9QXA' }),
});

export const placeOrder = operation({
  method: 'POST',
  url: '/v1/events/:eventId/orders',
  config: {
    ...config,
    operationId: 'placeOrder',
    recordId: 'Order',
    newRecord: {
      status: 'held',
      registrationIds: [],
      registrations: [],
      refundedAmount: 0,
      refundDueAmount: 0,
      paymentUrl: null,
      paymentAttempts: [],
      paidAt: null,
      cancelledAt: null,
    },
    permission: 'orders.place',
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
      'APPROVAL_REQUIRED',
      'APPROVAL_NEEDS_FREE_ORDER',
      'CODE_INVALID',
      'CODE_USES_EXCEEDED',
      'TOO_MANY_HOLDS',
      'TOO_MANY_SEATS',
      'BELOW_ORDER_MINIMUM',
      'ABOVE_ORDER_MAXIMUM',
      'SOLD_OUT',
      'ATTENDEE_REGISTERED',
      'NOT_REGISTERED',
      'PAYMENT_ACCOUNT_MISSING',
    ],
  },
  schema: {
    params: EventPath,
    body: CreateOrder,
    response: { 200: BuyerRegistered, 201: PlacedOrder },
  },
});

export const confirmOrder = operation({
  method: 'POST',
  url: '/v1/events/:eventId/orders/:orderNumber/confirm',
  config: {
    ...config,
    operationId: 'confirmOrder',
    sets: ['status', 'paymentUrl', 'paymentAttempts'],
    permission: 'orders.place',
    summary: 'Confirm an order',
    description:
      'A free order is fulfilled and becomes `paid`. Any other order gets a `paymentUrl` and becomes `awaiting_payment`; ' +
      'the body must have `successUrl` and `cancelUrl`. A retry returns the same order with the same page. ' +
      '`ATTENDEE_REGISTERED`: an attendee of an order that is not free has registered since; `details[0].field` names the ' +
      'attendee in `items`, and the order stays `held`.',
    preconditions: [
      'ORDER_CLOSED',
      'ATTENDEE_REGISTERED',
      'NOT_REGISTERED',
      'EVENT_CANCELLED',
      'PAYMENT_UNAVAILABLE',
      'PAYMENT_ACCOUNT_MISSING',
    ],
  },
  schema: {
    params: OrderNumberPath,
    body: ConfirmOrder.optional(),
    response: { 200: Order },
  },
});

export const AssignSeat = z
  .object({
    email: email(),
    name: name()
      .nullable()
      .default(null)
      .meta({ description: 'Null is the same as leaving it out.', example: 'Grace Hopper' }),
    responses: formResponses().nullable().default(null).meta({
      description:
        'The answers of the attendee to the form of the event. Without them the registration gets those of the order.',
      example: null,
    }),
  })
  .meta({ id: 'AssignSeat' });

export const assignSeat = operation({
  method: 'POST',
  url: '/v1/events/:eventId/orders/:orderNumber/seats/:seatId/assign',
  config: {
    ...config,
    operationId: 'assignSeat',
    sets: ['seats', 'items', 'registrationIds', 'registrations'],
    permission: 'orders.place',
    summary: 'Assign an open seat',
    description:
      'Registers a person on an open seat of a paid order, with the redemption code, the add-ons and the perks of the seat. ' +
      'The registration is `confirmed`, or `pending` if the ticket type requires approval. No money moves, and the sale of the ' +
      'ticket type may have ended. To repeat the request is safe: it returns the same. ' +
      'Without `responses` it takes those of the order. `SEAT_NOT_OPEN`: somebody has the seat, also the same email with another name or other responses (`updateRegistration` changes them), it is cancelled, or its order is not paid. `ATTENDEE_REGISTERED`: the ' +
      'email has an active registration in the event; the seat stays open.',
    preconditions: [
      'EVENT_ARCHIVED',
      'EVENT_CANCELLED',
      'EVENT_ENDED',
      'SEAT_NOT_OPEN',
      'ATTENDEE_REGISTERED',
    ],
  },
  schema: {
    params: OrderNumberPath.extend({
      seatId: z.string().meta({
        description: 'The id of the seat in `seats` of the order',
        example: 'seat_01k8zq4m3ne7rbj5t2xw9vd6ah_1',
      }),
    }),
    body: AssignSeat,
    response: { 200: Order },
  },
});

export const cancelOrder = operation({
  method: 'POST',
  url: '/v1/events/:eventId/orders/:orderNumber/cancel',
  config: {
    ...config,
    operationId: 'cancelOrder',
    sets: ['status', 'cancelledAt'],
    permission: 'orders.cancel',
    summary: 'Cancel an order',
    description:
      'Ends its payment page and releases its seats now. If the page is paid, the response is 412 `ALREADY_PAID` and the order becomes `paid`. ' +
      'A free order can also be cancelled when it is `paid`: its registrations are cancelled with it. A closed order stays as it is.',
    preconditions: ['ALREADY_PAID'],
  },
  schema: { params: OrderNumberPath, response: { 200: Order } },
});

export const SetOrderBilling = z
  .object({
    billing: BillingInput.nullable().meta({ description: 'Null removes the billing.' }),
  })
  .meta({
    id: 'SetOrderBilling',
    example: {
      billing: {
        company: 'Analytical Engines GmbH',
        address: { line1: 'Unter den Linden 1', city: 'Berlin', country: 'DE' },
      },
    },
  });

export const setOrderBilling = operation({
  method: 'PUT',
  url: '/v1/events/:eventId/orders/:orderNumber/billing',
  config: {
    ...config,
    operationId: 'setOrderBilling',
    sets: ['billing'],
    permission: 'orders.place',
    summary: 'Replace the billing of an order',
    description:
      'Until the order is paid. `ORDER_CLOSED`: it is paid, cancelled or expired. `TAX_WOULD_CHANGE`: reverse charge would ' +
      'begin or end, and with it another amount would be charged. Cancel the order then, and place another one.',
    preconditions: ['ORDER_CLOSED', 'TAX_WOULD_CHANGE'],
  },
  schema: { params: OrderNumberPath, body: SetOrderBilling, response: { 200: Order } },
});
