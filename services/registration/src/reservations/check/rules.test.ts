import { expect, test } from 'vitest';
import { decideCheck } from './rules.ts';

const seats = ['a', 'b'].map((normalEmail) => ({ normalEmail, ticketTypeId: 'day' }));
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
  expect(decideCheck('ord_1', seats, registrations)).toEqual({
    outcome: 'attendee_registered',
    ...expected,
  });
});
