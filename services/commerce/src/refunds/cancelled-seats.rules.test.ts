import { type OrderStatus, orderStatuses } from '@event-api/contracts/http/orders';
import { quoteRefund } from '@event-api/rules/refund-quote';
import { describe, expect, test } from 'vitest';
import {
  type CancelledSeatDecision,
  decideCancelledSeat,
  seatItemsOf,
} from './cancelled-seats.rules.ts';
import { type ExistingRefund, leftOf, refundPolicyCause } from './refunds.rules.ts';

const cancelledAt = new Date('2027-04-01T00:00:00.000Z');
const event = {
  ...{ startsAt: new Date('2027-05-10T07:00:00.000Z'), timezone: 'Europe/Berlin' },
  cancelledAt: null as Date | null,
};
const band = {
  ...{ daysBeforeStart: 14, until: null, percent: 80, fixedFee: 10 },
  ticketTypeIds: [] as string[],
};
const policy = { text: '', refundableUntil: null, automatic: false, bands: [band] };

/** A paid order of seats with these prices; the last one was not delivered. */
function orderOf(amounts: readonly number[], fields: object = {}) {
  const registrationIds = amounts.map((_, n) => `reg_${n}`);
  return {
    status: 'paid' as OrderStatus,
    payments: [{ id: 'stl_1', amount: amounts.reduce((sum, amount) => sum + amount, 0) }],
    refundPolicy: policy,
    eventCancelledAt: null as Date | null,
    isMoving: false,
    seats: amounts.map((amount, n) => ({
      ...{ ticketTypeId: n % 2 === 0 ? 'tt_a' : 'tt_b', email: `${n}@example.com`, name: null },
      ...{ inBundle: false, amount },
    })),
    lines: [
      {
        ...{ firstSeat: 0, seatCount: amounts.length, registrationIds },
        totalAmount: amounts.reduce((sum, amount) => sum + amount, 0),
        unfulfilledRegistrationIds: ['reg_elsewhere'],
      },
    ],
    addons: [],
    addonRegistrationId: null,
    ...fields,
  };
}

const refund = (fields: Partial<ExistingRefund>): ExistingRefund => ({
  ...{ id: 'rfd_1', state: 'done', amount: 100, settlementId: 'stl_1', cause: 'operator' },
  ...{ requestedExtent: 'registrationIds', registrationIds: ['reg_0'], revokesSeats: true },
  ...fields,
});

const decide = (
  fields: object = {},
  refunds: readonly ExistingRefund[] = [],
  registrationId = 'reg_0',
): CancelledSeatDecision =>
  decideCancelledSeat(
    orderOf([100, 200], fields),
    { registrationId, cancelledAt, endedWithEvent: null },
    { refunds, event, isUnstored: false },
  );

const decided = (
  paidAmount: number,
  refundAmount: number,
  as: 'due' | 'pending' | null,
  keptAmount = refundAmount > 0 ? paidAmount - refundAmount : 0,
) => ({
  outcome: 'decided',
  amounts: {
    ...{ paidAmount, refundAmount, keptAmount },
    ...(refundAmount > 0
      ? { feeAmount: 10, band: 0, reason: 'band' }
      : { feeAmount: 0, band: null, reason: 'settled' }),
    isLimited: false,
  },
  refund: as,
});

describe('a cancelled seat', () => {
  test.each<[string, CancelledSeatDecision, object]>([
    ['is due by the policy', decide(), decided(100, 70, 'due')],
    [
      'is sent at once by an automatic policy',
      decide({ refundPolicy: { ...policy, automatic: true } }),
      decided(100, 70, 'pending'),
    ],
    [
      'gets no more than is left',
      decide({}, [refund({ amount: 250, registrationIds: [] })]),
      {
        ...decided(100, 50, 'due'),
        // Nothing is left for the fee.
        amounts: { ...decided(100, 50, 'due').amounts, feeAmount: 0, isLimited: true },
      },
    ],
    ...(['pending', 'done'] as const).map(
      (state) =>
        [
          `gets nothing after a refund of its price that is ${state}`,
          decide({}, [refund({ state })]),
          decided(100, 0, null),
        ] as [string, CancelledSeatDecision, object],
    ),
    [
      'gets its refund although another has failed',
      decide({}, [refund({ state: 'failed' })]),
      decided(100, 70, 'due'),
    ],
    [
      'gets its refund although that of another seat is done',
      decide({}, [refund({ registrationIds: ['reg_1'] })]),
      decided(100, 70, 'due'),
    ],
    [
      'is refunded by the policy once',
      decide({}, [refund({ state: 'due', cause: refundPolicyCause })]),
      decided(100, 0, null),
    ],
    [
      'that a change has cancelled before it got its registration gets nothing',
      decide({ seats: orderOf([100, 200]).seats.map((seat) => ({ ...seat, isCancelled: true })) }),
      decided(100, 0, null, 100),
    ],
    ['of no order gets nothing', decide({}, [], 'reg_elsewhere'), decided(0, 0, null)],
  ])('%s', (_, decision, expected) => {
    expect(decision).toEqual(expected);
  });

  test.each(orderStatuses)('of an order that is %s', (status) => {
    const outcomes: Record<OrderStatus, object> = {
      held: { outcome: 'wait' },
      awaiting_payment: { outcome: 'wait' },
      expired: { outcome: 'wait' },
      paid: decided(100, 70, 'due'),
      cancelled: decided(100, 0, null),
      refund_due: decided(100, 0, null),
      refunded: decided(100, 0, null),
    };
    expect(decide({ status })).toEqual(outcomes[status]);
  });

  test('waits for its assignment, without which its order has no price for it', () => {
    const seat = { registrationId: 'reg_assigned', cancelledAt, endedWithEvent: null };
    const facts = { refunds: [], event, isUnstored: true };
    expect(decideCancelledSeat(orderOf([100, 200]), seat, facts)).toEqual({ outcome: 'wait' });
  });

  test('waits while registration decides about other ticket types of its order', () => {
    expect(decide({ isMoving: true })).toEqual({ outcome: 'wait' });
  });

  test('of a changed type gets what its band gives of what is paid for it now', () => {
    const [first, ...others] = orderOf([100, 200]).seats;
    const seats = [{ ...first, changedTo: { ticketTypeId: 'tt_b', amount: 40 } }, ...others];
    const bands = [{ ...band, ticketTypeIds: ['tt_b'], percent: 50, fixedFee: 0 }];
    expect(decide({ seats, refundPolicy: { ...policy, bands } })).toMatchObject({
      amounts: { paidAmount: 40, refundAmount: 20, band: 0 },
    });
  });

  test('after the last band gets nothing, and the reason says so', () => {
    const bands = [{ ...band, daysBeforeStart: 100 }];
    expect(decide({ refundPolicy: { ...policy, bands } })).toMatchObject({
      amounts: { refundAmount: 0, keptAmount: 100, band: null, reason: 'too_late' },
      refund: null,
    });
  });

  test('of each ticket type has the band of the type that was paid for', () => {
    const bands = [{ ...band, ticketTypeIds: ['tt_b'], percent: 50, fixedFee: 0 }, band];
    const of = (id: string) => decide({ refundPolicy: { ...policy, bands } }, [], id);
    expect(of('reg_0')).toMatchObject({ amounts: { refundAmount: 70, band: 1 } });
    expect(of('reg_1')).toMatchObject({ amounts: { refundAmount: 100, band: 0 } });
  });
});

test('seats of 2000 random orders that are cancelled one by one get what the quote of all says', () => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  let state = seed;
  const random = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * (limit + 1));
  };
  for (let n = 0; n < 2000; n++) {
    const amounts = Array.from({ length: 1 + random(5) }, () => random(50_000));
    const paid = amounts.reduce((sum, amount) => sum + amount, 0);
    const bands = [{ ...band, percent: random(100), fixedFee: random(2000) }];
    const order = orderOf(amounts, { refundPolicy: { ...policy, bands } });
    // An operator has paid back an amount before.
    const refunds = [
      refund({ amount: random(paid), registrationIds: [], requestedExtent: 'amount' }),
    ];
    const ids = amounts.map((_, index) => `reg_${index}`).toSorted(() => random(2) - 1);
    const left = leftOf(order, refunds);
    const quote = quoteRefund({
      ...{ items: seatItemsOf(order, ids), policy: order.refundPolicy, event, left },
      now: cancelledAt,
    });
    let sum = 0;
    for (const registrationId of ids) {
      const decision = decideCancelledSeat(
        order,
        { registrationId, cancelledAt, endedWithEvent: null },
        { refunds, event, isUnstored: false },
      );
      if (decision.outcome === 'wait') throw new Error('waits');
      const { refundAmount: amount } = decision.amounts;
      sum += amount;
      if (amount === 0) continue;
      const ofPolicy = { cause: refundPolicyCause, registrationIds: [registrationId] };
      refunds.push(refund({ ...ofPolicy, state: 'due', amount, requestedExtent: null }));
    }
    expect(sum, `seed ${seed}, case ${n}`).toBe(quote.refundAmount);
    const all = refunds.reduce((total, { amount }) => total + amount, 0);
    expect(all, `seed ${seed}, case ${n}`).toBeLessThanOrEqual(paid);
  }
});

describe('a cancelled seat of a cancelled event', () => {
  const decideAs = (
    endedWithEvent: boolean | null,
    fields: object,
    eventCancelledAt: Date | null = cancelledAt,
  ) =>
    decideCancelledSeat(
      orderOf([100, 200], fields),
      { registrationId: 'reg_0', cancelledAt, endedWithEvent },
      {
        ...{ refunds: [], isUnstored: false },
        event: { ...event, cancelledAt: eventCancelledAt },
      },
    );

  test.each([true, null])('waits until the refund of its order is decided (%s)', (withEvent) => {
    expect(decideAs(withEvent, {})).toEqual({ outcome: 'wait' });
  });

  test('waits also before this service knows that its event is cancelled', () => {
    expect(decideAs(true, {}, null)).toEqual({ outcome: 'wait' });
  });

  test('gets what the policy promises if it was cancelled before its event', () => {
    expect(decideAs(false, {})).toEqual(decided(100, 70, 'due'));
  });

  test('gets nothing by the policy once the refund of its order is decided', () => {
    expect(decideAs(true, { eventCancelledAt: cancelledAt })).toEqual(decided(100, 0, null, 100));
  });

  test.each([
    ['full', 300, 0],
    ['policy', 220, 30],
  ] as const)('keeps what the refund %s has not paid back', (cancellationRefund, amount, kept) => {
    const ofEvent = { cause: 'event_cancelled', amount, registrationIds: [] };
    const decision = decideCancelledSeat(
      orderOf([100, 200], { eventCancelledAt: cancelledAt }),
      { registrationId: 'reg_0', cancelledAt, endedWithEvent: true },
      {
        ...{ refunds: [refund(ofEvent)], isUnstored: false },
        event: { ...event, cancelledAt, cancellationRefund },
      },
    );
    expect(decision).toEqual(decided(100, 0, null, kept));
  });

  test('does not wait if its order has ended', () => {
    expect(decideAs(true, { status: 'refunded' })).toEqual(decided(100, 0, null));
  });
});
