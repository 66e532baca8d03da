import type { OrderStatus } from '@event-api/contracts/http/orders';
import type { RefundState } from '@event-api/contracts/operator/refunds';
import { expect, test } from 'vitest';
import { decideWithdrawal, type WithdrawalDecision } from './withdrawal.rules.ts';

const seat = (ticketTypeId: string, amount: number) => ({
  ticketTypeId,
  email: 'a@b.example',
  name: null,
  inBundle: false,
  amount,
});

/** An order of one line with seats at 400 and 300, whose attendees both had a registration. */
function orderOf({
  status = 'paid' as OrderStatus,
  ids = ['reg_a', 'reg_b'],
  amounts = [400, 300],
}) {
  return {
    status,
    intent: null,
    totalAmount: 700,
    settlementId: 'stl_1',
    holdExpired: false,
    seats: [seat('free', 0), ...amounts.map((amount) => seat('day', amount))],
    lines: [
      {
        firstSeat: 0,
        registrationIds: ['reg_f'],
        unfulfilledAmount: 0,
        unfulfilledRegistrationIds: [],
      },
      {
        firstSeat: 1,
        registrationIds: ['reg_a', 'reg_b'],
        unfulfilledAmount: 700,
        unfulfilledRegistrationIds: ids,
      },
    ],
  };
}
const refund = (amount: number, state: RefundState = 'due', cause = 'attendee_registered') => ({
  id: `rfd_${amount}`,
  state,
  cause,
  amount,
});
const received = (registrationId: string, ticketTypeId: string | null = 'day') => ({
  registrationId,
  ticketTypeId,
});
const withdraw = (
  refundIds: string[],
  rest: number,
  amount: number,
  ids: string[],
): WithdrawalDecision => ({
  outcome: 'withdraw',
  refundIds,
  rest,
  line: { position: 1, amount, ids },
});
const both = orderOf({});
const onlyB = orderOf({ ids: ['reg_b'] });

test.each<[what: string, decision: WithdrawalDecision, expected: WithdrawalDecision]>([
  [
    'the first of two seats leaves the price of the second due',
    decideWithdrawal(both, [refund(700)], received('reg_a')),
    withdraw(['rfd_700'], 300, 300, ['reg_b']),
  ],
  [
    'the second seat leaves the price of the first due',
    decideWithdrawal(both, [refund(700)], received('reg_b')),
    withdraw(['rfd_700'], 400, 400, ['reg_a']),
  ],
  [
    'the last seat leaves nothing due',
    decideWithdrawal(onlyB, [refund(700, 'withdrawn'), refund(300)], received('reg_b')),
    withdraw(['rfd_300'], 0, 400, []),
  ],
  [
    'an order without any seat before',
    decideWithdrawal(orderOf({ status: 'refund_due' }), [refund(700)], received('reg_a')),
    withdraw(['rfd_700'], 300, 300, ['reg_b']),
  ],
  [
    'a seat that cost nothing withdraws no refund',
    decideWithdrawal(orderOf({ amounts: [0, 300] }), [refund(300)], received('reg_a')),
    withdraw([], 0, 700, ['reg_b']),
  ],
  [
    'refunds for other causes stay due',
    decideWithdrawal(onlyB, [refund(50, 'due', 'mismatch'), refund(300)], received('reg_b')),
    withdraw(['rfd_300'], 0, 400, []),
  ],
  ...(['pending', 'done', 'failed', 'withdrawn'] as const).map(
    (state): [string, WithdrawalDecision, WithdrawalDecision] => [
      `a refund that is ${state} is not withdrawn`,
      decideWithdrawal(both, [refund(700, state)], received('reg_a')),
      { outcome: 'unchanged' },
    ],
  ),
  [
    'another ticket type than the order paid for',
    decideWithdrawal(both, [refund(700)], received('reg_a', 'vip')),
    { outcome: 'unchanged' },
  ],
  [
    'a registration that the order has already',
    decideWithdrawal(onlyB, [refund(300)], received('reg_a')),
    { outcome: 'unchanged' },
  ],
  ...(['held', 'awaiting_payment', 'expired'] as const).map(
    (status): [string, WithdrawalDecision, WithdrawalDecision] => [
      `an order whose fulfilment is not stored and that is ${status}`,
      decideWithdrawal(orderOf({ status }), [], received('reg_a')),
      { outcome: 'unfinished' },
    ],
  ),
  ...(['cancelled', 'refunded'] as const).map(
    (status): [string, WithdrawalDecision, WithdrawalDecision] => [
      `an order that is ${status}`,
      decideWithdrawal(orderOf({ status }), [refund(700)], received('reg_a')),
      { outcome: 'unchanged' },
    ],
  ),
])('withdrawal: %s', (_, decision, expected) => {
  expect(decision).toEqual(expected);
});
