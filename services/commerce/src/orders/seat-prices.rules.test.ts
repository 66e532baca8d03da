import { expect, test } from 'vitest';
import { type PricedSeats, seatPricesOf, wholePrice } from './seat-prices.rules.ts';

const seat = (email: string, amount: number) => ({
  ticketTypeId: 'tt',
  email,
  name: null,
  inBundle: false,
  amount,
});
const line = (firstSeat: number, seatCount: number, totalAmount: number) => ({
  firstSeat,
  seatCount,
  totalAmount,
  registrationIds: Array.from({ length: seatCount }, (_, n) => `reg_${firstSeat + n}`),
  unfulfilledRegistrationIds: [] as string[],
});
const addon = (of: number, ...emails: string[]) => ({ line: of, addonId: 'addon', emails });
const twoSeats = [seat('Ada@example.com', 300), seat('bob@example.com', 200)];

const order = (values: Partial<PricedSeats>): PricedSeats => ({
  lines: [line(0, 2, 500)],
  seats: twoSeats,
  addons: [],
  addonRegistrationId: null,
  ...values,
});

const changedTo = { ticketTypeId: 'tt_day', amount: 120 };

test.each<[string, PricedSeats, number[]]>([
  ['its own price', order({}), [300, 200]],
  [
    'the price of the ticket type that a change has given it',
    order({
      seats: [{ ...seat('Ada@example.com', 300), changedTo }, seat('bob@example.com', 200)],
    }),
    [120, 200],
  ],
  [
    'the add-ons that were bought for it',
    order({
      lines: [line(0, 2, 500), line(2, 0, 90)],
      addons: [addon(1, 'bob@example.com', 'ada@example.com', 'BOB@example.com')],
    }),
    [330, 260],
  ],
  [
    'the add-ons that its registration received for the buyer',
    order({
      lines: [line(0, 2, 500), line(2, 0, 90)],
      addons: [addon(1)],
      addonRegistrationId: 'reg_1',
    }),
    [300, 290],
  ],
  [
    'no add-ons of somebody without a seat in the order',
    order({
      lines: [line(0, 2, 500), line(2, 0, 90)],
      addons: [addon(1, 'cleo@example.com')],
      addonRegistrationId: 'reg_of_another_order',
    }),
    [300, 200],
  ],
  [
    'the add-ons of its bundle',
    order({ lines: [line(0, 2, 640)], addons: [addon(0)], addonRegistrationId: 'reg_1' }),
    [300, 340],
  ],
  ['what rounding has left of its bundle', order({ lines: [line(0, 2, 501)] }), [301, 200]],
])('a seat costs %s', (_, of, prices) => {
  expect(seatPricesOf(of).map(wholePrice)).toEqual(prices);
});

test('a seat whose attendee had registered before is not of the order', () => {
  const lines = [{ ...line(0, 2, 500), unfulfilledRegistrationIds: ['reg_1'] }];
  const prices = seatPricesOf(order({ lines }));
  expect(prices.map(({ isUnfulfilled }) => isUnfulfilled)).toEqual([false, true]);
});

test('a seat has no registration before the order is fulfilled', () => {
  const lines = [{ ...line(0, 2, 500), registrationIds: [] }];
  const ids = seatPricesOf(order({ lines })).map(({ registrationId }) => registrationId);
  expect(ids).toEqual([null, null]);
});
