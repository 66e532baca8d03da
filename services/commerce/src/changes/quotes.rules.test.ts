import { type OrderStatus, orderStatuses } from '@event-api/contracts/http/orders';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { createRandom } from '@event-api/platform/testing/random';
import { describe, expect, test } from 'vitest';
import { type ExistingRefund, leftOf, refundPolicyCause } from '../refunds/refunds.rules.ts';
import {
  decideExecution,
  decideQuote,
  type QuoteDecision,
  type QuoteFacts,
  type StoredQuote,
} from './quotes.rules.ts';

const now = new Date('2027-04-01T00:00:00.000Z');
const event = {
  ...{ status: 'published', timezone: 'Europe/Berlin' },
  startsAt: new Date('2027-05-10T07:00:00.000Z'),
  endsAt: new Date('2027-05-12T16:00:00.000Z'),
};
const band = {
  ...{ daysBeforeStart: 14, until: null, percent: 80, fixedFee: 10 },
  ticketTypeIds: [] as string[],
};
const policy = { text: '', refundableUntil: null, automatic: false, bands: [band] };

/** A paid order of seats with these prices. */
function orderOf(amounts: readonly number[], fields: object = {}) {
  const totalAmount = amounts.reduce((sum, amount) => sum + amount, 0);
  return {
    ...{ id: 'ord_1', currency: 'EUR', status: 'paid' as OrderStatus, intent: null },
    ...{ settlementId: 'stl_1', refundPolicy: policy, holdExpired: true, totalAmount },
    seats: amounts.map((amount, n) => ({
      ...{ ticketTypeId: 'tt_a', email: `${n}@example.com`, name: null, inBundle: false, amount },
    })),
    lines: [
      {
        ...{ firstSeat: 0, seatCount: amounts.length, totalAmount },
        registrationIds: amounts.map((_, n) => `reg_${n + 1}`),
        unfulfilledRegistrationIds: [] as string[],
      },
    ],
    addons: [],
    addonRegistrationId: null,
    registrationStatuses: {} as Record<string, RegistrationStatus>,
    cancelledSeatIds: [] as string[],
    eventCancelledAt: null as Date | null,
    ...fields,
  };
}

const factsOf = (fields: Partial<QuoteFacts> = {}): QuoteFacts => ({
  ...{ paid: 300, refunds: [], event, now, cancelledSeatIds: [] },
  ...fields,
});

const refund = (fields: Partial<ExistingRefund>): ExistingRefund => ({
  ...{ id: 'rfd_1', state: 'done', amount: 100, settlementId: 'stl_1', cause: 'operator' },
  ...{ requestedExtent: 'amount', registrationIds: [], revokesSeats: false },
  ...fields,
});

const quote = (
  fields: object = {},
  facts: Partial<QuoteFacts> = {},
  cancelSeats: readonly string[] = ['seat_1_1'],
): QuoteDecision => decideQuote(orderOf([100, 200], fields), { cancelSeats }, factsOf(facts));

const line = {
  ...{ seatId: 'seat_1_1', itemIndex: 0, paid: 100, refund: 70, fee: 10, amountToPay: 0 },
  ...{ band: 0, reason: 'band' },
};
const other = { ...line, seatId: 'seat_1_2', paid: 200, refund: 150 };
const quoted = (...lines: object[]) => expect.objectContaining({ lines });

describe('a quote', () => {
  test('has a line for each seat, and their sums', () => {
    const both = quote({}, {}, ['seat_1_2', 'seat_1_1']);
    expect(both).toEqual({
      outcome: 'quoted',
      quote: { currency: 'EUR', lines: [other, line], refund: 220, fee: 20, amountToPay: 0 },
      seats: [
        expect.objectContaining({ registrationId: 'reg_2', refundAmount: 150, refundState: 'due' }),
        expect.objectContaining({ registrationId: 'reg_1', refundAmount: 70, refundState: 'due' }),
      ],
    });
  });

  const last = new Date('2027-05-09T07:00:00.000Z');
  test.each<[string, QuoteDecision, object]>([
    ['after the last band', quote({}, { now: last }), { reason: 'too_late', band: null }],
    ['without a policy', quote({ refundPolicy: null }), { reason: 'no_bands', band: null }],
    [
      'of a seat whose price was refunded',
      quote({}, { refunds: [refund({ registrationIds: ['reg_1'] })] }),
      { reason: 'settled', band: null },
    ],
  ])('%s pays nothing back', (_, decision, expected) => {
    const nothing = { ...line, refund: 0, fee: 0, ...expected };
    expect(decision).toMatchObject({ quote: { lines: [nothing], refund: 0 } });
  });

  test('pays back no more than is left', () => {
    const decision = quote({}, { refunds: [refund({ amount: 250 })] });
    expect(decision).toMatchObject({ quote: quoted({ ...line, refund: 50 }) });
  });

  test('is sent at once by an automatic policy', () => {
    const automatic = quote({ refundPolicy: { ...policy, automatic: true } });
    expect(automatic).toMatchObject({ seats: [{ refundState: 'pending' }] });
  });

  const archived = { ...event, status: 'archived' };
  test.each<[string, QuoteDecision, object]>([
    ['an archived event', quote({}, { event: archived }), { outcome: 'event_archived' }],
    ['an ended event', quote({}, { now: event.endsAt }), { outcome: 'event_ended' }],
    ['an order with a step to finish', quote({ intent: 'restore' }), { outcome: 'busy' }],
    [
      'an order of which an amount is on its way back',
      quote({}, { refunds: [refund({ state: 'pending' })] }),
      { outcome: 'busy' },
    ],
    [
      'seats that the order does not have',
      quote({}, {}, ['seat_1_3', 'seat_1_1', 'reg_1']),
      { outcome: 'unknown_seats', indexes: [0, 2] },
    ],
    [
      'a seat whose registration is cancelled',
      quote({ registrationStatuses: { reg_2: 'cancelled' } }, {}, ['seat_1_1', 'seat_1_2']),
      { outcome: 'seat_cancelled', index: 1, seatId: 'seat_1_2' },
    ],
    [
      'a seat that an earlier change has cancelled',
      quote({}, { cancelledSeatIds: ['seat_1_1'] }),
      { outcome: 'seat_cancelled', index: 0, seatId: 'seat_1_1' },
    ],
  ])('is refused for %s', (_, decision, expected) => {
    expect(decision).toEqual(expected);
  });

  test.each(orderStatuses)('of an order that is %s', (status) => {
    const expected = status === 'paid' ? { outcome: 'quoted' } : { outcome: 'not_paid', status };
    expect(quote({ status, holdExpired: false })).toMatchObject(expected);
  });

  test('names the expiry of a hold that is not stored yet', () => {
    expect(quote({ status: 'held', settlementId: null })).toEqual({
      outcome: 'not_paid',
      status: 'expired',
    });
  });
});

describe('the execution of a quote', () => {
  const stored = (fields: Partial<StoredQuote> = {}): StoredQuote => ({
    ...{ state: 'quoted', isExpired: false, request: { cancelSeats: ['seat_1_1'] } },
    quote: { currency: 'EUR', lines: [line as never], refund: 70, fee: 10, amountToPay: 0 },
    ...fields,
  });
  const execute = (
    fields: Partial<StoredQuote> = {},
    facts: Partial<QuoteFacts> = {},
    order: object = {},
  ): string => decideExecution(orderOf([100, 200], order), stored(fields), factsOf(facts)).outcome;

  test.each<[string, string, string]>([
    ['that stays as it was', execute(), 'execute'],
    ['that has expired', execute({ isExpired: true }), 'expired'],
    ['that is being executed', execute({ state: 'executing', isExpired: true }), 'executed'],
    ['that was executed', execute({ state: 'done' }), 'executed'],
    ['whose band has ended', execute({}, { now: new Date('2027-05-09T00:00:00Z') }), 'expired'],
    ['of an event that was moved', execute({}, { event: { ...event, startsAt: now } }), 'expired'],
    [
      'whose money was paid back',
      execute({}, { refunds: [refund({ registrationIds: ['reg_1'] })] }),
      'expired',
    ],
    [
      'whose seat was cancelled',
      execute({}, {}, { registrationStatuses: { reg_1: 'cancelled' } }),
      'expired',
    ],
    ['of which less is left', execute({}, { refunds: [refund({ amount: 250 })] }), 'expired'],
    [
      'after a refund that leaves its amounts',
      execute({}, { refunds: [refund({ amount: 10 })] }),
      'execute',
    ],
    [
      'of another seat cancelled meanwhile',
      execute({}, { cancelledSeatIds: ['seat_1_2'] }),
      'execute',
    ],
  ])('%s', (_, outcome, expected) => {
    expect(outcome).toBe(expected);
  });
});

describe('300 random orders that change again and again', () => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  const dayMs = 86_400_000;

  test('do what was quoted, cancel no seat twice and pay back no more than was paid', () => {
    let executed = 0;
    let expired = 0;
    for (let n = 0; n < 300; n++) {
      const random = createRandom(seed + n);
      const amounts = Array.from({ length: 1 + random.below(6) }, () => random.below(50_000));
      const paid = amounts.reduce((sum, amount) => sum + amount, 0);
      const [first, second] = [14, 3].map((daysBeforeStart) => ({
        ...{ ...band, daysBeforeStart, percent: random.below(101), fixedFee: random.below(2000) },
      }));
      const refundPolicy = { ...policy, bands: [first, second] };
      const order = orderOf(amounts, { refundPolicy, totalAmount: paid });
      const refunds: ExistingRefund[] = [];
      const cancelledSeatIds: string[] = [];
      let at = now;
      for (let turn = 0; turn < 8; turn++) {
        const cancelSeats = amounts.flatMap((_, seat) =>
          random.chance(0.3) ? `seat_1_${seat + 1}` : [],
        );
        const facts = () => factsOf({ paid, refunds, cancelledSeatIds, now: at });
        const decision = decideQuote(order, { cancelSeats }, facts());
        const isRepeated = cancelSeats.some((id) => cancelledSeatIds.includes(id));
        expect(decision.outcome, `seed ${seed + n}`).toBe(isRepeated ? 'seat_cancelled' : 'quoted');
        if (decision.outcome !== 'quoted') continue;
        const quote = structuredClone(decision.quote);
        // Time passes, and an operator may pay an amount back.
        at = new Date(at.getTime() + random.below(6) * dayMs);
        const left = leftOf(order, paid, refunds);
        if (random.chance(0.2)) refunds.push(refund({ amount: random.below(left + 1) }));
        const request = { cancelSeats };
        const stored = { state: 'quoted', isExpired: false, request, quote } as const;
        const execution = decideExecution(order, stored, facts());
        if (execution.outcome !== 'execute') {
          expired += 1;
          continue;
        }
        executed += 1;
        const paidBack = execution.seats.map(({ refundAmount }) => refundAmount);
        const sum = paidBack.reduce((total, amount) => total + amount, 0);
        expect(sum, `seed ${seed + n}`).toBe(quote.refund);
        for (const seat of execution.seats) {
          expect(seat.refundAmount + seat.keptAmount, `seed ${seed + n}`).toBe(seat.paidAmount);
          const { registrationId: id, refundAmount: amount } = seat;
          if (amount === 0) continue;
          const ofSeat = { cause: refundPolicyCause, registrationIds: [id], amount };
          refunds.push(refund({ ...ofSeat, state: 'due' }));
        }
        cancelledSeatIds.push(...cancelSeats);
      }
      expect(leftOf(order, paid, refunds), `seed ${seed + n}`).toBeGreaterThanOrEqual(0);
      expect(new Set(cancelledSeatIds).size).toBe(cancelledSeatIds.length);
    }
    // Both happen, so that the test has seen both.
    expect(executed).toBeGreaterThan(100);
    expect(expired).toBeGreaterThan(10);
  });
});
