import type { CancellationRefund } from '@event-api/contracts/http/events';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { describe, expect, test } from 'vitest';
import type { EndedSeat } from '../refunds/cancelled-seats.rules.ts';
import type { ExistingRefund } from '../refunds/refunds.rules.ts';
import type { PaidOrder } from './cancellations.rules.ts';
import { awaitsSeats, foreseeOrderCancellation } from './ended-seats.rules.ts';

const start = { startsAt: new Date('2027-05-10T07:00:00.000Z'), timezone: 'Europe/Berlin' };
/** 50 % until 14 days before the start. */
const band = {
  ...{ daysBeforeStart: 14, until: null, percent: 50, fixedFee: 0 },
  ticketTypeIds: [] as string[],
};
const inTime = new Date('2027-04-01T00:00:00.000Z');
const tooLate = new Date('2027-05-09T00:00:00.000Z');

const orderOf = (automatic: boolean): PaidOrder => ({
  ...{ status: 'paid', intent: null, totalAmount: 300 },
  payments: [{ id: 'stl_1', amount: 300 }],
  refundPolicy: { text: '', refundableUntil: null, automatic, bands: [band] },
  ...{ eventCancelledAt: null, isMoving: false, cancelledSeats: [] },
  ...{ addons: [], addonRegistrationId: null },
  seats: ['a', 'b', 'c'].map((name) => ({
    ...{ ticketTypeId: 'tt_1', email: `${name}@example.com`, name: null },
    ...{ inBundle: false, amount: 100 },
  })),
  lines: [
    {
      ...{ firstSeat: 0, seatCount: 3, totalAmount: 300, unfulfilledAmount: 0 },
      ...{ registrationIds: ['reg_a', 'reg_b', 'reg_c'], unfulfilledRegistrationIds: [] },
    },
  ],
});

const ended = (endedWithEvent: boolean | null, cancelledAt = inTime): EndedSeat => ({
  ...{ registrationId: 'reg_a', cancelledAt, endedWithEvent },
});

describe('an order of a cancelled event', () => {
  const awaits = (
    undecided: readonly EndedSeat[],
    status: RegistrationStatus | null = 'cancelled',
    unfulfilledRegistrationIds: string[] = [],
  ) =>
    awaitsSeats(
      {
        lines: orderOf(true).lines.map((line) => ({ ...line, unfulfilledRegistrationIds })),
        registrationStatuses: status === null ? {} : { reg_a: 'rejected', reg_b: status },
      },
      undecided,
      { cancelledAt: tooLate },
    );

  test.each<[string, boolean, boolean]>([
    ['waits for a seat that was cancelled before its event', awaits([ended(false)]), true],
    ['waits for no seat that ended with its event', awaits([ended(true)]), false],
    ['waits for no seat that ended in an unknown order', awaits([ended(null)]), false],
    ['waits until it is known how each registration has ended', awaits([], 'confirmed'), true],
    ['waits for no registration of another order', awaits([], 'confirmed', ['reg_b']), false],
    ['waits for no registration that is lost', awaits([], null), false],
    ['waits for nothing else', awaits([]), false],
  ])('%s', (_, decision, expected) => {
    expect(decision).toBe(expected);
  });
});

describe('a seat that was cancelled before its event', () => {
  const foresee = (
    refund: CancellationRefund,
    seats: readonly EndedSeat[],
    { automatic = true, refunds = [] as ExistingRefund[], cancelledAt = null as Date | null } = {},
  ) => {
    const facts = { refunds, undecided: seats };
    const event = { ...start, refund, cancelledAt, now: tooLate };
    const { decision, ofSeats } = foreseeOrderCancellation(orderOf(automatic), facts, event);
    return [decision.outcome === 'refund' ? decision.amount : decision.outcome, ofSeats];
  };
  const before = [ended(false)];
  const manually = { automatic: false };
  const paidBack = (amount: number): ExistingRefund => ({
    ...{ id: 'rfd_1', state: 'done', amount, settlementId: 'stl_1', cause: 'operator' },
    ...{ requestedExtent: 'amount', registrationIds: [], revokesSeats: false },
  });

  test.each<[string, unknown, [ofEvent: number, ofSeats: number]]>([
    ['gets what was promised, and the others the whole price', foresee('full', before), [200, 50]],
    ['gets it also where the event pays back nothing', foresee('none', before), [0, 50]],
    ['gets it also where the others are too late', foresee('policy', before), [0, 50]],
    [
      'gets it with the event where an operator decides',
      foresee('full', before, manually),
      [200, 50],
    ],
    ['is left due where the event pays back nothing', foresee('none', before, manually), [0, 0]],
    [
      'gets at most what is left of the payment',
      foresee('full', before, { refunds: [paidBack(270)] }),
      [0, 30],
    ],
    ['was too late by itself', foresee('full', [ended(false, tooLate)]), [200, 0]],
    [
      'follows the policy without a message that says so',
      foresee('full', [ended(null)]),
      [200, 50],
    ],
    [
      'follows the event without one, after the event was cancelled',
      foresee('full', [ended(null)], { cancelledAt: tooLate }),
      [300, 0],
    ],
    ['follows the event if it ended with it', foresee('full', [ended(true)]), [300, 0]],
  ])('%s', (_, decision, expected) => {
    expect(decision).toEqual(expected);
  });
});
