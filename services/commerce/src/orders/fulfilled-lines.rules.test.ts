import { expect, test } from 'vitest';
import { registrationsOfLines } from './fulfilled-lines.rules.ts';

/** Two seats, an add-on for two persons, an add-on for the buyer, and a bundle of add-ons. */
const lines = [
  { firstSeat: 0, seatCount: 2 },
  { firstSeat: 2, seatCount: 0 },
  { firstSeat: 2, seatCount: 0 },
  { firstSeat: 2, seatCount: 0 },
];
const addons = [
  { line: 1, addonId: 'addon_1', emails: ['a', 'b'] },
  { line: 2, addonId: 'addon_2', emails: [] },
  { line: 3, addonId: 'addon_1', emails: [] },
  { line: 3, addonId: 'addon_2', emails: [] },
];
const seats = ['reg_a', 'reg_b'].map((registrationId) => ({ registrationId, created: true }));
const all = ['reg_a', 'reg_b'];

test.each([
  [
    'one per named recipient',
    addons,
    { addonRegistrationId: 'reg_c', addonRegistrationIds: [all, ['reg_c'], ['reg_c'], ['reg_c']] },
    [all, all, ['reg_c'], ['reg_c']],
  ],
  [
    'none for a person who is not registered any more',
    addons,
    { addonRegistrationId: null, addonRegistrationIds: [['reg_a', null], [null], [null], [null]] },
    [all, ['reg_a'], [], []],
  ],
  [
    'the receiver of all add-ons, if the buyer received them',
    addons,
    { addonRegistrationId: 'reg_a' },
    [all, ['reg_a'], ['reg_a'], ['reg_a']],
  ],
])('the registrations of lines are %s', (_, ordered, fulfilment, expected) => {
  expect(registrationsOfLines({ lines, addons: ordered }, { seats, ...fulfilment })).toEqual(
    expected,
  );
});
