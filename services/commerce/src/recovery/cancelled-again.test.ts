import type { Fulfilment } from '@event-api/contracts/internal/reservations';
import { expect, test } from 'vitest';
import { decideCancelledAgain } from './cancelled-again.ts';

type Order = Parameters<typeof decideCancelledAgain>[0];

const seat = { ticketTypeId: 'tt', email: 'a@b.c', name: null, inBundle: false, amount: 100 };
const line = { firstSeat: 0, seatCount: 3, totalAmount: 300, unfulfilledRegistrationIds: [] };

/** A paid order of three seats, of which a change has cancelled the first one. */
const orderOf = (fields: object) =>
  ({
    ...{ id: 'ord_1', status: 'paid', addons: [], cancelledAddons: [], cancelledSeatIds: [] },
    ...{ addonRegistrationId: null, registrationStatuses: {}, cancelledSeats: [] },
    seats: [{ ...seat, isCancelled: true }, seat, seat],
    lines: [{ ...line, registrationIds: ['reg_1', 'reg_2', 'reg_3'] }],
    ...fields,
  }) as unknown as Order;

const fulfilment: Fulfilment = {
  outcome: 'fulfilled',
  seats: ['new_1', 'new_2', 'new_3'].map((registrationId) => ({ registrationId, created: true })),
  addonRegistrationId: null,
};

test.each<[string, object, string[]]>([
  ['by a change', {}, ['new_1']],
  ['by its registration', { registrationStatuses: { reg_2: 'cancelled' } }, ['new_1', 'new_2']],
  [
    'by a registration that the projection has lost, and its money is decided',
    { cancelledSeats: [{ registrationId: 'reg_3' }] },
    ['new_1', 'new_3'],
  ],
])('a seat that was cancelled %s is cancelled again', (_, fields, endedIds) => {
  expect(decideCancelledAgain(orderOf(fields), fulfilment).endedIds).toEqual(endedIds);
});
