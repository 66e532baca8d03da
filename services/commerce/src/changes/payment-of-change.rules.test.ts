import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { expect, test } from 'vitest';
import type { ExistingRefund } from '../refunds/refunds.rules.ts';
import { decideChangePayment } from './payment-of-change.rules.ts';

type Arguments = Parameters<typeof decideChangePayment>;
type Order = Arguments[0];
type Change = Arguments[1];

const seat = (n: number) => ({
  ...{ ticketTypeId: 'tt_a', email: `${n}@example.com`, name: null, inBundle: false, amount: 100 },
});

const line = {
  ...{ itemType: 'registration_type' as const, itemId: 'tt_a', quantity: 2, unitAmount: 100 },
  ...{ firstSeat: 0, seatCount: 2, totalAmount: 200, attendees: [] as object[] },
  ...{ registrationIds: ['reg_1', 'reg_2'], unfulfilledRegistrationIds: [] as string[] },
};

/** A paid order of two seats for 100 each. */
const order: Order = {
  ...{ id: 'ord_1', currency: 'EUR', status: 'paid', intent: null, totalAmount: 200 },
  ...{ settlementId: 'stl_1', payments: [{ id: 'stl_1', amount: 200 }], refundPolicy: null },
  ...{ holdExpired: true, eventCancelledAt: null, isMoving: false, cancelledSeatIds: [] },
  ...{ addons: [], cancelledAddons: [], addonRegistrationId: null, registrationStatuses: {} },
  seats: [seat(1), seat(2)],
  lines: [line],
};

const amounts = { refund: 0, fee: 0, amountToPay: 50 };
const quoted = {
  ...{ ...amounts, seatId: 'seat_1_1', itemIndex: 0, quantity: 1, ticketTypeId: 'tt_b' },
  ...{ price: 150, paid: 100, band: null, isLimited: false, reason: 'no_bands' as const },
};
/** The first seat gets a type for 150. */
const change: Change = {
  ...{ state: 'awaiting_payment', settlementId: null },
  request: {
    ...{ cancelSeats: [], cancelAddons: [], holders: ['reg_1'] },
    changeTypes: [{ seatId: 'seat_1_1', ticketTypeId: 'tt_b' }],
  },
  quote: { ...amounts, currency: 'EUR', lines: [quoted] },
};
const refund = (fields: Partial<ExistingRefund>): ExistingRefund => ({
  ...{ id: 'rfd_1', state: 'pending', amount: 100, settlementId: 'stl_1', cause: 'operator' },
  ...{ requestedExtent: 'registrationIds', registrationIds: ['reg_1'], revokesSeats: true },
  ...fields,
});

const decide = (
  ofOrder: Partial<Order> = {},
  ofChange: Partial<Change> = {},
  facts: Partial<Arguments[2]> = {},
) =>
  decideChangePayment(
    { ...order, ...ofOrder },
    { ...change, ...ofChange },
    {
      ...{ expected: { amount: 50, currency: 'EUR' }, received: { amount: 50, currency: 'EUR' } },
      ...{ refunds: [], isEventCancelled: false },
      ...facts,
    },
  );

const refused = (cause: 'mismatch' | 'surplus' | 'late') => ({
  outcome: 'refused',
  cause,
});
const accepted = { outcome: 'accepted' };
const ended: Record<string, RegistrationStatus> = { reg_1: 'cancelled' };
const other: Record<string, RegistrationStatus> = { reg_2: 'cancelled' };
const reassigned = [{ ...line, registrationIds: ['reg_3', 'reg_2'] }];
const changed = { changedTo: { ticketTypeId: 'tt_c', amount: 90 } };
const received = (amount: number, currency = 'EUR') => ({ received: { amount, currency } });

test.each<[string, ReturnType<typeof decide>, object]>([
  ['is accepted', decide(), accepted],
  [
    'is accepted of a change that the previous release has marked',
    decide({}, { state: 'done' }),
    accepted,
  ],
  ['is accepted if another seat is cancelled', decide({ registrationStatuses: other }), accepted],
  ['of another amount is refunded', decide({}, {}, received(51)), refused('mismatch')],
  ['in another currency is refunded', decide({}, {}, received(50, 'USD')), refused('mismatch')],
  ['is refunded of a change that was given up', decide({}, { state: 'quoted' }), refused('late')],
  ...(['moving', 'executing', 'done'] as const).map(
    (state): [string, ReturnType<typeof decide>, object] => [
      `is refunded of a change that is paid and ${state}`,
      decide({}, { state, settlementId: 'stl_2' }),
      refused('surplus'),
    ],
  ),
  [
    'is refunded of a paid change that registration has refused',
    decide({}, { state: 'quoted', settlementId: 'stl_2' }),
    refused('surplus'),
  ],
  ['waits for the seats of a restored order', decide({ intent: 'restore' }), { outcome: 'wait' }],
  ...(['refunded', 'refund_due', 'cancelled'] as const).map(
    (status): [string, ReturnType<typeof decide>, object] => [
      `is refunded of an order that is ${status}`,
      decide({ status }),
      refused('late'),
    ],
  ),
  ['is refunded of a cancelled event', decide({}, {}, { isEventCancelled: true }), refused('late')],
  [
    'is refunded after the refund of its event',
    decide({ eventCancelledAt: new Date(0) }),
    refused('late'),
  ],
  ['is refunded of a cancelled seat', decide({ registrationStatuses: ended }), refused('late')],
  ['is refunded of a seat of another person', decide({ lines: reassigned }), refused('late')],
  [
    'is refunded of a seat that has another amount',
    decide({ seats: [{ ...seat(1), ...changed }, seat(2)] }),
    refused('late'),
  ],
  [
    'is refunded of a seat whose price is paid back',
    decide({}, {}, { refunds: [refund({})] }),
    refused('late'),
  ],
  [
    'is accepted if the price of another seat is paid back',
    decide({}, {}, { refunds: [refund({ registrationIds: ['reg_2'] })] }),
    accepted,
  ],
])('a payment of a change %s', (_, decision, expected) => {
  expect(decision).toEqual(expected);
});
