import { describe, expect, test } from 'vitest';
import { decideSeatsRefund } from './seat-refunds.rules.ts';

const seat = (n: number, amount: number) => ({
  ticketTypeId: 'tt',
  email: `${n}@example.com`,
  name: null,
  inBundle: false,
  amount,
});

/** A paid order of three seats for 100, 200 and nothing, and one whose attendee had registered. */
const order = {
  status: 'paid',
  payments: [{ id: 'stl_1', amount: 350 }],
  lines: [
    {
      firstSeat: 0,
      seatCount: 4,
      totalAmount: 350,
      registrationIds: ['reg_1', 'reg_2', 'reg_free', 'reg_elsewhere'],
      unfulfilledRegistrationIds: ['reg_elsewhere'],
    },
  ],
  seats: [seat(1, 100), seat(2, 200), seat(3, 0), seat(4, 50)],
  addons: [],
  addonRegistrationId: null,
  refundPolicy: null,
};

const refund = (fields: object) => ({
  id: 'rfd_1',
  settlementId: 'stl_1',
  state: 'done' as const,
  amount: 100,
  cause: 'operator',
  requestedExtent: 'registrationIds' as const,
  registrationIds: ['reg_1'],
  revokesSeats: true,
  ...fields,
});

/** The payment is 350, of which 50 is due for the seat of the person who had registered. */
const due = refund({
  id: 'rfd_due',
  state: 'due',
  amount: 50,
  registrationIds: [],
  revokesSeats: false,
});

const decide = (registrationIds: string[], refunds = [due], keeps = false, of: object = order) =>
  decideSeatsRefund({ ...order, ...of }, refunds, null, {
    extent: 'registrationIds',
    registrationIds,
    keeps,
  });

const paying = (amount: number, revokes: string[]) => ({
  outcome: 'refund',
  dueIds: ['rfd_due'],
  amount,
  revokes,
});

describe('a refund of registrations', () => {
  test.each([
    ['pays the price of one and revokes it', ['reg_1'], [due], paying(100, ['reg_1'])],
    ['pays each once', ['reg_1', 'reg_1'], [due], paying(100, ['reg_1'])],
    ['pays the prices of several', ['reg_1', 'reg_2'], [due], paying(300, ['reg_1', 'reg_2'])],
    [
      'pays what the policy has kept, with what it made due',
      ['reg_1'],
      [refund({ id: 'rfd_due', state: 'due', cause: 'refund_policy', amount: 60 })],
      paying(40, ['reg_1']),
    ],
    [
      'pays what is due of the whole price, and nothing more',
      ['reg_1'],
      [refund({ id: 'rfd_due', state: 'due', cause: 'refund_policy' })],
      paying(0, ['reg_1']),
    ],
    [
      'pays what the policy has kept after its refund',
      ['reg_1'],
      [due, refund({ cause: 'refund_policy', amount: 60 })],
      paying(40, ['reg_1']),
    ],
    ['revokes one without a price', ['reg_free'], [due], paying(0, ['reg_free'])],
    [
      'pays only those that are not refunded yet',
      ['reg_1', 'reg_2'],
      [due, refund({})],
      paying(200, ['reg_1', 'reg_2']),
    ],
    [
      'pays again what the provider refused',
      ['reg_1'],
      [due, refund({ state: 'failed' })],
      paying(100, ['reg_1']),
    ],
    [
      'revokes one whose price was refunded when it was kept',
      ['reg_1'],
      [due, refund({ revokesSeats: false })],
      paying(0, ['reg_1']),
    ],
    [
      'pays no more than is left of the payment',
      ['reg_2'],
      [due, refund({ amount: 250, registrationIds: [], revokesSeats: false })],
      paying(50, ['reg_2']),
    ],
  ])('%s', (_, ids, refunds, expected) => {
    expect(decide(ids, refunds)).toEqual(expected);
  });

  test('that keeps them revokes none', () => {
    expect(decide(['reg_1'], [due], true)).toEqual(paying(100, []));
    expect(decide(['reg_free'], [due], true)).toEqual({ outcome: 'nothing' });
    const before = [due, refund({ revokesSeats: false })];
    expect(decide(['reg_1'], before, true)).toEqual({
      outcome: 'seats_refunded',
      refundId: 'rfd_1',
    });
  });

  test.each(['done', 'pending'] as const)('happens once: an earlier one is %s', (state) => {
    const expected = { outcome: 'seats_refunded', refundId: 'rfd_1' };
    expect(decide(['reg_1'], [due, refund({ state })])).toEqual(expected);
  });

  test('names those that the order has not created', () => {
    expect(decide(['reg_1', 'reg_elsewhere', 'reg_x'])).toEqual({
      outcome: 'unknown_seats',
      indexes: [1, 2],
    });
  });

  test('does nothing for an order that is not paid, but cancels what a fully refunded one kept', () => {
    const refunded = { status: 'refunded' };
    const kept = refund({ revokesSeats: false });
    expect(decide(['reg_1'], [], false, refunded)).toEqual({ outcome: 'nothing' });
    expect(decide(['reg_1'], [refund({})], false, refunded)).toEqual({ outcome: 'nothing' });
    expect(decide(['reg_1', 'reg_2'], [kept], false, refunded)).toEqual({ outcome: 'nothing' });
    expect(decide(['reg_1'], [kept], false, { status: 'refund_due' })).toEqual({
      outcome: 'nothing',
    });
    expect(decide(['reg_1'], [kept], false, refunded)).toEqual({
      outcome: 'refund',
      dueIds: [],
      amount: 0,
      revokes: ['reg_1'],
    });
    expect(decide(['reg_1'], [kept], true, refunded)).toEqual({
      outcome: 'seats_refunded',
      refundId: 'rfd_1',
    });
  });
});

describe('a refund of registrations after the cancellation of their event', () => {
  const band = { daysBeforeStart: 14, until: null, percent: 80, fixedFee: 10, ticketTypeIds: [] };
  const event = (cancellationRefund: 'full' | 'policy') => ({
    ...{ startsAt: new Date('2027-05-10T07:00:00.000Z'), timezone: 'UTC', cancellationRefund },
    cancelledAt: new Date('2027-04-01T00:00:00.000Z'),
  });
  const ofEvent = (amount: number, fields: object = {}) =>
    refund({
      ...{ id: 'rfd_event', cause: 'event_cancelled', requestedExtent: null, amount },
      ...{ registrationIds: [], revokesSeats: false, ...fields },
    });
  /** The policy has kept 30 of the first seat, and has paid back 70. */
  const cancelled = {
    refundPolicy: { text: '', refundableUntil: null, automatic: true, bands: [band] },
    cancelledSeats: [{ registrationId: 'reg_1', reason: 'band' as const }],
  };
  const byPolicy = refund({ id: 'rfd_policy', cause: 'refund_policy', amount: 70 });
  const pay = (id: string, of: 'full' | 'policy', amount: number, fields: object = {}) =>
    decideSeatsRefund(
      { ...order, ...cancelled, lines: openLines },
      [due, byPolicy, ofEvent(amount, fields)],
      event(of),
      { extent: 'registrationIds', registrationIds: [id], keeps: false },
    );
  /** The second seat is open. */
  const openLines = order.lines.map((line) => ({
    ...line,
    registrationIds: ['reg_1', 'seat_2', 'reg_free', 'reg_elsewhere'],
  }));
  const repeated = (refundId: string) => ({ outcome: 'seats_refunded', refundId });

  test.each<[string, object, object]>([
    [
      'pays nothing again that was paid back in full',
      pay('seat_2', 'full', 200),
      repeated('rfd_event'),
    ],
    [
      'pays nothing for what the policy has kept of another seat, while the refund is on its way',
      pay('seat_2', 'full', 200, { state: 'pending' }),
      repeated('rfd_event'),
    ],
    ['pays what its policy has kept of a seat', pay('reg_1', 'full', 200), paying(30, ['reg_1'])],
    [
      'pays what the event has kept of the seat',
      pay('seat_2', 'policy', 150),
      paying(50, ['seat_2']),
    ],
    [
      'pays what the provider refused',
      pay('seat_2', 'full', 200, { state: 'failed' }),
      paying(200, ['seat_2']),
    ],
  ])('%s', (_, decision, expected) => {
    expect(decision).toEqual(expected);
  });
});
