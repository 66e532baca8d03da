import { z } from 'zod';

// A result has exactly the fields of its schema: the server drops every other one. A list therefore
// shows a new field of the API only after it is added here.

const amount = z.int().describe('In the minor unit of the currency');
const instant = z.string().describe('ISO 8601 in UTC');

/** The end of every page. */
export const pageEnd = {
  hasMore: z.boolean().describe('Whether there are more records: call again with nextCursor'),
  nextCursor: z.string().nullable().describe('Null on the last page'),
};

export const event = z.object({
  id: z.string(),
  publicId: z.string(),
  name: z.string(),
  status: z.string(),
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  timezone: z.string(),
  currency: z.string(),
  features: z.array(z.string()),
  publishedAt: instant.nullable(),
  createdAt: instant,
});

export const ticketType = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  priceAmount: amount,
  isPublic: z.boolean(),
});

export const addon = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  priceAmount: amount,
});

const discount = z.object({ type: z.string(), value: z.int() });

/** Its label is free text, which may name a person: no tool has it. */
export const code = z.object({
  id: z.string(),
  code: z.string(),
  status: z.string(),
  registrationTypeId: z.string().describe('The ticket type that it is for'),
  maxUses: z.int().nullable().describe('Null means unlimited'),
  uses: z.int(),
  expiresAt: instant.nullable(),
  discount: discount.nullable(),
});

export const seats = z.object({
  capacity: z.int().nullable().describe('Null means unlimited'),
  confirmed: z.int(),
  waitlisted: z.int(),
  held: z.int(),
  remaining: z.int().nullable(),
});

const checkinCounts = {
  checkedIn: z.int(),
  overruled: z.int(),
  contested: z.int(),
  refused: z.int(),
  admitted: z.int(),
  lastCheckinAt: instant.nullable(),
};

export const checkins = z.object({
  ...checkinCounts,
  doors: z.array(
    z.object({
      subjectType: z.string(),
      subjectId: z.string(),
      name: z.string().nullable(),
      ...checkinCounts,
    }),
  ),
});

const line = z.object({
  itemType: z.string(),
  itemId: z.string(),
  name: z.string().describe('The name of what was sold'),
  quantity: z.int(),
  unitAmount: amount,
  discountAmount: amount,
  totalAmount: amount,
  unfulfilledAmount: amount,
  registrationIds: z.array(z.string()),
});

/** An order without its buyer and attendees. */
export const orderWithoutPeople = z.object({
  id: z.string(),
  orderNumber: z.string(),
  status: z.string(),
  currency: z.string(),
  totalAmount: amount,
  refundedAmount: amount,
  refundDueAmount: amount,
  items: z.array(line),
  placedAt: instant,
  paidAt: instant.nullable(),
  cancelledAt: instant.nullable(),
});

const seat = z.object({
  id: z.string(),
  itemIndex: z.int(),
  ticketTypeId: z.string(),
  status: z.string().describe('open: sold without an attendee, see assign_seat'),
  registrationId: z.string().nullable(),
  amount,
});

/** What a buyer gets for an order. */
export const orderState = orderWithoutPeople.extend({
  seats: z.array(seat),
  registrationIds: z.array(z.string()),
  holdExpiresAt: instant.nullable().describe('Until when the seats are held without a payment'),
  paymentUrl: z.string().nullable().describe('Where the buyer pays'),
});

const person = z.object({ email: z.string(), name: z.string().nullable() });

export const order = orderWithoutPeople.extend({
  ...{ eventId: z.string(), ...person.shape },
  items: z.array(line.extend({ attendees: z.array(person) })),
  seats: z.array(seat),
  redemptionCode: z.string().nullable(),
  responses: z.record(z.string(), z.unknown()).nullable().describe('The answers to the form'),
  registrationIds: z.array(z.string()),
  holdExpiresAt: instant.nullable(),
  paymentUrl: z.string().nullable(),
  paymentAttempts: z.array(z.object({ at: instant, status: z.string() })),
});

const totals = { refund: amount, fee: amount, amountToPay: amount };

/** What a change of an order pays back. */
export const quote = z.object({
  id: z.string().describe('The quoteId of change_order'),
  expiresAt: instant,
  currency: z.string(),
  lines: z.array(
    z.object({
      seatId: z.string().nullable().describe('Null for units of an add-on'),
      ...{ itemIndex: z.int(), quantity: z.int(), paid: amount, ...totals },
      reason: z.string(),
    }),
  ),
  ...totals,
});

/** A registration of one person. The code of the badge admits whoever shows it: no tool has it. */
export const registration = z.object({
  id: z.string(),
  ...{ eventId: z.string(), ...person.shape },
  status: z.string(),
  type: z.string(),
  registrationTypeId: z.string().nullable(),
  redemptionCodeId: z.string().nullable(),
  orderId: z.string().nullable(),
  attendeeId: z.string(),
  contactId: z.string(),
  registeredAt: instant,
  cancelledAt: instant.nullable(),
  rejectionReason: z.string().nullable(),
  responses: z.record(z.string(), z.unknown()).nullable().describe('The answers to the form'),
  offerExpiresAt: instant.nullable(),
  offersMissed: z.int(),
});

export const registrationState = z.object({
  id: z.string(),
  ...person.shape,
  status: z.string(),
});

const state = z.object({ status: z.string().nullable() }).nullable();

export const change = z.object({
  id: z.string(),
  sequence: z.int(),
  type: z.string(),
  occurredAt: instant,
  eventId: z.string().nullable(),
  object: z.object({ type: z.string(), id: z.string(), version: z.int() }),
  previous: state,
  current: state,
  actor: z.object({ type: z.string(), id: z.string().nullable() }),
});
