import { type OrderStatus, orderStatuses } from '@event-api/contracts/http/orders';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { createRandom, type SeededRandom } from '@event-api/platform/testing/random';
import { describe, expect, test } from 'vitest';
import type { CancelledUnits, OrderedAddon, Seat } from '../orders/lines.rules.ts';
import { orderSeatsOf } from '../orders/order-seats.rules.ts';
import { decidedByChanges, seatPricesOf, wholePrice } from '../orders/seat-prices.rules.ts';
import { type ExistingRefund, leftOf, refundPolicyCause } from '../refunds/refunds.rules.ts';
import { afterChange, type ChangeRequest } from './effect.rules.ts';
import {
  decideExecution,
  decideQuote,
  type QuoteDecision,
  type QuoteFacts,
  type StoredQuote,
} from './quotes.rules.ts';

const now = new Date('2027-04-01T00:00:00.000Z');
const event = {
  ...{ status: 'published', timezone: 'Europe/Berlin', cancelledAt: null as Date | null },
  startsAt: new Date('2027-05-10T07:00:00.000Z'),
  endsAt: new Date('2027-05-12T16:00:00.000Z'),
};
const band = {
  ...{ daysBeforeStart: 14, until: null, percent: 80, fixedFee: 10 },
  ticketTypeIds: [] as string[],
};
const policy = { text: '', refundableUntil: null, automatic: false, bands: [band] };

const seatOf = (amount: number, n = 0): Seat => ({
  ...{ ticketTypeId: 'tt_a', email: `${n}@example.com`, name: null, inBundle: false, amount },
});

/** A paid order of seats with these prices. */
function orderOf(amounts: readonly number[], fields: object = {}) {
  const totalAmount = amounts.reduce((sum, amount) => sum + amount, 0);
  return {
    ...{ id: 'ord_1', currency: 'EUR', status: 'paid' as OrderStatus, intent: null },
    ...{ settlementId: 'stl_1', refundPolicy: policy, holdExpired: true, totalAmount },
    payments: [{ id: 'stl_1', amount: totalAmount }],
    seats: amounts.map(seatOf),
    lines: [
      {
        ...{ itemType: 'registration_type' as const, itemId: 'tt_a', quantity: amounts.length },
        ...{ unitAmount: 0, firstSeat: 0, seatCount: amounts.length, totalAmount, attendees: [] },
        registrationIds: amounts.map((_, n) => `reg_${n + 1}`),
        unfulfilledRegistrationIds: [] as string[],
      },
    ],
    addons: [] as OrderedAddon[],
    cancelledAddons: [] as CancelledUnits[],
    addonRegistrationId: null as string | null,
    registrationStatuses: {} as Record<string, RegistrationStatus>,
    cancelledSeatIds: [] as string[],
    eventCancelledAt: null as Date | null,
    isMoving: false,
    ...fields,
  };
}

const prices = new Map([
  ['tt_a', 100],
  ['tt_b', 50],
  ['tt_c', 150],
  ['tt_free', 0],
]);

const factsOf = (fields: Partial<QuoteFacts> = {}): QuoteFacts => ({
  ...{ refunds: [], event, prices, now },
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
): QuoteDecision =>
  decideQuote(orderOf([100, 200], fields), { cancelSeats, cancelAddons: [] }, factsOf(facts));

const line = {
  ...{ seatId: 'seat_1_1', itemIndex: 0, quantity: 1, paid: 100, refund: 70, fee: 10 },
  ...{ amountToPay: 0, band: 0, reason: 'band', ticketTypeId: null, price: null },
  isLimited: false,
};
const other = { ...line, seatId: 'seat_1_2', paid: 200, refund: 150 };
const quoted = (...lines: object[]) => expect.objectContaining({ lines });

describe('a quote', () => {
  test('has a line for each seat, and their sums', () => {
    const both = quote({}, {}, ['seat_1_2', 'seat_1_1']);
    expect(both).toMatchObject({
      outcome: 'quoted',
      quote: { currency: 'EUR', lines: [other, line], refund: 220, fee: 20, amountToPay: 0 },
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
    for (const [amount, left, fee] of [
      [225, 70, 5],
      [250, 50, 0],
      [300, 0, 0],
    ] as const) {
      const decision = quote({}, { refunds: [refund({ amount })] });
      const isLimited = left < 70;
      const limited = { ...line, refund: left, fee, isLimited };
      expect(decision).toMatchObject({ quote: quoted(limited) });
    }
  });

  const archived = { ...event, status: 'archived' };
  test.each<[string, QuoteDecision, object]>([
    ['an archived event', quote({}, { event: archived }), { outcome: 'event_archived' }],
    [
      'a cancelled event',
      quote({}, { event: { ...archived, cancelledAt: now } }),
      { outcome: 'event_cancelled' },
    ],
    ['an ended event', quote({}, { now: event.endsAt }), { outcome: 'event_ended' }],
    ['an order with a step to finish', quote({ intent: 'restore' }), { outcome: 'busy' }],
    ['an order whose seats get other types', quote({ isMoving: true }), { outcome: 'busy' }],
    [
      'an order of which an amount is on its way back',
      quote({}, { refunds: [refund({ state: 'pending' })] }),
      { outcome: 'busy' },
    ],
    [
      'seats that the order does not have',
      quote({}, {}, ['seat_1_3', 'seat_1_1', 'reg_1']),
      { outcome: 'unknown_seats', list: 'cancelSeats', indexes: [0, 2] },
    ],
    [
      'a seat whose registration is cancelled',
      quote({ registrationStatuses: { reg_2: 'cancelled' } }, {}, ['seat_1_1', 'seat_1_2']),
      { outcome: 'seat_cancelled', list: 'cancelSeats', index: 1, seatId: 'seat_1_2' },
    ],
    [
      'a seat that an earlier change has cancelled',
      quote({ seats: [{ ...seatOf(100), isCancelled: true }, seatOf(200)] }),
      { outcome: 'seat_cancelled', list: 'cancelSeats', index: 0, seatId: 'seat_1_1' },
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

describe('a seat with another ticket type', () => {
  const to = (ticketTypeId: string, seatId = 'seat_1_1') => ({ seatId, ticketTypeId });
  const change = (
    request: Partial<ChangeRequest>,
    fields: object = {},
    facts: Partial<QuoteFacts> = {},
  ): QuoteDecision =>
    decideQuote(
      orderOf([100, 200], fields),
      { cancelSeats: [], cancelAddons: [], ...request },
      factsOf(facts),
    );
  const changed = { ...line, fee: 0, ticketTypeId: 'tt_b', price: 50, refund: 40 };
  const whole = [{ ...band, percent: 100 }];

  test.each<[string, QuoteDecision, object]>([
    ['gets the percentage of the difference, no fee', change({ changeTypes: [to('tt_b')] }), {}],
    [
      'gets nothing of a free type less than its price',
      change({ changeTypes: [to('tt_free')] }),
      { ticketTypeId: 'tt_free', price: 0, refund: 80 },
    ],
    [
      'gets the percentage of the band of its present type',
      change(
        { changeTypes: [to('tt_b')] },
        { refundPolicy: { ...policy, bands: [{ ...band, ticketTypeIds: ['tt_b'] }, ...whole] } },
      ),
      { refund: 50, band: 1 },
    ],
    [
      'gets nothing without bands: an operator decides',
      change({ changeTypes: [to('tt_b')] }, { refundPolicy: null }),
      { refund: 0, band: null, reason: 'no_bands' },
    ],
    [
      'gets nothing after its price was paid back',
      change(
        { changeTypes: [to('tt_b')] },
        {},
        { refunds: [refund({ registrationIds: ['reg_1'] })] },
      ),
      { refund: 0, band: null, reason: 'settled' },
    ],
    [
      'gets no more than is left',
      change({ changeTypes: [to('tt_b')] }, {}, { refunds: [refund({ amount: 270 })] }),
      { refund: 30, isLimited: true },
    ],
    [
      'that was changed before is compared with what is paid for it now',
      change(
        { changeTypes: [to('tt_free')] },
        {
          seats: [{ ...seatOf(100), changedTo: { ticketTypeId: 'tt_b', amount: 50 } }, seatOf(200)],
        },
      ),
      { ticketTypeId: 'tt_free', price: 0, paid: 50, refund: 40 },
    ],
  ])('%s', (_, decision, expected) => {
    expect(decision).toMatchObject({ quote: { lines: [{ ...changed, ...expected }] } });
  });

  test('that costs the same gets nothing', () => {
    const same = new Map([['tt_b', 100]]);
    expect(change({ changeTypes: [to('tt_b')] }, {}, { prices: same })).toMatchObject({
      quote: { refund: 0, lines: [{ paid: 100, price: 100, refund: 0 }] },
    });
  });

  test('and what is cancelled with it have their lines in the order of the request', () => {
    const request = { cancelSeats: ['seat_1_2'], changeTypes: [to('tt_b')] };
    expect(change(request)).toMatchObject({ quote: { lines: [other, changed], refund: 190 } });
  });

  const swap = [to('tt_c'), to('tt_a2', 'seat_1_2')];
  const swapPrices = { prices: new Map([...prices, ['tt_a2', 120]]) };
  const dearer = { ticketTypeId: 'tt_c', price: 150, refund: 0 };
  const cheaper = { ticketTypeId: 'tt_a2', paid: 200, price: 120 };

  test.each<[string, QuoteDecision, number]>([
    // 80 % of the 30 that the dearer type leaves of 80.
    ['is paid by a seat that costs less', change({ changeTypes: swap }, {}, swapPrices), 24],
    [
      'takes all that another seat costs less',
      change({ changeTypes: swap }, {}, { prices: new Map([...prices, ['tt_a2', 150]]) }),
      0,
    ],
    [
      'is paid without bands, too',
      change({ changeTypes: swap }, { refundPolicy: null }, swapPrices),
      0,
    ],
  ])('that costs more %s', (_, decision, refundOfOther) => {
    const lines = [dearer, { ...cheaper, price: expect.any(Number), refund: refundOfOther }];
    expect(decision).toMatchObject({ quote: { lines, refund: refundOfOther, amountToPay: 0 } });
  });

  test('that costs more has this amount from then on, and all that was paid belongs to a seat', () => {
    const request = { cancelSeats: [], cancelAddons: [], changeTypes: swap };
    const order = orderOf([100, 200]);
    const facts = factsOf(swapPrices);
    const decision = decideQuote(order, request, facts);
    if (decision.outcome !== 'quoted') throw new Error(decision.outcome);
    const stored = { state: 'quoted', isExpired: false, request, quote: decision.quote } as const;
    const execution = decideExecution(order, stored, facts);
    if (execution.outcome !== 'execute') throw new Error(execution.outcome);
    const after = { ...order, ...afterChange(order, execution) };
    expect(orderSeatsOf(after).map(({ amount }) => amount)).toEqual([150, 120]);
    expect(decidedByChanges(after)).toBe(30);
  });

  const ofSeat = (id: string) => ({ refunds: [refund({ registrationIds: [id] })], ...swapPrices });
  const higher = { outcome: 'price_higher', index: 0, seatId: 'seat_1_1' };

  test.each<[string, QuoteDecision, number[]]>([
    ['more than what was paid', change({ changeTypes: [to('tt_c')] }), [50]],
    [
      'more than what others cost less',
      change({ changeTypes: swap }, {}, { prices: new Map([...prices, ['tt_a2', 151]]) }),
      [1, 0],
    ],
    [
      'more than what is left of others for the second seat',
      change(
        { changeTypes: [to('tt_c'), to('tt_b', 'seat_1_2'), to('tt_c', 'seat_1_3')] },
        orderOf([100, 140, 100]),
      ),
      [0, 0, 10],
    ],
    [
      'more than what a seat costs less whose price was paid back',
      change({ changeTypes: swap }, {}, ofSeat('reg_2')),
      [50, 0],
    ],
  ])('that costs %s is to be paid', (_, decision, amounts) => {
    const amountToPay = amounts.reduce((sum, amount) => sum + amount, 0);
    const lines = amounts.map((amount) => ({ amountToPay: amount, refund: 0 }));
    expect(decision).toMatchObject({ quote: { lines, amountToPay, refund: 0 } });
  });

  test.each<[string, QuoteDecision, object]>([
    [
      'that costs more, of a seat whose price was paid back',
      change({ changeTypes: swap }, {}, ofSeat('reg_1')),
      higher,
    ],
    [
      'that costs more, with a seat that is cancelled',
      change({ changeTypes: [to('tt_c')], cancelSeats: ['seat_1_2'] }),
      higher,
    ],
    [
      'that costs more, of a free order',
      change({ changeTypes: [to('tt_c')] }, { totalAmount: 0, payments: [] }),
      higher,
    ],
    [
      'that the event does not have',
      change({ changeTypes: [to('tt_x')] }),
      { outcome: 'unknown_types', seats: [], types: [0] },
    ],
    [
      'that neither the order nor the event has',
      change({ changeTypes: [to('tt_b'), to('tt_x', 'seat_1_3')] }),
      { outcome: 'unknown_types', seats: [1], types: [1] },
    ],
    ['that it has', change({ changeTypes: [to('tt_a')] }), { outcome: 'same_type', index: 0 }],
    [
      'of no seat of the order',
      change({ changeTypes: [to('tt_b', 'seat_1_3')] }),
      { outcome: 'unknown_seats', list: 'changeTypes', indexes: [0] },
    ],
    [
      'of a cancelled seat',
      change({ changeTypes: [to('tt_b')] }, { registrationStatuses: { reg_1: 'rejected' } }),
      { outcome: 'seat_cancelled', list: 'changeTypes', index: 0, seatId: 'seat_1_1' },
    ],
  ])('is refused %s', (_, decision, expected) => {
    expect(decision).toEqual(expected);
  });
});

describe('the execution of a quote', () => {
  const request = { cancelSeats: ['seat_1_1'], cancelAddons: [] };
  const stored = (fields: Partial<StoredQuote> = {}): StoredQuote => ({
    ...{
      state: 'quoted',
      isExpired: false,
      request,
    },
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
      'after another seat was cancelled',
      execute({}, {}, { registrationStatuses: { reg_2: 'cancelled' } }),
      'execute',
    ],
    [
      'whose seat has its holder still',
      execute({ request: { ...request, holders: ['reg_1'] } }),
      'execute',
    ],
    [
      'whose open seat was assigned',
      execute({ request: { ...request, holders: ['seat_1_1'] } }),
      'expired',
    ],
  ])('%s', (_, outcome, expected) => {
    expect(outcome).toBe(expected);
  });

  const archived = { ...event, status: 'archived' };
  test.each<[string, Partial<QuoteFacts>, object, object]>([
    ['event is archived', { event: archived }, {}, { outcome: 'event_archived' }],
    [
      'event is cancelled',
      { event: { ...archived, cancelledAt: now } },
      {},
      { outcome: 'event_cancelled' },
    ],
    ['event has ended', { now: event.endsAt }, {}, { outcome: 'event_ended' }],
    ['order is refunded', {}, { status: 'refunded' }, { outcome: 'not_paid', status: 'refunded' }],
    ['order is busy', {}, { intent: 'restore' }, { outcome: 'busy' }],
  ])('is refused as a new quote is, if the %s', (_, facts, fields, refusal) => {
    const order = orderOf([100, 200], fields);
    for (const isExpired of [false, true]) {
      expect(decideExecution(order, stored({ isExpired }), factsOf(facts))).toEqual({
        ...{ outcome: 'refused', refusal },
      });
    }
  });

  test('of the previous release does what it says', () => {
    const { ticketTypeId: _, price: __, ...former } = line;
    const quote = {
      currency: 'EUR',
      lines: [former as never],
      refund: 70,
      fee: 10,
      amountToPay: 0,
    };
    expect(decideExecution(orderOf([100, 200]), stored({ quote }), factsOf())).toMatchObject({
      outcome: 'execute',
      seats: [{ registrationId: 'reg_1', paidAmount: 100, refundAmount: 70, refundState: 'due' }],
    });
  });

  test('gives a seat its type and price, and what is quoted is sent at once by an automatic policy', () => {
    const request = {
      ...{ cancelSeats: ['seat_1_1'], cancelAddons: [] },
      changeTypes: [{ seatId: 'seat_1_2', ticketTypeId: 'tt_b' }],
    };
    const order = orderOf([100, 200], { refundPolicy: { ...policy, automatic: true } });
    const decision = decideQuote(order, request, factsOf());
    if (decision.outcome !== 'quoted') throw new Error(decision.outcome);
    const execution = decideExecution(
      order,
      { state: 'quoted', isExpired: false, request, quote: decision.quote },
      factsOf(),
    );
    if (execution.outcome !== 'execute') throw new Error(execution.outcome);
    const to = { ticketTypeId: 'tt_b', amount: 50 };
    const ofType = { paidAmount: 150, refundAmount: 120, keptAmount: 30, refundState: 'pending' };
    expect(execution).toMatchObject({
      seats: [{ id: 'seat_1_1', registrationId: 'reg_1', refundState: 'pending' }],
      types: [{ id: 'seat_1_2', registrationId: 'reg_2', to, ...ofType }],
    });
    expect(afterChange(order, execution).seats).toMatchObject([
      { isCancelled: true },
      { ticketTypeId: 'tt_a', amount: 200, changedTo: to },
    ]);
  });
});

test('a seat whose price was paid back before keeps its amount with another type', () => {
  const request = {
    ...{ cancelSeats: [], cancelAddons: [] },
    changeTypes: [{ seatId: 'seat_1_1', ticketTypeId: 'tt_b' }],
  };
  const order = orderOf([100, 200]);
  const facts = factsOf({ refunds: [refund({ registrationIds: ['reg_1'] })] });
  const decision = decideQuote(order, request, facts);
  if (decision.outcome !== 'quoted') throw new Error(decision.outcome);
  const stored = { state: 'quoted', isExpired: false, request, quote: decision.quote } as const;
  const execution = decideExecution(order, stored, facts);
  if (execution.outcome !== 'execute') throw new Error(execution.outcome);
  const after = { ...order, ...afterChange(order, execution) };
  expect(decidedByChanges(after)).toBe(0);
  expect(orderSeatsOf(after)[0]).toMatchObject({ ticketTypeId: 'tt_b', amount: 100 });
});

describe('900 random orders that change again and again', () => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  const dayMs = 86_400_000;

  /** An order of seats and of four units of an add-on, which the first seat has received. */
  function randomOrder(random: SeededRandom) {
    const amounts = Array.from({ length: 1 + random.below(6) }, () => random.below(50_000));
    const unitAmount = random.below(9000);
    const paid = amounts.reduce((sum, amount) => sum + amount, 4 * unitAmount);
    const bands = [14, 3].map((daysBeforeStart) => ({
      ...{ ...band, daysBeforeStart, percent: random.below(101), fixedFee: random.below(2000) },
    }));
    const order = orderOf(amounts, {});
    const addon = {
      ...{ itemType: 'addon' as const, itemId: 'addon_1', quantity: 4, unitAmount, attendees: [] },
      ...{ firstSeat: amounts.length, seatCount: 0, totalAmount: 4 * unitAmount },
      ...{ registrationIds: ['reg_1'], unfulfilledRegistrationIds: [] },
    };
    return {
      ...{ ...order, totalAmount: paid, payments: [{ id: 'stl_1', amount: paid }] },
      ...{ refundPolicy: { ...policy, bands } },
      lines: [...order.lines, addon],
      addons: [{ line: 1, addonId: 'addon_1', emails: [], quantity: 4 }],
      addonRegistrationId: 'reg_1',
    };
  }

  test('do what was quoted, cancel nothing twice and pay back no more than was paid', () => {
    let executed = 0;
    let expired = 0;
    let changed = 0;
    let dearer = 0;
    for (let n = 0; n < 900; n++) {
      const random = createRandom(seed + n);
      const order = randomOrder(random);
      const paid = order.totalAmount;
      const refunds: ExistingRefund[] = [];
      const cancelledSeatIds: string[] = [];
      const randomPrices = new Map(['tt_b', 'tt_c'].map((id) => [id, random.below(30_000)]));
      let [at, cancelledPaid, kept, charged] = [now, 0, 0, paid];
      for (let turn = 0; turn < 8; turn++) {
        const cancelSeats = order.seats.flatMap((_, seat) =>
          random.chance(0.3) ? `seat_1_${seat + 1}` : [],
        );
        const quantity = 1 + random.below(3);
        const cancelAddons = random.chance(0.4) ? [{ itemIndex: 1, quantity }] : [];
        const facts = () => factsOf({ refunds, prices: randomPrices, now: at });
        const present = orderSeatsOf(order);
        const changeTypes = present.flatMap(({ id, ticketTypeId, amount }) => {
          const type = random.pick([...randomPrices.keys()]);
          const difference = amount - (randomPrices.get(type) ?? 0);
          const isLeft = ![...cancelSeats, ...cancelledSeatIds].includes(id);
          return type !== ticketTypeId && isLeft && random.chance(difference < 0 ? 0.2 : 0.3)
            ? [{ seatId: id, ticketTypeId: type, difference }]
            : [];
        });
        const saved = changeTypes.reduce((sum, { difference }) => sum + difference, 0);
        const hasDearer = changeTypes.some(({ difference }) => difference < 0);
        changed += changeTypes.length;
        dearer += hasDearer && saved >= 0 ? 1 : 0;
        const request = { cancelSeats, cancelAddons, changeTypes };
        const decision = decideQuote(order, request, facts());
        const isRepeated = cancelSeats.some((id) => cancelledSeatIds.includes(id));
        const unitsLeft = 4 - order.cancelledAddons.reduce((sum, each) => sum + each.quantity, 0);
        const isFirstGone = [...cancelSeats, ...cancelledSeatIds].includes('seat_1_1');
        const isTooMany = cancelAddons.length > 0 && (isFirstGone || quantity > unitsLeft);
        const tooMany = unitsLeft === 0 ? 'no_units' : 'too_many_units';
        const refusedUnits = isFirstGone ? 'units_of_seat' : tooMany;
        const cancels = cancelSeats.length + cancelAddons.length > 0;
        const isRefused = hasDearer && saved < 0 && (cancels || order.totalAmount === 0);
        const refusedTypes = isRefused ? 'price_higher' : 'quoted';
        const refusedParts = refusedTypes === 'quoted' && isTooMany ? refusedUnits : refusedTypes;
        const refusal = isRepeated ? 'seat_cancelled' : refusedParts;
        expect(decision.outcome, `seed ${seed + n}`).toBe(refusal);
        if (decision.outcome !== 'quoted') continue;
        const quote = structuredClone(decision.quote);
        // Time passes, and an operator may pay an amount back.
        at = new Date(at.getTime() + random.below(6) * dayMs);
        const left = leftOf(order, refunds);
        if (random.chance(0.2)) refunds.push(refund({ amount: random.below(left + 1) }));
        const stored = { state: 'quoted', isExpired: false, request, quote } as const;
        const execution = decideExecution(order, stored, facts());
        if (execution.outcome !== 'execute') {
          expired += 1;
          continue;
        }
        executed += 1;
        const parts = [...execution.seats, ...execution.types, ...execution.units];
        const sumOf = (of: 'paidAmount' | 'refundAmount' | 'keptAmount') =>
          parts.reduce((total, part) => total + part[of], 0);
        expect(sumOf('refundAmount'), `seed ${seed + n}`).toBe(quote.refund);
        expect(sumOf('refundAmount') + sumOf('keptAmount')).toBe(sumOf('paidAmount'));
        // What it costs is paid before it happens.
        const { amountToPay: amount } = quote;
        expect(amount, `seed ${seed + n}`).toBe(hasDearer ? Math.max(0, -saved) : 0);
        if (amount > 0) order.payments.unshift({ id: `stl_${turn}`, amount });
        charged += amount;
        // Dearer types of a change count negatively.
        cancelledPaid += sumOf('paidAmount') + amount;
        kept += sumOf('keptAmount') + amount;
        const ended = execution.seats.map(({ registrationId }) => registrationId);
        for (const { registrationId: id, refundAmount: amount } of parts) {
          const registrationIds = ended.filter((each) => each === id);
          const ofPart = { cause: refundPolicyCause, registrationIds, amount };
          if (amount > 0) refunds.push(refund({ ...ofPart, state: 'due' }));
        }
        cancelledSeatIds.push(...cancelSeats);
        Object.assign(order, afterChange(order, execution));
      }
      const open = seatPricesOf(order).filter((_, seat) => {
        return !cancelledSeatIds.includes(`seat_1_${seat + 1}`);
      });
      const openPaid = open.reduce((sum, price) => sum + wholePrice(price), 0);
      // Every minor unit that was charged belongs to an open seat or to what was cancelled.
      expect(openPaid + cancelledPaid, `seed ${seed + n}`).toBe(charged);
      const byPolicy = refunds.filter(({ cause }) => cause === refundPolicyCause);
      const paidBack = byPolicy.reduce((sum, { amount }) => sum + amount, 0);
      expect(paidBack + kept, `seed ${seed + n}`).toBe(cancelledPaid);
      expect(leftOf(order, refunds), `seed ${seed + n}`).toBeGreaterThanOrEqual(0);
      expect(new Set(cancelledSeatIds).size).toBe(cancelledSeatIds.length);
    }
    // All happen, so that the test has seen them.
    expect(changed).toBeGreaterThan(100);
    expect(dearer).toBeGreaterThan(20);
    expect(executed).toBeGreaterThan(100);
    expect(expired).toBeGreaterThan(10);
  });
});
