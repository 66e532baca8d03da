import { expect, test } from 'vitest';
import { type CheckRequest, decideCheck } from './check.rules.ts';

const seats = ['a', 'b'].map((normalEmail) => ({ normalEmail, ticketTypeId: 'day' }));
const request = (fields: Partial<CheckRequest>): CheckRequest => ({
  reservationId: 'ord_1',
  buyerEmail: 'buyer',
  seats: [],
  addonIds: [],
  addons: undefined,
  ...fields,
});
const ofOrder = (normalEmail: string, orderId: string | null) =>
  ({ normalEmail, status: 'confirmed', ticketTypeId: 'day', orderId }) as const;
const waiting = (ticketTypeId: string) =>
  ({ normalEmail: 'b', status: 'waitlisted', ticketTypeId, orderId: null }) as const;

test.each([
  ['no attendee is registered', [], { outcome: 'ok' }],
  ['the second attendee is registered', [ofOrder('b', null)], { seat: 1 }],
  ['both attendees are registered', [ofOrder('b', null), ofOrder('a', 'ord_2')], { seat: 0 }],
  ['another person is registered', [ofOrder('c', null)], { outcome: 'ok' }],
  ['an attendee waits for a seat of the type', [waiting('day')], { outcome: 'ok' }],
  ['an attendee waits for a seat of another type', [waiting('night')], { seat: 1 }],
  ['the registrations are those of the order', [ofOrder('a', 'ord_1')], { outcome: 'ok' }],
])('when %s', (_, registrations, expected) => {
  expect(decideCheck(request({ seats }), registrations, [])).toEqual({
    outcome: 'attendee_registered',
    ...expected,
  });
});

const lunchFor = (...emails: string[]) => ({ addonId: 'lunch', emails });
const onlyAddons = request({ addonIds: ['lunch'] });
const named = (...emails: string[]) =>
  request({ addonIds: ['lunch', 'lunch'], addons: [lunchFor('c'), lunchFor(...emails)] });

test.each<[what: string, CheckRequest, registered: string[], expected: object]>([
  ['the buyer of add-ons is registered', onlyAddons, ['buyer'], { outcome: 'ok' }],
  ['the buyer of add-ons is not registered', onlyAddons, ['c'], {}],
  ['the recipients are registered', named('a', 'b'), ['a', 'b', 'c'], { outcome: 'ok' }],
  ['a recipient is not registered', named('a', 'b'), ['a', 'c'], { addon: 1, attendee: 1 }],
  ['a recipient is an attendee', { ...named('a'), seats }, ['c'], { outcome: 'ok' }],
  ['the buyer has a seat', { ...onlyAddons, seats }, [], { outcome: 'ok' }],
])('when %s', (_, of, registered, expected) => {
  const registrations = registered.map((email) => ofOrder(email, null));
  expect(decideCheck(of, registrations, [])).toEqual({ outcome: 'not_registered', ...expected });
});

const lost = (normalEmail: string, reservationId = 'ord_1') => ({ normalEmail, reservationId });

test.each([
  ['the second attendee had an offer and is cancelled', seats, [lost('b')], { seat: 1 }],
  ['both were', seats, [lost('b'), lost('a')], { seat: 0 }],
  ['the seats are not in the request', [], [lost('b')], { seat: 0 }],
])('when %s, the order cannot be delivered', (_, of, ended, expected) => {
  expect(decideCheck(request({ seats: of }), [], ended)).toEqual({
    outcome: 'not_registered',
    ...expected,
  });
});

test('a cancelled registration of another order does not matter', () => {
  expect(decideCheck(request({ seats }), [], [lost('a', 'ord_2')])).toEqual({ outcome: 'ok' });
});
