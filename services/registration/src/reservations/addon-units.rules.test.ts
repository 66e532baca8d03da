import { describe, expect, test } from 'vitest';
import { addonState, fromNow, now, stateOf } from '../../test/states.ts';
import type { AddonState } from '../seats/seats.rules.ts';
import { findBlockedUnits, findSoldOutUnits, unitsOf } from './addon-units.rules.ts';

const units = (...quantities: number[]) =>
  quantities.map((quantity) => ({ addonId: 'lunch', quantity, inBundle: false }));
const withAddon = (fields: Partial<AddonState>) => stateOf({ addons: [addonState(fields)] });

describe('findSoldOutUnits', () => {
  test.each<[string, Partial<AddonState>, number[], number | null]>([
    ['the last units', { capacity: 5, confirmed: 2, reserved: 1 }, [2], null],
    ['one more than are left', { capacity: 5, confirmed: 2, reserved: 1 }, [3], 2],
    ['more than are left on two lines', { capacity: 5 }, [3, 3], 5],
    ['more than a capacity below what is sold', { capacity: 1, confirmed: 4 }, [1], 0],
    ['any number without a capacity', { confirmed: 9 }, [100], null],
  ])('of %s', (_, fields, quantities, unitsLeft) => {
    const found = findSoldOutUnits(withAddon(fields), units(...quantities));
    expect(found).toEqual(
      unitsLeft === null
        ? undefined
        : {
            outcome: 'refused',
            reason: 'ADDON_SOLD_OUT',
            unit: 0,
            unitsLeft,
            unitsRequested: quantities.reduce((sum, each) => sum + each, 0),
          },
    );
  });
});

describe('findBlockedUnits', () => {
  test.each([
    ['before the sale', { opensAt: fromNow(1) }, 'not_open_yet'],
    ['at its beginning', { opensAt: now }, undefined],
    ['a moment before its end', { closesAt: fromNow(1) }, undefined],
    ['at its end', { closesAt: now }, 'sale_ended'],
  ])('%s', (_, fields, block) => {
    const found = findBlockedUnits(withAddon(fields), units(1));
    expect(found).toEqual(
      block && { outcome: 'refused', reason: 'ADDON_NOT_ON_SALE', unit: 0, block },
    );
  });
});

test('an order without a list of units has one of each add-on', () => {
  expect(unitsOf({ addonIds: ['lunch', 'tour', 'lunch'] })).toEqual([
    { addonId: 'lunch', quantity: 1, inBundle: false },
    { addonId: 'tour', quantity: 1, inBundle: false },
  ]);
});
