import { describe, expect, test } from 'vitest';
import { order, refund } from './order.fixture.ts';
import {
  choicesFor,
  keepsTickets,
  type OrderPerson,
  peopleOf,
  previewSeats,
  type SeatChoice,
  seatWrites,
} from './seats.rules.ts';

const seat = (n: number, values: object = {}) => ({
  id: `seat_${n}`,
  itemIndex: 0,
  status: 'assigned' as const,
  registrationId: `reg_${n}`,
  email: `${n}@example.com`,
  name: null,
  itemName: 'Seat',
  ticketTypeId: 'tt_1',
  amount: 2000,
  addonAmount: 0,
  isUnfulfilled: false,
  refundableAmount: 2000,
  ...values,
});

const sold = order({
  currency: 'EUR',
  seats: [
    seat(1),
    seat(2, { addonAmount: 500, refundableAmount: 2500 }),
    seat(3, { refundableAmount: 0 }),
    seat(4, { isUnfulfilled: true, refundableAmount: 0 }),
    seat(5, { registrationId: null }),
  ],
  registrations: [
    { id: 'reg_1', status: 'confirmed' },
    { id: 'reg_2', status: 'cancelled' },
    { id: 'reg_3', status: 'confirmed' },
    { id: 'reg_4', status: 'confirmed' },
  ],
});
const people = peopleOf(sold);

test('the people of an order are those with a registration, with its status', () => {
  expect(
    people.map(({ registrationId, status, isActive }) => [registrationId, status, isActive]),
  ).toEqual([
    ['reg_1', 'confirmed', true],
    ['reg_2', 'cancelled', false],
    ['reg_3', 'confirmed', true],
    ['reg_4', 'confirmed', false],
  ]);
});

test('a person to whom a ticket was transferred stands for the one who was in the order', () => {
  const holder = {
    name: 'Zoe',
    email: 'zoe@example.com',
    status: 'confirmed',
    checkinCode: 'CHK-1',
  };
  const [first, second] = peopleOf(sold, new Map([['reg_1', holder as never]]));
  expect(first).toMatchObject(holder);
  expect(second).toMatchObject({ email: '2@example.com', checkinCode: null });
});

describe('the choices for a person', () => {
  const all = { mayRefund: true, mayCancel: true };

  test.each<[string, number, object, SeatChoice[]]>([
    ['who is confirmed and has paid', 0, all, ['refund_and_cancel', 'cancel', 'refund']],
    ['who is cancelled and has paid', 1, all, ['refund']],
    ['whose price is refunded', 2, all, ['cancel']],
    ['who had registered before', 3, all, []],
    ['for a role without money', 0, { mayRefund: false, mayCancel: true }, ['cancel']],
    [
      'for a role that may not cancel alone',
      0,
      { mayRefund: true, mayCancel: false },
      ['refund_and_cancel', 'refund'],
    ],
  ])('%s', (_, index, rights, expected) => {
    const person = people[index] as (typeof people)[number];
    expect(choicesFor(person, rights as never)).toEqual(expected);
  });
});

test('a refund leaves a ticket to those who are not cancelled', () => {
  expect(keepsTickets(people.slice(0, 2))).toBe(true);
  expect(keepsTickets(people.slice(1, 2))).toBe(false);
});

describe('an open seat', () => {
  const seats = [seat(1), seat(6, { status: 'open', registrationId: null, email: null })];
  const group = order({ ...sold, seats });
  const both = peopleOf(group);

  test('is refunded and cancelled by its own id, and nothing else', () => {
    expect(both.map(({ registrationId, isOpen, name }) => [registrationId, isOpen, name])).toEqual([
      ['reg_1', false, null],
      ['seat_6', true, 'Seat 2'],
    ]);
    const [, open] = both as [OrderPerson, OrderPerson];
    expect(choicesFor(open, { mayRefund: true, mayCancel: true })).toEqual(['refund_and_cancel']);
    expect(choicesFor(open, { mayRefund: false, mayCancel: true })).toEqual([]);
    const free = { ...open, refundableAmount: 0 };
    expect(choicesFor(free, { mayRefund: true, mayCancel: true })).toEqual([]);
  });

  test.each([
    ['refund_and_cancel', 4000, ['reg_1', 'seat_6']],
    ['refund', 2000, ['reg_1']],
    ['cancel', 0, []],
  ] as const)('beside a person, %s pays %i for %j', (choice, amount, registrationIds) => {
    expect(previewSeats(group, both, choice).amount).toBe(amount);
    const target = { eventId: 'evt_1', orderId: 'ord_1', eventPath: 'v1', reason: null };
    const writes = seatWrites(choice, both, target);
    expect(writes).toHaveLength(1);
    if (choice !== 'cancel') expect(writes).toMatchObject([{ input: { registrationIds } }]);
  });
});

describe('the preview', () => {
  test('adds up the prices with add-ons and names who is cancelled', () => {
    const preview = previewSeats(sold, people.slice(0, 3), 'refund_and_cancel');
    expect(preview).toMatchObject({ amount: 4500, addonAmount: 500, due: 0, isCapped: false });
    expect(preview.cancels.map(({ registrationId }) => registrationId)).toEqual(['reg_1', 'reg_3']);
  });

  test('pays no more than is left, and what is due as well', () => {
    const refunds = [
      refund('done', 3000, '2027-01-02T00:00:00Z'),
      { ...refund('due', 700, '2027-01-03T00:00:00Z'), currency: 'EUR', cause: 'surplus' },
    ];
    const preview = previewSeats({ ...sold, refunds } as never, people.slice(0, 2), 'refund');
    expect(preview).toMatchObject({ amount: 2000, due: 700, isCapped: true, cancels: [] });
  });

  test('leaves out what the policy has paid back or made due', () => {
    const byPolicy = { ...refund('due', 700, '2027-01-03T00:00:00Z'), currency: 'EUR' };
    const seats = [seat(2, { addonAmount: 500, refundableAmount: 1800 })];
    const part = order({ ...sold, seats, refunds: [byPolicy] });
    expect(previewSeats(part, peopleOf(part), 'refund')).toMatchObject({
      ...{ amount: 1800, addonAmount: 0, due: 700, isCapped: false },
    });
  });

  test('moves no money for a cancellation alone', () => {
    expect(previewSeats(sold, people.slice(0, 1), 'cancel')).toMatchObject({ amount: 0, due: 0 });
  });
});
