import type { CancellationRefund } from '@event-api/contracts/http/events';
import { describe, expect, test } from 'vitest';
import type { ExistingRefund } from '../refunds/refunds.rules.ts';
import {
  decideOrderCancellation,
  decidePause,
  type OrderCancellation,
  type PaidOrder,
  type Remainder,
} from './cancellations.rules.ts';

const cancelledAt = new Date('2027-04-01T00:00:00.000Z');
const start = { startsAt: new Date('2027-05-10T07:00:00.000Z'), timezone: 'Europe/Berlin' };
const band = {
  ...{ daysBeforeStart: 14, until: null, percent: 50, fixedFee: 0 },
  ticketTypeIds: [] as string[],
};
const refundPolicy = { text: '', refundableUntil: null, automatic: false, bands: [band] };

/** A paid order of three seats for 100 each, and an add-on for 60 of a buyer without a seat. */
const order: PaidOrder = {
  ...{ status: 'paid', intent: null, totalAmount: 360 },
  payments: [{ id: 'stl_1', amount: 360 }],
  ...{ refundPolicy, eventCancelledAt: null, cancelledSeats: [], isMoving: false },
  seats: ['a', 'b', 'c'].map((name) => ({
    ...{ ticketTypeId: 'tt_1', email: `${name}@example.com`, name: null },
    ...{ inBundle: false, amount: 100 },
  })),
  lines: [
    {
      ...{ firstSeat: 0, seatCount: 3, totalAmount: 300, unfulfilledAmount: 0 },
      ...{ registrationIds: ['reg_a', 'reg_b', 'reg_c'], unfulfilledRegistrationIds: [] },
    },
    {
      ...{ firstSeat: 3, seatCount: 0, totalAmount: 60, unfulfilledAmount: 0 },
      ...{ registrationIds: [], unfulfilledRegistrationIds: [] },
    },
  ],
  ...{ addons: [], addonRegistrationId: 'reg_elsewhere' },
};

const refundOf = (amount: number, fields: Partial<ExistingRefund> = {}): ExistingRefund => ({
  ...{ id: 'rfd_1', state: 'done', amount, settlementId: 'stl_1', cause: 'operator' },
  ...{ requestedExtent: 'amount', registrationIds: [], revokesSeats: false },
  ...fields,
});

/** What the policy pays back for what was cancelled before. */
const byPolicy = (amount: number, registrationIds: string[] = []): ExistingRefund =>
  refundOf(amount, { id: 'rfd_policy', cause: 'refund_policy', registrationIds });

const decide = (
  refund: CancellationRefund,
  fields: Partial<PaidOrder> = {},
  refunds: readonly ExistingRefund[] = [],
): OrderCancellation =>
  decideOrderCancellation({ ...order, ...fields }, refunds, { ...start, cancelledAt, refund });

const cancelledSeat = (reason: 'band' | 'too_late' | 'settled') => [
  { registrationId: 'reg_a', paidAmount: 100, reason },
];

const tooLate = { paidAmount: 100, reason: 'too_late' } as const;

/** The first seat was changed to a type for 40. */
const changedSeats = order.seats.map((seat, n) =>
  n === 0 ? { ...seat, changedTo: { ticketTypeId: 'tt_2', amount: 40 } } : seat,
);

/** The first seat was changed to a type for 160, and the difference was paid. */
const dearerSeats = order.seats.map((seat, n) =>
  n === 0 ? { ...seat, changedTo: { ticketTypeId: 'tt_3', amount: 160 } } : seat,
);
const payments = [{ id: 'stl_2', amount: 60 }, ...order.payments];

const cancelledUnits = { line: 1, registrationId: null, quantity: 2, amount: 40 };

describe('an order of a cancelled event', () => {
  test.each<[string, OrderCancellation, number]>([
    ['gets the whole price', decide('full'), 360],
    ['gets nothing', decide('none'), 0],
    ['gets what its policy promises', decide('policy'), 180],
    ['gets nothing by a policy without a band', decide('policy', { refundPolicy: null }), 0],
    ['gets what earlier refunds have left', decide('full', {}, [refundOf(60)]), 300],
    [
      'gets nothing twice while a refund is pending',
      decide('full', {}, [refundOf(360, { state: 'pending' })]),
      0,
    ],
    [
      'gets what a refund has failed to pay back',
      decide('full', {}, [refundOf(360, { state: 'failed' })]),
      360,
    ],
    [
      'keeps what the policy has decided about a seat that was cancelled before',
      decide('full', { cancelledSeats: cancelledSeat('band') }, [byPolicy(50, ['reg_a'])]),
      260,
    ],
    [
      'keeps it also after a refund of another amount',
      decide('full', { cancelledSeats: cancelledSeat('band') }, [
        byPolicy(50, ['reg_a']),
        refundOf(70),
      ]),
      190,
    ],
    [
      'keeps it also after a refund of a seat that was not delivered',
      decide('full', { cancelledSeats: cancelledSeat('band') }, [
        byPolicy(50, ['reg_a']),
        refundOf(100, { state: 'due', cause: 'attendee_registered', registrationIds: ['reg_b'] }),
      ]),
      160,
    ],
    [
      'gets nothing more for a seat whose whole price an operator has paid back',
      decide('full', { cancelledSeats: cancelledSeat('band') }, [
        byPolicy(50, ['reg_a']),
        refundOf(50, { registrationIds: ['reg_a'] }),
      ]),
      260,
    ],
    [
      'gets nothing more for a seat that an operator has paid back with a decided one',
      decide(
        'full',
        { cancelledSeats: ['reg_a', 'reg_c'].map((id) => ({ ...tooLate, registrationId: id })) },
        [refundOf(200, { registrationIds: ['reg_a', 'reg_b'] })],
      ),
      60,
    ],
    [
      'gets nothing more for such a seat if two payments have returned its price',
      decide(
        'full',
        {
          ...{ payments, seats: dearerSeats },
          cancelledSeats: [{ ...tooLate, paidAmount: 160, registrationId: 'reg_a' }],
        },
        [
          refundOf(60, { registrationIds: ['reg_a', 'reg_b'], settlementId: 'stl_2' }),
          refundOf(200, { registrationIds: ['reg_a', 'reg_b'] }),
        ],
      ),
      160,
    ],
    ['gets what a change has cost', decide('full', { payments, seats: dearerSeats }), 420],
    [
      'gets what its policy promises of that, too',
      decide('policy', { payments, seats: dearerSeats }),
      210,
    ],
    [
      'keeps what a change has decided about the difference to another ticket type',
      decide('full', { seats: changedSeats }, [byPolicy(30)]),
      300,
    ],
    [
      'keeps that with the policy, too',
      decide('policy', { seats: changedSeats }, [byPolicy(30)]),
      150,
    ],
    [
      'keeps it with the policy, too',
      decide('policy', { cancelledSeats: cancelledSeat('too_late') }),
      130,
    ],
    [
      'gets what is left after a seat whose money was settled otherwise',
      decide('full', { cancelledSeats: cancelledSeat('settled') }, [refundOf(100)]),
      260,
    ],
    [
      'gets nothing by the policy for a seat whose price an operator has paid back',
      decide('policy', {}, [refundOf(100, { registrationIds: ['reg_b'] })]),
      130,
    ],
    [
      'gets nothing by the policy for a seat that was not delivered',
      decide(
        'policy',
        {
          lines: order.lines.map((line, n) =>
            n > 0
              ? line
              : { ...line, unfulfilledAmount: 100, unfulfilledRegistrationIds: ['reg_c'] },
          ),
        },
        [refundOf(100, { state: 'due', cause: 'attendee_registered' })],
      ),
      130,
    ],
    ...(['full', 'policy'] as const).map((refund): [string, OrderCancellation, number] => [
      `keeps what a change has decided about units of an add-on, with ${refund}`,
      decide(refund, { cancelledAddons: [cancelledUnits] }, [byPolicy(20)]),
      refund === 'full' ? 320 : 160,
    ]),
  ])('%s', (_, decision, amount) => {
    expect(decision).toEqual({ outcome: 'refund', amount });
  });

  test('gets back what was paid for a seat without a name', () => {
    const seats = order.seats.map((seat) => ({ ...seat, email: '' }));
    const [seatLine, addonLine] = order.lines;
    if (!seatLine || !addonLine) throw new Error('two lines');
    const lines = [
      { ...seatLine, registrationIds: ['seat_1_1', 'seat_1_2', 'seat_1_3'] },
      addonLine,
    ];
    expect(decide('policy', { seats, lines })).toEqual({ outcome: 'refund', amount: 180 });
    expect(decide('full', { seats, lines })).toEqual({ outcome: 'refund', amount: 360 });
  });

  test.each<[string, OrderCancellation, OrderCancellation['outcome']]>([
    ['is cancelled if it was free', decide('full', { totalAmount: 0 }), 'cancel'],
    ['waits for its payment', decide('full', { status: 'awaiting_payment' }), 'wait'],
    ['waits for its fulfilment', decide('full', { status: 'held' }), 'wait'],
    ['waits for its restore', decide('full', { intent: 'restore' }), 'wait'],
    ['waits for its revocation', decide('full', { intent: 'release' }), 'wait'],
    ['is decided once', decide('full', { eventCancelledAt: cancelledAt }), 'unchanged'],
    ['is left if it owes its money', decide('full', { status: 'refund_due' }), 'unchanged'],
    ['is left if it is refunded', decide('full', { status: 'refunded' }), 'unchanged'],
    ['is left if it is cancelled', decide('full', { status: 'cancelled' }), 'unchanged'],
  ])('%s', (_, decision, outcome) => {
    expect(decision).toEqual({ outcome });
  });
});

describe('the pause of a cancellation', () => {
  const nothing = { registrations: 0, openOrders: 0, undecidedOrders: 0, refunds: 0 };
  const pauseOf = (before: Remainder, left: Remainder, hasFailed = false, ageMs = 0) =>
    decidePause({ before, left }, { hasFailed, ageMs }, { retryMs: 2000, revisitMs: 60_000 });
  const some = { ...nothing, undecidedOrders: 7 };

  test.each<[string, number, number]>([
    ['is none while it advances', pauseOf(some, { ...some, undecidedOrders: 5 }), 0],
    ['is none after its first attempt', pauseOf({ ...some, registrations: null }, some), 0],
    ['is that of a retry if nothing advances', pauseOf(some, some), 2000],
    ['is that of a retry after a failure', pauseOf(some, { ...some, refunds: -1 }, true), 2000],
    [
      'is that of a retry while registration has not responded',
      pauseOf({ ...nothing, registrations: null }, { ...nothing, registrations: null }),
      2000,
    ],
    ['is a minute once it is finished', pauseOf(some, nothing), 60_000],
    ['grows with its age', pauseOf(nothing, nothing, false, 86_400_000), 864_000],
  ])('%s', (_, pause, expected) => {
    expect(pause).toBe(expected);
  });
});
