import { expect, test } from 'vitest';
import { decideSeatsOwed } from './rules.ts';

const seat = (amount: number) => ({
  ticketTypeId: 'tt',
  email: 'a',
  name: null,
  inBundle: false,
  amount,
});
const made = (...each: boolean[]) =>
  each.map((one, n) => ({ registrationId: `reg_${n}`, made: one }));
const order = { seats: [seat(300), seat(200)], totalAmount: 600 };

test.each([
  ['all seats were made', order, made(true, true), 'reg_0', { amount: 0, isAll: false }],
  ['one person had registered', order, made(true, false), 'reg_0', { amount: 200, isAll: false }],
  [
    'nothing but add-ons came about',
    order,
    made(false, false),
    'reg_0',
    { amount: 500, isAll: false },
  ],
  ['nothing came about', order, made(false, false), null, { amount: 600, isAll: true }],
  ['there were only add-ons', { ...order, seats: [] }, [], 'reg_0', { amount: 0, isAll: false }],
  [
    'there were only add-ons, and nobody got them',
    { ...order, seats: [] },
    [],
    null,
    { amount: 600, isAll: true },
  ],
])('what is owed when %s', (_, of, seats, addonRegistrationId, expected) => {
  expect(decideSeatsOwed(of, { seats, addonRegistrationId })).toEqual(expected);
});
