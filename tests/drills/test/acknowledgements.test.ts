import { orderStatuses } from '@event-api/contracts/http/orders';
import { registrationStatuses } from '@event-api/contracts/http/registrations';
import { refundStates } from '@event-api/contracts/operator/refunds';
import { describe, expect, test } from 'vitest';
import {
  type Acknowledgement,
  acknowledgementsIn,
  explainMismatch,
} from '../history/acknowledgements.ts';
import {
  isAllowedOrderTransition,
  isAllowedRefundTransition,
  isAllowedRegistrationTransition,
} from '../history/states.ts';

describe('allowed transitions', () => {
  test.each([
    ['pending', ['pending', 'confirmed', 'waitlisted', 'rejected', 'cancelled']],
    ['confirmed', ['confirmed', 'cancelled']],
    ['waitlisted', ['confirmed', 'waitlisted', 'cancelled']],
    ['rejected', ['rejected']],
    ['cancelled', ['cancelled']],
  ] as const)('lead from registration status %s to %j', (from, legal) => {
    expect(registrationStatuses.filter((to) => isAllowedRegistrationTransition(from, to))).toEqual(
      legal,
    );
  });

  test.each([
    ['held', [...orderStatuses]],
    ['awaiting_payment', orderStatuses.filter((status) => status !== 'held')],
    ['paid', ['paid', 'cancelled', 'refund_due', 'refunded']],
    ['cancelled', ['cancelled', 'refund_due', 'refunded']],
    ['expired', ['paid', 'cancelled', 'expired', 'refund_due', 'refunded']],
    ['refund_due', ['paid', 'cancelled', 'refund_due', 'refunded']],
    ['refunded', ['refunded']],
  ] as const)('lead from order status %s to %j', (from, legal) => {
    expect(orderStatuses.filter((to) => isAllowedOrderTransition(from, to))).toEqual(legal);
  });

  test.each([
    ['due', [...refundStates]],
    ['pending', [...refundStates]],
    ['done', ['done']],
    ['failed', ['failed']],
  ] as const)('lead from refund state %s to %j', (from, legal) => {
    expect(refundStates.filter((to) => isAllowedRefundTransition(from, to))).toEqual(legal);
  });
});

const order = (more: object = {}): Acknowledgement => ({
  kind: 'order',
  id: 'ord_1',
  status: 'held',
  totalAmount: 800,
  currency: 'EUR',
  registrationIds: [],
  refundPolicy: null,
  ...more,
});
const registration = (status: 'confirmed' | 'cancelled'): Acknowledgement => ({
  kind: 'registration',
  id: 'reg_1',
  status,
});
const checkin = (registrationId: string): Acknowledgement => ({
  kind: 'checkin',
  id: 'chk_1',
  registrationId,
  subjectId: 'evt_1',
});
const refund = (amount: number, state: 'due' | 'done'): Acknowledgement => ({
  kind: 'refund',
  id: 'rfd_1',
  amount,
  state,
});
const quote = { currency: 'EUR', lines: [], refund: 560, fee: 0, amountToPay: 0 };
const change = (state: 'quoted' | 'executing' | 'done', refunded = 560): Acknowledgement => ({
  kind: 'change',
  id: 'quo_1',
  state,
  quote: { ...quote, refund: refunded },
});
const refused: Acknowledgement = { kind: 'refused change', id: 'quo_1' };
const forged: Acknowledgement = { kind: 'rejected notification', id: 'evt_1' };

test.each<
  [
    what: string,
    acknowledgement: Acknowledgement,
    found: Acknowledgement | undefined,
    why: string | null,
  ]
>([
  ['a missing record', registration('confirmed'), undefined, 'it does not exist'],
  ['a later state', registration('confirmed'), registration('cancelled'), null],
  [
    'an earlier state',
    registration('cancelled'),
    registration('confirmed'),
    'cancelled became confirmed',
  ],
  [
    'an order that has become paid',
    order(),
    order({ status: 'paid', registrationIds: ['reg_1'] }),
    null,
  ],
  [
    'an order that is held again after it was paid',
    order({ status: 'paid' }),
    order(),
    'paid became held',
  ],
  ['another amount', order(), order({ totalAmount: 1 }), '800 EUR became 1 EUR'],
  [
    'other registrations',
    order({ registrationIds: ['reg_1'] }),
    order({ registrationIds: ['reg_2'] }),
    'its registrations differ',
  ],
  [
    'the same refund policy with its fields in another order',
    order({ refundPolicy: { text: 'All', automatic: true } }),
    order({ refundPolicy: { automatic: true, text: 'All' } }),
    null,
  ],
  [
    'another refund policy',
    order({ refundPolicy: { text: 'All', automatic: true } }),
    order({ refundPolicy: { text: 'All', automatic: false } }),
    'its refund policy differs',
  ],
  ['an identical check-in', checkin('reg_1'), checkin('reg_1'), null],
  [
    'a check-in of another registration',
    checkin('reg_1'),
    checkin('reg_2'),
    `it is ${JSON.stringify(checkin('reg_2'))}`,
  ],
  ['a refund that is done', refund(5, 'due'), refund(5, 'done'), null],
  ['a refund of a larger amount', refund(5, 'due'), refund(6, 'done'), '5 became 6'],
  ['a quote that was executed later', change('quoted'), change('done'), null],
  ['a change that is undone', change('done'), change('executing'), 'done became executing'],
  ['a change that pays back more', change('done'), change('done', 561), 'its quote differs'],
  ['a refused execution', refused, undefined, null],
  ['a refused execution that took place', refused, refused, 'it was executed'],
  ['a rejected notification without an effect', forged, undefined, null],
  ['a rejected notification with an effect', forged, forged, 'it had an effect'],
])('explainMismatch decides on %s', (_, acknowledgement, found, why) => {
  expect(explainMismatch(acknowledgement, found)).toBe(why);
});

test('acknowledgementsIn returns the records of a response body', () => {
  const person = { id: 'reg_1', status: 'confirmed', checkinCode: 'CHK-1', email: 'a@b.example' };
  const expected = { kind: 'registration', id: 'reg_1', status: 'confirmed' };
  const bought = { ...order(), kind: undefined, orderNumber: 'ORD-1' };
  const refundBody = { id: 'rfd_1', amount: 5, state: 'done', cause: 'operator' };
  expect(acknowledgementsIn(person)).toEqual([expected]);
  expect(acknowledgementsIn({ registration: person, created: true })).toEqual([expected]);
  expect(acknowledgementsIn(bought)).toEqual([order()]);
  expect(acknowledgementsIn({ order: bought, refunds: [refundBody], policy: null })).toEqual([
    order(),
    refund(5, 'done'),
  ]);
  const quoted = { id: 'quo_1', expiresAt: '2030-01-01T00:00:00Z', ...quote };
  expect(acknowledgementsIn({ status: 'done', quote: quoted, order: bought })).toEqual([
    order(),
    change('done'),
  ]);
  const seat = { seatId: 'seat_1', status: 'assigned' };
  expect(
    acknowledgementsIn({ ...seat, registrationId: 'reg_1', registrationStatus: 'confirmed' }),
  ).toEqual([expected]);
  expect(
    acknowledgementsIn({
      checkin: { ...checkin('reg_1'), method: 'scan' },
      alreadyCheckedIn: false,
    }),
  ).toEqual([checkin('reg_1')]);
  expect(
    acknowledgementsIn({ redemptionCodes: [{ id: 'code_1', code: 'X', maxUses: 1, uses: 0 }] }),
  ).toEqual([{ kind: 'code', id: 'code_1', code: 'X', maxUses: 1 }]);
  for (const other of [
    undefined,
    null,
    'x',
    {},
    { alreadyRegistered: true, registrationId: 'reg_1' },
  ]) {
    expect(acknowledgementsIn(other)).toEqual([]);
  }
});
