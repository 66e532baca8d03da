import { type OrderStatus, orderStatuses } from '@event-api/contracts/http/orders';
import { describe, expect, test } from 'vitest';
import { decideEnd, decideRefund, decideSeatRefund, type RefundRequest } from './refunds.rules.ts';

const seat = (amount: number) => ({
  ticketTypeId: 'tt',
  email: 'a',
  name: null,
  inBundle: false,
  amount,
});
const fulfilledSeats = (...created: boolean[]) =>
  created.map((isCreated, n) => ({ registrationId: `reg_${n}`, created: isCreated }));
const line = (firstSeat: number, seatCount: number, totalAmount: number) => ({
  firstSeat,
  seatCount,
  totalAmount,
});
/** A line for each of two seats, and an add-on. */
const order = {
  lines: [line(0, 1, 300), line(1, 1, 200), line(2, 0, 100)],
  seats: [seat(300), seat(200)],
  addons: [],
};
/** One line of both seats: a bundle with a price above the shares of its seats. */
const bundle = { lines: [line(0, 2, 600)], seats: [seat(300), seat(200)], addons: [] };
const addonsOnly = { lines: [line(0, 0, 600)], seats: [], addons: [] };

describe('decideSeatRefund', () => {
  test.each([
    ['nothing if every seat was created', order, [true, true], 'reg_0', [0, 0, 0], false],
    ['the price of a seat that was not created', order, [true, false], 'reg_0', [0, 200, 0], false],
    [
      'all seats if only the add-ons were delivered',
      order,
      [false, false],
      'reg_0',
      [300, 200, 0],
      false,
    ],
    ['everything if nothing was delivered', order, [false, false], null, [300, 200, 100], true],
    ['the share of a seat of a bundle', bundle, [false, true], null, [300], false],
    ['the price of a bundle without any of its seats', bundle, [false, false], null, [600], true],
    ['nothing for delivered add-ons without seats', addonsOnly, [], 'reg_0', [0], false],
    ['everything for add-ons without a recipient', addonsOnly, [], null, [600], true],
  ])('refunds %s', (_, of, created, addonRegistrationId, amounts, isAll) => {
    const amount = amounts.reduce((sum, each) => sum + each, 0);
    const fulfilment = { seats: fulfilledSeats(...created), addonRegistrationId };
    expect(decideSeatRefund(of, fulfilment)).toEqual({ amounts, amount, isAll });
  });

  test.each([
    ['nothing if every recipient received the add-on', [['reg_0', 'reg_1'], ['reg_0']], [0, 0, 0]],
    [
      'a unit of the person who is not registered any more',
      [['reg_0', null], ['reg_0']],
      [0, 50, 0],
    ],
    [
      'the line of the buyer who is not registered any more',
      [['reg_0', 'reg_1'], [null]],
      [0, 0, 30],
    ],
  ])('refunds %s', (_, addonRegistrationIds, amounts) => {
    const named = {
      lines: [line(0, 1, 300), line(1, 0, 100), line(1, 0, 30)],
      seats: [seat(300)],
      addons: [
        { line: 1, addonId: 'addon_1', emails: ['a', 'b'] },
        { line: 2, addonId: 'addon_2', emails: [] },
      ],
    };
    const amount = amounts.reduce((sum, each) => sum + each, 0);
    const fulfilment = {
      seats: fulfilledSeats(true),
      addonRegistrationId: addonRegistrationIds[1]?.[0] ?? null,
      addonRegistrationIds,
    };
    expect(decideSeatRefund(named, fulfilment)).toEqual({ amounts, amount, isAll: false });
  });

  test('refunds nothing of a free order', () => {
    const free = { lines: [line(0, 1, 0)], seats: [seat(0)], addons: [] };
    const fulfilment = { seats: fulfilledSeats(false), addonRegistrationId: null };
    expect(decideSeatRefund(free, fulfilment)).toEqual({ amounts: [0], amount: 0, isAll: false });
  });
});

const requestedAt = new Date('2027-05-10T07:00:00Z');
const paid = { status: 'paid', payments: [{ id: 'stl_1', amount: 1000 }] };

/** A refund of the settlement that an operator requested a minute ago. */
const refund = (fields: object) => ({
  id: 'rfd_1',
  settlementId: 'stl_1',
  cause: 'operator',
  state: 'done' as const,
  amount: 100,
  requestedExtent: 'amount' as const,
  requestId: 'rfd_1',
  requestedAt,
  requestedAgoMs: 60_000,
  registrationIds: [],
  revokesSeats: false,
  ...fields,
});

/** A refund that no operator requested. */
const unrequested = (fields: object) =>
  refund({ requestedExtent: null, requestedAt: null, requestedAgoMs: null, ...fields });

const due = unrequested({ id: 'rfd_due', cause: 'mismatch', state: 'due' });
const dueOfOther = unrequested({ id: 'rfd_due', state: 'due', amount: 700, settlementId: 'stl_2' });

const amount = (of: number): RefundRequest => ({ extent: 'amount', amount: of, force: false });
const all: RefundRequest = { extent: 'all', force: false };
const onlyDue: RefundRequest = { extent: 'onlyDue', force: false };
const forced = (request: RefundRequest) => ({ ...request, force: true });

describe('decideRefund', () => {
  /** What a refund of everything does to a paid-for order without refunds, per status. */
  const ofAll: Record<OrderStatus, string> = {
    held: 'nothing',
    awaiting_payment: 'nothing',
    paid: 'refund',
    cancelled: 'nothing',
    expired: 'nothing',
    refund_due: 'nothing',
    refunded: 'nothing',
  };

  test.each(orderStatuses)('decides a full refund of an order with the status %s', (status) => {
    expect(decideRefund({ ...paid, status }, [], all).outcome).toBe(ofAll[status]);
    expect(decideRefund({ status, payments: [] }, [], all).outcome).toBe('nothing');
  });

  test.each([
    ['an amount', amount(300), [], { dueIds: [], amount: 300 }],
    ['the whole payment', all, [], { dueIds: [], amount: 1000 }],
    ['the rest after a refund', all, [refund({})], { dueIds: [], amount: 900 }],
    [
      'the rest after a pending refund',
      all,
      [refund({ state: 'pending' })],
      { dueIds: [], amount: 900 },
    ],
    [
      'everything after a failed refund',
      all,
      [refund({ state: 'failed' })],
      { dueIds: [], amount: 1000 },
    ],
    ['the rest and what is due', all, [due], { dueIds: ['rfd_due'], amount: 900 }],
    ['an amount and what is due', amount(900), [due], { dueIds: ['rfd_due'], amount: 900 }],
    ['only what is due', onlyDue, [due], { dueIds: ['rfd_due'], amount: 0 }],
    [
      'an amount and what is due of another settlement',
      amount(1000),
      [dueOfOther],
      { dueIds: ['rfd_due'], amount: 1000 },
    ],
  ])('pays %s', (_, request, refunds, expected) => {
    expect(decideRefund(paid, refunds, request)).toEqual({ outcome: 'refund', ...expected });
  });

  test.each([
    ['too_high', amount(1), [due, refund({ amount: 900 })], onlyDue],
    ['nothing_due', onlyDue, [], all],
    ['nothing_due', onlyDue, [], amount(1000)],
    ['duplicate', amount(100), [refund({})], forced(amount(100))],
  ] as const)('names a way out that works: %s', (outcome, request, refunds, wayOut) => {
    expect(decideRefund(paid, refunds, request).outcome).toBe(outcome);
    expect(decideRefund(paid, refunds, wayOut).outcome).toBe('refund');
  });

  test('pays only what is due for an order with the status refund_due', () => {
    const refundDue = { status: 'refund_due', payments: [] };
    expect(decideRefund(refundDue, [dueOfOther], all)).toEqual({
      outcome: 'refund',
      dueIds: ['rfd_due'],
      amount: 0,
    });
  });

  test.each([
    ['onlyDue if nothing is due', onlyDue, [refund({})], { outcome: 'nothing_due', left: 900 }],
    ['onlyDue if nothing is left', onlyDue, [refund({ amount: 1000 })], { outcome: 'nothing' }],
    ['all if nothing is left', all, [refund({ amount: 1000 })], { outcome: 'nothing' }],
    ['more than the rest', amount(901), [refund({})], { outcome: 'too_high', left: 900 }],
    [
      'more than the rest with a pending refund',
      amount(901),
      [refund({ state: 'pending' })],
      { outcome: 'too_high', left: 900 },
    ],
    [
      'more than the rest with a due refund',
      amount(901),
      [due],
      { outcome: 'too_high', left: 900 },
    ],
  ])('rejects %s', (_, request, refunds, expected) => {
    expect(decideRefund(paid, refunds, request)).toEqual(expected);
  });

  const paidAll = refund({ amount: 1000, requestedExtent: 'all' });
  const paidDue = refund({ cause: 'mismatch', requestedExtent: 'onlyDue' });

  test.each([
    ['the same amount', amount(100), [refund({})], 'refund'],
    ['the same amount, still pending', amount(100), [refund({ state: 'pending' })], 'refund'],
    ['the same amount while a refund is due', amount(100), [refund({}), due], 'refund'],
    ['the same amount, more than the rest', amount(501), [refund({ amount: 501 })], 'too_high'],
    ['the whole amount', amount(1000), [refund({ amount: 1000 })], 'nothing'],
    ['all', all, [paidAll], 'nothing'],
    ['onlyDue', onlyDue, [paidDue], 'nothing_due'],
    ['onlyDue of the whole payment', onlyDue, [{ ...paidDue, amount: 1000 }], 'nothing'],
  ] as const)(
    'finds a duplicate of %s, and says what force would do',
    (_, request, refunds, again) => {
      const duplicate = { outcome: 'duplicate', again, refundId: 'rfd_1', requestedAt };
      expect(decideRefund(paid, refunds, request)).toEqual(duplicate);
      expect(decideRefund(paid, refunds, forced(request)).outcome).toBe(again);
    },
  );

  test('finds a duplicate of an amount that several payments returned', () => {
    const parts = [refund({ amount: 60 }), refund({ amount: 40, settlementId: 'stl_2' })];
    const payments = [{ id: 'stl_2', amount: 40 }, ...paid.payments];
    expect(decideRefund({ ...paid, payments }, parts, amount(100)).outcome).toBe('duplicate');
    expect(decideRefund({ ...paid, payments }, parts, amount(60)).outcome).toBe('refund');
  });

  test.each([
    ['another amount', amount(101), [refund({})]],
    ['a request ten minutes ago', amount(100), [refund({ requestedAgoMs: 600_000 })]],
    ['a failed refund', amount(100), [refund({ state: 'failed' })]],
    ['a due refund of the same amount', amount(100), [refund({ cause: 'mismatch' })]],
    ['a request with another extent', all, [refund({})]],
    ['all while a refund is due', all, [paidAll, due]],
    ['onlyDue while another refund is due', onlyDue, [paidDue, due]],
    ['a refund without a request', amount(100), [refund({ requestedAgoMs: null })]],
  ])('finds no duplicate of %s', (_, request, refunds) => {
    expect(decideRefund(paid, refunds, request)).toMatchObject({ outcome: 'refund' });
  });
});

const ends = (...args: Parameters<typeof decideEnd>) => {
  const decision = decideEnd(...args);
  return decision.outcome === 'open' ? false : decision.keepsRegistrations ? 'kept' : true;
};

describe('decideEnd', () => {
  const refundDue = { status: 'refund_due', payments: [] };
  const paying = (amount: number) => ({ status: 'paid', payments: [{ id: 'stl_1', amount }] });

  test.each([
    ['false for a part of the payment', paying(500), [refund({ amount: 200 })], false],
    [
      'false while a part is pending',
      paying(500),
      [refund({ amount: 200 }), refund({ amount: 300, state: 'pending' })],
      false,
    ],
    [
      'true for all parts of the payment',
      paying(500),
      [refund({ amount: 200 }), refund({ amount: 300 })],
      true,
    ],
    [
      'false for a refund of another settlement',
      paying(500),
      [refund({ amount: 500, settlementId: 'stl_2' })],
      false,
    ],
    ['true if every due refund is done', refundDue, [refund({ amount: 5 })], true],
    [
      'false while a due refund is not done',
      refundDue,
      [refund({ amount: 5, state: 'due' })],
      false,
    ],
  ])('returns %s', (_, state, refunds, expected) => {
    expect(ends({ ...state, lines: [] }, refunds)).toBe(expected);
  });

  test.each([
    ['true if all payments are refunded', [500, 200], true],
    ['false while a part of one is left', [500, 199], false],
    ['false while one is left', [500], false],
  ])('of two payments returns %s', (_, amounts, expected) => {
    const payments = [
      { id: 'stl_1', amount: 500 },
      { id: 'stl_2', amount: 200 },
    ];
    const refunds = amounts.map((of, n) => refund({ amount: of, settlementId: `stl_${n + 1}` }));
    expect(ends({ status: 'paid', payments, lines: [] }, refunds)).toBe(expected);
  });

  const ofSeats = (...registrationIds: string[]) => ({
    requestedExtent: 'registrationIds' as const,
    registrationIds,
    revokesSeats: true,
  });
  const lines = [
    { seatCount: 2, registrationIds: ['reg_1', 'reg_2'], unfulfilledRegistrationIds: [] },
    { seatCount: 1, registrationIds: ['reg_3'], unfulfilledRegistrationIds: ['reg_3'] },
    { seatCount: 0, registrationIds: ['reg_4'], unfulfilledRegistrationIds: [] },
  ];

  test.each([
    ['true if every seat is revoked', [ofSeats('reg_1'), ofSeats('reg_2')], true],
    ['false while a seat without a price stays', [ofSeats('reg_1')], false],
    ['kept if the seats are kept', [ofSeats('reg_1', 'reg_2')].map(kept), 'kept'],
    ['kept if one seat is kept', [ofSeats('reg_1'), kept(ofSeats('reg_2'))], 'kept'],
    ['false while a seat without a price stays beside kept ones', [kept(ofSeats('reg_1'))], false],
    [
      'true if a seat that was kept is revoked later',
      [kept(ofSeats('reg_1')), ofSeats('reg_1', 'reg_2')],
      true,
    ],
    [
      'true if another refund paid all the rest',
      [kept(ofSeats('reg_1')), { requestedExtent: 'all' }],
      true,
    ],
    [
      'true if the cancellation of the event paid all the rest',
      [ofSeats('reg_1'), { cause: 'event_cancelled' }],
      true,
    ],
    [
      'true if a refund at the provider paid the rest',
      [kept(ofSeats('reg_1')), { cause: 'at_provider' }],
      true,
    ],
    ['false if another refund paid an amount', [ofSeats('reg_1'), {}], false],
    ['false if all the money was paid for cancelled units', [{ cause: 'refund_policy' }], false],
    [
      'true if the rest was paid for cancelled units',
      [ofSeats('reg_1', 'reg_2'), { cause: 'refund_policy' }],
      true,
    ],
  ])('of refunded registrations returns %s', (_, parts, expected) => {
    const amount = 600 / parts.length;
    const refunds = parts.map((part) => refund({ amount, ...part }));
    expect(ends({ ...paying(600), lines }, refunds)).toBe(expected);
  });

  function kept<Part extends object>(part: Part) {
    return { ...part, revokesSeats: false };
  }
});
