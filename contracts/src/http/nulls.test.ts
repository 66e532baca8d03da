import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { CreateAddon, UpdateAddon } from './addons.ts';
import { CreateBundle, UpdateBundle } from './bundles.ts';
import { CreateCheckin } from './checkins.ts';
import { CreateOrder } from './checkout.ts';
import { CreateEvent, UpdateEvent } from './events.ts';
import { CreateRedemptionCodes } from './redemption-codes.ts';
import { CreateRegistration } from './registrations.ts';
import { CreateTicketType, UpdateTicketType } from './ticket-types.ts';

const event = { name: 'Summit', timezone: 'UTC' };
const registration = { email: 'ada@example.com' };
const codes = { registrationTypeId: 'tt_1' };
const checkin = { registrationId: 'reg_1', subjectType: 'event' };
const line = { itemType: 'addon', itemId: 'addon_1' };
const order = { email: 'ada@example.com', items: [line] };

type Case = [name: string, schema: z.ZodType, body: object, fields: readonly string[]];

const absent: Case[] = [
  ['registration', CreateRegistration, registration, ['registrationTypeId', 'redemptionCode']],
  ['code', CreateRedemptionCodes, codes, ['code', 'count', 'label', 'discount']],
  ['check-in', CreateCheckin, checkin, ['checkinCode', 'subjectId', 'method']],
  [
    'check-in by badge',
    CreateCheckin,
    { checkinCode: 'CHK-1', subjectType: 'event' },
    ['registrationId'],
  ],
  ['order', CreateOrder, order, ['name', 'redemptionCode', 'responses']],
  ['event update', UpdateEvent, {}, ['confirmAgendaReset']],
];

describe.each(absent)('in the body of a %s', (_name, schema, body, fields) => {
  test.each(fields)('null for %s equals an omitted field', (field) => {
    expect(schema.parse({ ...body, [field]: null })).toEqual(schema.parse(body));
  });
});

test('a registration without a name has the name null', () => {
  expect(CreateRegistration.parse({ ...registration, name: null })).toMatchObject({ name: null });
});

test.each(['attendees', 'quantity'])(
  'null for %s of an order line equals an omitted field',
  (field) => {
    const items = [{ ...line, [field]: null }];
    expect(CreateOrder.parse({ ...order, items })).toEqual(CreateOrder.parse(order));
  },
);

test('null for the name of an attendee equals an omitted field', () => {
  const withName = (name: object) => {
    const attendees = [{ email: 'grace@example.com', ...name }];
    return CreateOrder.parse({ ...order, items: [{ ...line, attendees }] });
  };
  expect(withName({ name: null })).toEqual(withName({}));
});

test('null for `status` of a new ticket type is ignored, as every field that only responses have', () => {
  const body = { name: 'Standard' };
  expect(CreateTicketType.parse({ ...body, status: null })).toEqual(CreateTicketType.parse(body));
});

test('a code with null for `maxUses` is unlimited, and for `expiresAt` never expires', () => {
  expect(CreateRedemptionCodes.parse(codes)).toMatchObject({ maxUses: 1 });
  const unlimited = { ...codes, maxUses: null, expiresAt: null };
  expect(CreateRedemptionCodes.parse(unlimited)).toMatchObject({ maxUses: null, expiresAt: null });
});

test('a ticket type with null for `capacity` is unlimited', () => {
  const body = { name: 'Standard', capacity: null };
  expect(CreateTicketType.parse(body)).toMatchObject({ capacity: null });
  expect(UpdateTicketType.parse({ capacity: null })).toEqual({ capacity: null });
});

const ticketType = ['name', 'allowWaitlist', 'isPublic', 'requiresApproval', 'priceAmount'];

const rejected: Case[] = [
  ['event', CreateEvent, event, ['name', 'timezone']],
  ['event update', UpdateEvent, {}, ['name', 'timezone', 'status', 'currency']],
  ['ticket type', CreateTicketType, { name: 'Standard' }, [...ticketType, 'sortOrder']],
  ['ticket type update', UpdateTicketType, {}, [...ticketType, 'sortOrder', 'status']],
  ['registration', CreateRegistration, registration, ['email']],
  ['code', CreateRedemptionCodes, codes, ['registrationTypeId']],
  ['add-on', CreateAddon, { name: 'Lunch' }, ['name', 'priceAmount', 'sortOrder']],
  ['add-on update', UpdateAddon, {}, ['name', 'priceAmount', 'sortOrder', 'status']],
  ['bundle', CreateBundle, { name: 'All' }, ['name', 'sortOrder', 'items']],
  ['bundle update', UpdateBundle, {}, ['name', 'sortOrder']],
  ['order', CreateOrder, order, ['email', 'items']],
  ['check-in', CreateCheckin, checkin, ['subjectType']],
];

describe.each(rejected)('in the body of a %s', (_name, schema, body, fields) => {
  test.each(fields)('null for %s is rejected', (field) => {
    expect(schema.safeParse(body).success).toBe(true);
    const { error } = schema.safeParse({ ...body, [field]: null });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([field]);
  });
});

test('a check-in with null for both references is rejected', () => {
  const body = { registrationId: null, checkinCode: null, subjectType: 'event' };
  expect(CreateCheckin.safeParse(body).success).toBe(false);
});
