import type { OrderStatus } from '@event-api/contracts/http/orders';
import { expect, test } from 'vitest';
import { alignPages, compareOrder, type Difference } from './comparison.rules.ts';

const order = (status: OrderStatus, fields: object = {}) => ({
  status,
  isRevoked: false,
  registrationIds: ['reg_listed', 'seat_listed', 'seat_cancelled'],
  revokedIds: ['reg_revoked', 'seat_cancelled'],
  retainedIds: ['reg_kept', 'reg_revoked'],
  unitsLeft: [],
  typeChanges: [],
  ...fields,
});
const reserved = (...registrationIds: string[]) => ({
  ...{ registrationIds, units: [], typeChanges: [] },
});

const summaries = (differences: Difference[]) =>
  differences.map(({ difference, repair, registrationIds }) =>
    [difference, repair, ...registrationIds].join(' '),
  );

test.each<[OrderStatus, withoutReservation: string[], withActiveSeats: string[]]>([
  ['held', [], []],
  ['awaiting_payment', [], []],
  ['paid', ['paid_without_seats fulfil reg_listed seat_listed seat_cancelled'], []],
  ['refund_due', [], []],
  ['refunded', [], []],
  ['cancelled', [], ['seats_of_closed_order  reg_active']],
  ['expired', [], ['seats_of_closed_order  reg_active']],
])(
  'an order that is %s without a fulfilled reservation has differences %j, with active seats %j',
  (status, without, withSeats) => {
    expect(summaries(compareOrder(order(status), null))).toEqual(without);
    expect(summaries(compareOrder(order(status), reserved('reg_active')))).toEqual(withSeats);
    expect(compareOrder(order(status), reserved())).toEqual([]);
  },
);

test.each(['refunded', 'cancelled'] as const)(
  'the seats of an order that is %s are cancelled again if they were cancelled before',
  (status) => {
    const revoked = order(status, { isRevoked: true, retainedIds: [] });
    expect(summaries(compareOrder(revoked, reserved('reg_active')))).toEqual([
      'seats_of_refunded_order revoke reg_active',
    ]);
  },
);

test('registrations that a refund kept are no difference, and only the others are cancelled', () => {
  const refunded = order('refunded', { isRevoked: true });
  expect(compareOrder(refunded, reserved('reg_kept'))).toEqual([]);
  expect(summaries(compareOrder(refunded, reserved('reg_kept', 'reg_revoked')))).toEqual([
    'seats_of_refunded_order revoke_seats reg_revoked',
  ]);
});

test('an order of a cancelled event is left to the cancellation, with and without its seats', () => {
  const ended = order('paid', { isRevoked: true });
  expect(compareOrder(ended, null)).toEqual([]);
  expect(compareOrder(ended, reserved('reg_listed', 'seat_assigned'))).toEqual([]);
});

test('registrations whose order is lost are left to a person', () => {
  expect(summaries(compareOrder(null, reserved('reg_active')))).toEqual([
    'seats_without_order  reg_active',
  ]);
  expect(compareOrder(null, reserved())).toEqual([]);
});

test.each<[string, active: string[], string[]]>([
  ['has its seats', ['reg_listed', 'seat_listed'], []],
  [
    'has a cancelled registration again',
    ['reg_active', 'reg_revoked'],
    ['seats_of_refunded_order revoke_seats reg_revoked'],
  ],
  [
    'has a cancelled open seat again',
    ['seat_cancelled', 'seat_listed'],
    ['seats_of_refunded_order revoke_seats seat_cancelled'],
  ],
  [
    'has a seat that was assigned',
    ['reg_listed', 'seat_assigned'],
    ['assignments_lost reopen seat_assigned'],
  ],
  [
    'has several',
    ['reg_revoked', 'seat_assigned'],
    ['assignments_lost reopen seat_assigned', 'seats_of_refunded_order revoke_seats reg_revoked'],
  ],
])('a paid order whose reservation %s', (_, active, expected) => {
  expect(summaries(compareOrder(order('paid'), reserved(...active)))).toEqual(expected);
});

test.each([
  [1, []],
  [2, ['units_of_changed_order return_units reg_1']],
])('a registration with %i units, of which a change has left one', (quantity, expected) => {
  const unit = { registrationId: 'reg_1', addonId: 'addon_1' };
  const changed = order('paid', { unitsLeft: [{ ...unit, quantity: 1 }] });
  const others = ['reg_2', 'addon_2'].map((id) => ({ ...unit, registrationId: id, quantity: 9 }));
  const units = [{ ...unit, quantity }, { ...unit, addonId: 'addon_2', quantity: 9 }, ...others];
  const reservation = { ...reserved('reg_1'), units };
  expect(summaries(compareOrder(changed, reservation))).toEqual(expected);
});

const lost = (...ids: string[]) => [['types_of_changed_order', 'change_types', ...ids].join(' ')];
test.each<[string[] | null, active: string[], string[]]>([
  [['quo_1', 'quo_2'], ['reg_listed', 'seat_listed'], []],
  [[], ['reg_listed', 'seat_listed'], lost('reg_listed', 'seat_listed')],
  [['quo_1'], ['reg_listed', 'seat_listed'], lost('seat_listed')],
  [['quo_2'], ['seat_listed'], []],
  [null, ['reg_listed', 'seat_listed'], []],
])(
  'a reservation that has the changes of types %j and the seats %j of a changed order',
  (typeChanges, active, expected) => {
    const changed = order('paid', {
      typeChanges: [
        { changeId: 'quo_1', holderIds: ['reg_listed'] },
        { changeId: 'quo_2', holderIds: ['seat_listed'] },
      ],
    });
    expect(summaries(compareOrder(changed, { ...reserved(...active), typeChanges }))).toEqual(
      expected,
    );
  },
);

test('a seat with a lost change that is cancelled again gets no other type', () => {
  const typeChanges = [{ changeId: 'quo_1', holderIds: ['reg_revoked'] }];
  expect(summaries(compareOrder(order('paid', { typeChanges }), reserved('reg_revoked')))).toEqual([
    'seats_of_refunded_order revoke_seats reg_revoked',
  ]);
});

test.each<[orders: string, reservations: string, rows: string, next: string | null]>([
  ['', '', '', null],
  ['ab', 'b', 'a- bb', null],
  ['b', 'ab', '-a bb', null],
  ['abc', 'abc', 'aa bb cc', 'c'],
  ['abc', 'bd', 'a- bb c-', 'c'],
  ['bd', 'abc', '-a bb -c', 'c'],
  ['abf', 'bcd', 'a- bb -c -d', 'd'],
  ['bcd', 'abf', '-a bb c- d-', 'd'],
])(
  'pages of three rows %j and %j are aligned as %j up to %j',
  (orders, reservations, rows, next) => {
    const rowsOf = (ids: string) => [...ids].map((orderId) => ({ orderId }));
    const page = alignPages(rowsOf(orders), rowsOf(reservations), 3);
    const text = page.rows
      .toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1))
      .map(({ order, reservation }) => `${order?.orderId ?? '-'}${reservation?.orderId ?? '-'}`);
    expect([text.join(' '), page.next]).toEqual([rows, next]);
  },
);
