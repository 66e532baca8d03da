import { describe, expect, test } from 'vitest';
import type { Change } from '../../api/records.ts';
import { mergeHistory } from '../../components/detail/history-rules.ts';
import { order, refund } from '../../components/ledger/order.fixture.ts';
import { factsOf } from './history-rules.ts';

const at = (seconds: number) => new Date(1_800_000_000_000 + 1000 * seconds).toISOString();
const change = (type: string, seconds: number) =>
  ({ id: `chg_${seconds}`, occurredAt: at(seconds), type, actor: { type: 'system' } }) as Change;

/** The timeline, oldest first. */
function timelineOf(values: object, changes: Change[]): string[] {
  const facts = factsOf(order({ placedAt: at(0), paidAt: null, paymentAttempts: [], ...values }));
  return mergeHistory({ changes, entries: [], facts })
    .map((each) => {
      if (each.kind === 'audit') return each.id;
      if (each.kind === 'fact') return each.fact.what;
      return each.fact?.what ?? each.change.type;
    })
    .toReversed();
}

const refundOf = (state: string, seconds: number, more: object = {}) => ({
  ...refund(state, 9600, at(seconds)),
  currency: 'EUR',
  ...more,
});

describe('the timeline of an order', () => {
  test.each<[string, object, [string, number][], string[]]>([
    [
      'a refund that is paid out at once',
      { refunds: [refundOf('done', 10, { doneAt: at(11) })] },
      [
        ['order.refund_changed', 10],
        ['order.refunded', 11],
      ],
      ['Refund of €96.00 requested', 'Refund of €96.00 paid out'],
    ],
    [
      'a refund that the provider refuses',
      { refunds: [refundOf('failed', 10)] },
      [
        ['order.refund_changed', 10],
        ['order.refund_changed', 40],
      ],
      ['Refund of €96.00 requested', 'Refund of €96.00 refused by the provider'],
    ],
    [
      'a refund that is due, and then withdrawn',
      { refunds: [refundOf('withdrawn', 10, { cause: 'unfulfillable' })] },
      [
        ['order.refund_due', 10],
        ['order.refund_changed', 90],
      ],
      ['Refund of €96.00 is due', 'Refund of €96.00 is not owed any more'],
    ],
    [
      'a refund whose changes are not read',
      { refunds: [refundOf('failed', 10)] },
      [],
      ['Refund of €96.00 requested'],
    ],
    [
      'payment pages, one expired and one paid after a declined card',
      {
        paymentAttempts: [
          { at: at(5), status: 'expired' },
          { at: at(100), status: 'declined' },
          { at: at(110), status: 'succeeded' },
        ],
      },
      [
        ['order.payment_changed', 5],
        ['order.payment_changed', 60],
        ['order.payment_changed', 100],
        ['order.payment_changed', 110],
        ['order.payment_changed', 112],
      ],
      [
        'Payment page opened',
        'Payment page expired',
        'A payment was declined',
        'Payment page opened',
        'Payment received',
      ],
    ],
    [
      'a change that the order does not explain',
      {},
      [['order.refund_changed', 9]],
      ['order.refund_changed'],
    ],
  ])('says what happened with %s', (_, values, changes, expected) => {
    const read = changes.map(([type, seconds]) => change(type, seconds));
    expect(timelineOf(values, read)).toEqual(['Placed', ...expected]);
  });
});
