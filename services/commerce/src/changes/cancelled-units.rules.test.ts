import type { CancelledAddon } from '@event-api/contracts/http/order-changes';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { describe, expect, test } from 'vitest';
import type { CancelledUnits } from '../orders/lines.rules.ts';
import { decideUnits, keptUnitsOf, type OrderWithAddons } from './cancelled-units.rules.ts';

const line = { attendees: [] as object[], registrationIds: ['reg_buyer'] };

/**
 * A ticket, three tours for the buyer, one tour for each of two persons, and a bundle with a tour for
 * the buyer.
 */
function orderOf(
  cancelledAddons: CancelledUnits[] = [],
  registrationStatuses: Record<string, RegistrationStatus> = {},
): OrderWithAddons {
  const named = { attendees: [{}, {}], registrationIds: ['reg_a', 'reg_b'] };
  return {
    lines: [
      { ...line, itemType: 'registration_type', itemId: 'tt', quantity: 1, totalAmount: 300 },
      { ...line, itemType: 'addon', itemId: 'tour', quantity: 3, totalAmount: 900 },
      { ...line, ...named, itemType: 'addon', itemId: 'tour', quantity: 2, totalAmount: 600 },
      { ...line, itemType: 'bundle', itemId: 'bdl', quantity: 1, totalAmount: 300 },
    ],
    addons: [
      { line: 1, addonId: 'tour', emails: [], quantity: 3 },
      { line: 2, addonId: 'tour', emails: ['a@b.c', 'b@b.c'], quantity: 2 },
      { line: 3, addonId: 'tour', emails: [], quantity: 1, inBundle: true },
    ],
    cancelledAddons,
    addonRegistrationId: 'reg_buyer',
    registrationStatuses,
  };
}

const cancelled = (lineIndex: number, registrationId: string | null, quantity = 1) => ({
  ...{ line: lineIndex, registrationId, quantity, amount: 300 * quantity },
});

const decide = (
  addon: Partial<CancelledAddon>,
  order = orderOf(),
  ending: readonly string[] = [],
) => decideUnits(order, [{ itemIndex: 1, quantity: 1, ...addon }], ending);

describe('units of an add-on', () => {
  test.each<[string, ReturnType<typeof decide>, object]>([
    ['of the buyer', decide({ quantity: 3 }), { ...cancelled(1, null, 3), receiver: 'reg_buyer' }],
    [
      'of a named recipient',
      decide({ itemIndex: 2, registrationId: 'reg_b' }),
      { ...cancelled(2, 'reg_b'), receiver: 'reg_b' },
    ],
    [
      'that are left',
      decide({ quantity: 2 }, orderOf([cancelled(1, null)])),
      { ...cancelled(1, null, 2), receiver: 'reg_buyer' },
    ],
    [
      'of a recipient while another one has none any more',
      decide({ itemIndex: 2, registrationId: 'reg_b' }, orderOf([cancelled(2, 'reg_a')])),
      { ...cancelled(2, 'reg_b'), receiver: 'reg_b' },
    ],
  ])('%s can be cancelled', (_, decision, units) => {
    expect(decision).toEqual({ outcome: 'chosen', units: [units] });
  });

  const tooMany = (left: number) => ({ outcome: 'too_many_units', index: 0, left });
  const ended = { reg_buyer: 'cancelled' } as const;
  test.each<[string, ReturnType<typeof decide>, object]>([
    ['of an item that is no add-on', decide({ itemIndex: 0 }), { outcome: 'unknown_addon' }],
    ['of a bundle', decide({ itemIndex: 3 }), { outcome: 'unknown_addon' }],
    ['of an item that does not exist', decide({ itemIndex: 4 }), { outcome: 'unknown_addon' }],
    [
      'of nobody in particular, where recipients are named',
      decide({ itemIndex: 2 }),
      { outcome: 'wrong_recipient', isNamed: true },
    ],
    [
      'of a person who is no recipient',
      decide({ itemIndex: 2, registrationId: 'reg_buyer' }),
      { outcome: 'wrong_recipient', isNamed: true },
    ],
    [
      'of a person, where the buyer receives them',
      decide({ registrationId: 'reg_buyer' }),
      { outcome: 'wrong_recipient', isNamed: false },
    ],
    ['of which there are fewer', decide({ quantity: 4 }), tooMany(3)],
    [
      'of which fewer are left',
      decide({ quantity: 2 }, orderOf([cancelled(1, null, 2)])),
      tooMany(1),
    ],
    [
      'that their recipient has no more',
      decide({ itemIndex: 2, registrationId: 'reg_a' }, orderOf([cancelled(2, 'reg_a')])),
      { outcome: 'no_units', index: 0 },
    ],
    [
      'of a cancelled registration',
      decide({}, orderOf([], ended)),
      { outcome: 'no_units', index: 0 },
    ],
    [
      'that end with a seat of the change',
      decide({}, orderOf(), ['reg_buyer']),
      { outcome: 'units_of_seat', index: 0 },
    ],
  ])('%s cannot be cancelled', (_, decision, expected) => {
    expect(decision).toMatchObject(expected);
  });
});

test('a registration keeps its units of all items less those that are cancelled', () => {
  const order = orderOf([cancelled(1, null, 2), cancelled(2, 'reg_a')]);
  const kept = keptUnitsOf(order, [
    { line: 1, registrationId: null },
    { line: 2, registrationId: 'reg_a' },
    { line: 2, registrationId: 'reg_b' },
  ]);
  expect(kept).toEqual([
    { registrationId: 'reg_buyer', addonId: 'tour', quantity: 2 },
    { registrationId: 'reg_a', addonId: 'tour', quantity: 0 },
    { registrationId: 'reg_b', addonId: 'tour', quantity: 1 },
  ]);
});
