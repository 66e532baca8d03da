import { describe, expect, test } from 'vitest';
import { decideRefund, decideSeatRefund, type RefundRequest } from './rules.ts';

const seat = (amount: number) => ({
  ticketTypeId: 'tt',
  email: 'a',
  name: null,
  inBundle: false,
  amount,
});
const fulfilledSeats = (...created: boolean[]) =>
  created.map((isCreated, n) => ({ registrationId: `reg_${n}`, made: isCreated }));
const order = { seats: [seat(300), seat(200)], totalAmount: 600 };

test.each([
  ['all seats were made', order, fulfilledSeats(true, true), 'reg_0', { amount: 0, isAll: false }],
  [
    'one person had registered',
    order,
    fulfilledSeats(true, false),
    'reg_0',
    { amount: 200, isAll: false },
  ],
  [
    'nothing but add-ons came about',
    order,
    fulfilledSeats(false, false),
    'reg_0',
    { amount: 500, isAll: false },
  ],
  ['nothing came about', order, fulfilledSeats(false, false), null, { amount: 600, isAll: true }],
  ['there were only add-ons', { ...order, seats: [] }, [], 'reg_0', { amount: 0, isAll: false }],
  [
    'there were only add-ons, and nobody got them',
    { ...order, seats: [] },
    [],
    null,
    { amount: 600, isAll: true },
  ],
])('what is owed when %s', (_, of, seats, addonRegistrationId, expected) => {
  expect(decideSeatRefund(of, { seats, addonRegistrationId })).toEqual(expected);
});

const requestedAt = new Date('2027-05-10T07:00:00Z');
const paid = { status: 'paid', settlementId: 'stl_1' };

/** A refund of the settlement that an operator's request has paid a minute ago. */
const refund = (fields: object) => ({
  id: 'rfd_1',
  settlementId: 'stl_1',
  cause: 'operator',
  state: 'done' as const,
  amount: 100,
  requestedExtent: 'amount' as const,
  requestedAt,
  requestedAgoMs: 60_000,
  ...fields,
});

const due = refund({
  id: 'rfd_due',
  cause: 'mismatch',
  state: 'due',
  requestedExtent: null,
  requestedAt: null,
  requestedAgoMs: null,
});

const amount = (of: number): RefundRequest => ({ extent: 'amount', amount: of, force: false });
const all: RefundRequest = { extent: 'all', force: false };
const onlyDue: RefundRequest = { extent: 'onlyDue', force: false };
const forced = (request: RefundRequest) => ({ ...request, force: true });

describe('decideRefund', () => {
  test.each([
    ['an amount', amount(300), [], { outcome: 'refund', dueIds: [], amount: 300 }],
    ['all', all, [refund({})], { outcome: 'refund', dueIds: [], amount: 900 }],
    ['all with a due refund', all, [due], { outcome: 'refund', dueIds: ['rfd_due'], amount: 900 }],
    ['only what is due', onlyDue, [due], { outcome: 'refund', dueIds: ['rfd_due'], amount: 0 }],
  ])('pays %s', (_, request, refunds, expected) => {
    expect(decideRefund(paid, 1000, refunds, request)).toEqual(expected);
  });

  test.each([
    ['onlyDue when nothing is due', onlyDue, [refund({})], { outcome: 'nothing_due', left: 900 }],
    ['onlyDue when nothing is left', onlyDue, [refund({ amount: 1000 })], { outcome: 'nothing' }],
    ['all when nothing is left', all, [refund({ amount: 1000 })], { outcome: 'nothing' }],
    ['more than is left', amount(901), [refund({})], { outcome: 'too_high', left: 900 }],
  ])('refuses %s', (_, request, refunds, expected) => {
    expect(decideRefund(paid, 1000, refunds, request)).toEqual(expected);
  });

  const duplicate = { outcome: 'duplicate', refundId: 'rfd_1', requestedAt };
  const ofAll = refund({ amount: 1000, requestedExtent: 'all' });
  const ofDue = refund({ cause: 'mismatch', requestedExtent: 'onlyDue' });

  test.each([
    ['the same amount', amount(100), [refund({})]],
    ['the same amount, still pending', amount(100), [refund({ state: 'pending' })]],
    ['the same amount while something is due', amount(100), [refund({}), due]],
    ['all', all, [ofAll]],
    ['onlyDue', onlyDue, [ofDue]],
  ])('finds a duplicate of %s', (_, request, refunds) => {
    expect(decideRefund(paid, 1000, refunds, request)).toEqual(duplicate);
    expect(decideRefund(paid, 1000, refunds, forced(request)).outcome).not.toBe('duplicate');
  });

  test.each([
    ['another amount', amount(101), [refund({})]],
    ['one of ten minutes ago', amount(100), [refund({ requestedAgoMs: 600_000 })]],
    ['one that failed', amount(100), [refund({ state: 'failed' })]],
    ['a due refund of the same amount', amount(100), [refund({ cause: 'mismatch' })]],
    ['one with another extent', all, [refund({})]],
    ['all while something is due', all, [ofAll, due]],
    ['onlyDue while something else is due', onlyDue, [ofDue, due]],
    ['one that nobody requested', amount(100), [refund({ requestedAgoMs: null })]],
  ])('finds no duplicate of %s', (_, request, refunds) => {
    expect(decideRefund(paid, 1000, refunds, request)).toMatchObject({ outcome: 'refund' });
  });
});
