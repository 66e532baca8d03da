import { z } from 'zod';
import { Checkin } from '../http/checkins.ts';
import { badgeCode, email, requireField, text } from '../http/fields.ts';
import { Order, OrderSeat } from '../http/orders.ts';
import { EffectivePerk, Registration } from '../http/registrations.ts';
import { operation } from '../operation.ts';
import { eventScope, reference } from './reference.ts';
import { Refund } from './refunds.ts';

/** The records of one person that a search returns at most. */
export const maxFound = 100;

const scope = {
  businessUnitId: eventScope.businessUnitId,
  eventId: eventScope.eventId
    .optional()
    .meta({ description: 'Only this event; all events of the unit if left out' }),
};

const keys = {
  email: email().optional().meta({ description: 'The email, compared without case' }),
  checkinCode: badgeCode()
    .optional()
    .meta({ description: 'The code of a badge, in any case', example: 'CHK-7D2M9QK4X1T8VBNA' }),
  orderNumber: text({ min: 1, max: 200 })
    .optional()
    .meta({ description: 'The number of an order, in any case', example: 'ORD-7K3M9QXA' }),
};

/** Requires exactly one of these fields. */
const exactlyOne =
  (fields: readonly string[]) =>
  (ctx: z.core.ParsePayload<object>): void => {
    const value = ctx.value as Record<string, unknown>;
    const [first, second] = fields.filter((field) => value[field] !== undefined);
    const [field = '', ...others] = fields;
    if (first === undefined) {
      requireField(ctx, field, `is required unless ${others.join(' or ')} is sent`);
    } else if (second !== undefined) {
      const message = `cannot be combined with ${first}`;
      ctx.issues.push({ code: 'custom', message, path: [second], input: value[second] });
    }
  };

const isComplete = z
  .boolean()
  .meta({ description: `Whether these are all; a search returns the newest ${maxFound}.` });

/** A registration with its perks and what delivers them. */
export const FoundRegistration = z.object({
  ...Registration.shape,
  perks: z.array(EffectivePerk),
});

/** A seat of an order with the person who got it when it was sold, and what was paid for it. */
const FoundSeat = z.object({
  ...OrderSeat.shape,
  email: z
    .string()
    .nullable()
    .meta({ description: 'Null for a seat that was sold as an open one' }),
  name: z.string().nullable(),
  itemName: z.string().meta({
    description:
      'The ticket type or bundle as it was sold, or the ticket type that a change has given it',
  }),
  addonAmount: z.int().meta({ description: 'What was paid for the add-ons of the person' }),
  isUnfulfilled: z.boolean().meta({
    description: 'Whether the person had registered before: the registration is not of this order.',
  }),
  refundableAmount: z.int().meta({
    description:
      'What `order.refund` pays for its registration: 0 once the price is refunded, and at most what is left of the payment.',
  }),
});

/** An order with its refunds and seats; `paymentAttempts` has its payments. */
export const FoundOrder = z.object({
  ...Order.shape,
  refunds: z.array(Refund),
  seats: z.array(FoundSeat),
});

export const findRegistrations = operation({
  method: 'POST',
  url: '/operator/registration.find',
  config: {
    tag: 'Persons',
    owner: 'registration',
    audience: 'operator',
    operationId: 'registration.find',
    isRead: true,
    permission: 'people.read',
    summary: 'Find the registrations of an email or of a badge, newest first, with their perks',
    description: 'An unknown business unit or event yields an empty list.',
  },
  schema: {
    body: z
      .object({ ...scope, email: keys.email, checkinCode: keys.checkinCode })
      .check(exactlyOne(['email', 'checkinCode']))
      .meta({ example: { email: 'ada@example.com' } }),
    response: { 200: z.object({ registrations: z.array(FoundRegistration), isComplete }) },
  },
});

export const findOrders = operation({
  method: 'POST',
  url: '/operator/order.find',
  config: {
    tag: 'Persons',
    owner: 'commerce',
    audience: 'operator',
    operationId: 'order.find',
    isRead: true,
    permission: 'orders.list',
    summary: 'Find the orders of a buyer, or an order by its number, newest first, with refunds',
    description: 'An unknown business unit or event yields an empty list.',
  },
  schema: {
    body: z
      .object({
        ...scope,
        email: keys.email,
        orderNumber: keys.orderNumber,
        orderIds: z
          .array(reference('ord', 'An order'))
          .max(maxFound)
          .optional()
          .meta({ description: 'Ids of orders' }),
      })
      .check(exactlyOne(['email', 'orderNumber', 'orderIds']))
      .meta({ example: { email: 'ada@example.com' } }),
    response: { 200: z.object({ orders: z.array(FoundOrder), isComplete }) },
  },
});

export const findCheckins = operation({
  method: 'POST',
  url: '/operator/checkin.find',
  config: {
    tag: 'Persons',
    owner: 'onsite',
    audience: 'operator',
    operationId: 'checkin.find',
    isRead: true,
    permission: 'checkins.read',
    summary: 'Find the check-ins of registrations, newest first',
    description: 'An unknown business unit or registration yields an empty list.',
  },
  schema: {
    body: z.object({
      businessUnitId: eventScope.businessUnitId,
      registrationIds: z
        .array(reference('reg', 'A registration'))
        .max(maxFound)
        .meta({ description: 'Ids of registrations' }),
      subjectId: reference(
        ['ses', 'ven', 'evt'],
        'Only check-ins at this door: a session, a venue or the event',
      ).optional(),
    }),
    response: { 200: z.object({ checkins: z.array(Checkin), isComplete }) },
  },
});

/** The parts of a person, each with its owner. */
export const personParts = {
  registrations: 'registration',
  orders: 'commerce',
  checkins: 'onsite',
} as const;

export type PersonPart = keyof typeof personParts;

const partNames = Object.keys(personParts) as PersonPart[];

/** What the records of one person are; null for a part whose owner did not respond. */
const Person = z.object({
  email: z.string().meta({ description: 'The email whose records these are' }),
  registrations: z.array(FoundRegistration).nullable(),
  orders: z.array(FoundOrder).nullable().meta({
    description: 'Orders of the email as buyer, and those that created its registrations.',
  }),
  checkins: z.array(Checkin).nullable(),
  missing: z
    .array(z.object({ part: z.enum(partNames), owner: z.string(), reason: z.string() }))
    .meta({ description: 'Parts that are absent or incomplete, each with the reason.' }),
});

export type Person = z.input<typeof Person>;

/**
 * Shows all of them. The admin tool carries it out with the three searches above, so no service
 * calls another one for it. Its owner is the service that identifies the person.
 */
export const showPerson = operation({
  method: 'POST',
  url: '/operator/person.show',
  config: {
    tag: 'Persons',
    owner: 'registration',
    audience: 'operator',
    operationId: 'person.show',
    isRead: true,
    permission: 'people.read',
    summary: 'Show the registrations, orders and check-ins of one person',
    description:
      'By email, badge code or order number, which means the buyer. A part whose service does not respond is null, and `missing` says why.',
  },
  schema: {
    body: z
      .object({ ...scope, ...keys })
      .check(exactlyOne(['email', 'checkinCode', 'orderNumber']))
      .meta({ example: { email: 'ada@example.com' } }),
    response: { 200: Person },
  },
});
