import { describe, expect, test } from 'vitest';
import { order, refund } from '../../components/ledger/order.fixture.ts';
import { endOfSeat } from './cancelled-seats.rules.ts';

const amounts = { refundAmount: 6700, keptAmount: 2300, feeAmount: 500 };
const seat = (values: object = {}) => ({
  ...{ registrationId: 'reg_1', cancelledAt: '2027-01-02T00:00:00Z', paidAmount: 9000 },
  ...amounts,
  ...{ band: 0, reason: 'band', ...values },
});
const refundPolicy = { text: '', refundableUntil: null, automatic: false, bands: [{}] };
const byPolicy = (state: string, id = 'reg_1') => ({
  ...refund(state, 6700, '2027-01-03T00:00:00Z'),
  cause: 'refund_policy',
  registrationIds: [id],
});

describe('the end of a cancelled seat', () => {
  test.each([
    ['nothing without rules', { refundPolicy: null, cancelledSeats: [seat()] }, null],
    [
      'nothing of rules that were never set',
      { refundPolicy: { ...refundPolicy, bands: [] } },
      null,
    ],
    [
      'nothing of a seat without a name that an operator has refunded',
      { seats: [{ id: 'reg_1' }] },
      null,
    ],
    ['undecided for a moment', {}, { outcome: 'undecided' }],
    ['nothing of an order that has ended', { status: 'refunded' }, null],
    [
      'nothing if the money was settled',
      { cancelledSeats: [seat({ reason: 'settled', band: null })] },
      null,
    ],
    [
      'too late',
      { cancelledSeats: [seat({ reason: 'too_late', band: null })] },
      { outcome: 'too_late' },
    ],
    [
      'due by a rule',
      { cancelledSeats: [seat()], refunds: [byPolicy('due')] },
      { outcome: 'by_rule', rule: 1, state: 'due', amounts },
    ],
    [
      'paid back by the second rule',
      { cancelledSeats: [seat({ band: 1 })], refunds: [byPolicy('done')] },
      { outcome: 'by_rule', rule: 2, state: 'done', amounts },
    ],
    [
      'without a refund, if that of the rule is of another seat',
      { cancelledSeats: [seat()], refunds: [byPolicy('done', 'reg_2')] },
      { outcome: 'by_rule', rule: 1, state: null, amounts },
    ],
  ])('is %s', (_, values, expected) => {
    expect(endOfSeat(order({ refundPolicy, ...values }), 'reg_1')).toEqual(expected);
  });
});
