import { expect, test } from 'vitest';
import { order, refund } from '../../components/ledger/order.fixture.ts';
import { refundOfSeat } from './seat-refund.rules.ts';

const seat = (n: number, values: object = {}) => ({
  ...{ id: `seat_${n}`, registrationId: `reg_${n}`, amount: 2000, addonAmount: 0 },
  ...{ isUnfulfilled: false, ...values },
});
const paidBack = (amount: number, values: object = {}) => ({
  ...refund('done', amount, '2027-01-02T00:00:00Z'),
  ...values,
});
const byPolicy = { cause: 'refund_policy', registrationIds: ['reg_1'] };
const ofEvent = { cause: 'event_cancelled' };
const decided = (values: object = {}) => ({
  ...{ registrationId: 'reg_1', refundAmount: 1600, reason: 'band', ...values },
});
const seats = [seat(1), seat(2), seat(3, { id: 'seat_3', registrationId: null, amount: 1000 })];

test.each<[string, object, object]>([
  ['without a refund', {}, { outcome: 'nothing' }],
  ['that is free', { seats: [seat(1, { amount: 0 })] }, { outcome: 'nothing' }],
  [
    'whose price an operator paid back',
    { refunds: [paidBack(2000, { registrationIds: ['reg_1'] })] },
    { outcome: 'whole' },
  ],
  [
    'of which the policy pays back a part',
    { refunds: [paidBack(1600, byPolicy)], cancelledSeats: [decided()] },
    { outcome: 'part', amount: 1600 },
  ],
  [
    'of which the policy pays back a part, with that of another seat',
    {
      refunds: [paidBack(2600, { ...byPolicy, registrationIds: ['reg_1', 'reg_2'] })],
      cancelledSeats: [decided(), decided({ registrationId: 'reg_2', refundAmount: 1000 })],
    },
    { outcome: 'part', amount: 1600 },
  ],
  [
    'of which the policy owes a part',
    { refunds: [paidBack(1600, { ...byPolicy, state: 'due' })], cancelledSeats: [decided()] },
    { outcome: 'nothing' },
  ],
  [
    'of which an operator paid back what the policy had kept',
    {
      refunds: [paidBack(1600, byPolicy), paidBack(400, { registrationIds: ['reg_1'] })],
      cancelledSeats: [decided()],
    },
    { outcome: 'whole' },
  ],
  [
    'that is refunded with others in full',
    { refunds: [paidBack(4000, { registrationIds: ['reg_1', 'reg_2'] })] },
    { outcome: 'whole' },
  ],
  [
    'that is refunded with others by less',
    { refunds: [paidBack(3000, { registrationIds: ['reg_1', 'reg_2'] })] },
    { outcome: 'unknown_part' },
  ],
  ['of an order that is refunded', { refunds: [paidBack(5000)] }, { outcome: 'whole' }],
  ['of an order that is refunded in part', { refunds: [paidBack(100)] }, { outcome: 'nothing' }],
  [
    'of a cancelled event, beside one that the policy had decided',
    {
      refunds: [
        paidBack(1600, { ...byPolicy, registrationIds: ['reg_2'] }),
        paidBack(3000, ofEvent),
      ],
      cancelledSeats: [decided({ registrationId: 'reg_2' })],
    },
    { outcome: 'whole' },
  ],
  [
    'that the policy had decided, of a cancelled event',
    {
      refunds: [paidBack(1600, byPolicy), paidBack(3000, ofEvent)],
      cancelledSeats: [decided()],
    },
    { outcome: 'part', amount: 1600 },
  ],
  [
    'that the policy gave nothing, of a cancelled event',
    {
      refunds: [paidBack(3000, ofEvent)],
      cancelledSeats: [decided({ refundAmount: 0, reason: 'too_late' })],
    },
    { outcome: 'nothing' },
  ],
  [
    'of a cancelled event that pays back a part',
    { refunds: [paidBack(4000, ofEvent)] },
    { outcome: 'unknown_part' },
  ],
])('a seat %s', (_, values, expected) => {
  const sold = order({ seats, ...values });
  expect(refundOfSeat(sold, sold.seats[0] as never)).toEqual(expected);
});

test('a seat that was sold without a name is refunded by its own id', () => {
  const sold = order({ seats, refunds: [paidBack(1000, { registrationIds: ['seat_3'] })] });
  expect(refundOfSeat(sold, sold.seats[2] as never)).toEqual({ outcome: 'whole' });
});
