import { describe, expect, test } from 'vitest';
import { type EditedItem, furtherWrites, valuesOf, writeOf } from './item-values.ts';

const path = 'events/evt_1';
const existing = {
  ...{ id: 'bundle_1', name: 'Both', description: null, priceAmount: null, sortOrder: 0 },
  items: [{ itemType: 'registration_type', itemId: 'tt_1', quantity: 3 }],
} as unknown as NonNullable<Extract<EditedItem, { kind: 'bundle' }>['record']>;

describe('a new item', () => {
  test.each([
    [
      'ticket',
      'ticket-types',
      [{ method: 'PATCH', path: `${path}/ticket-types/id`, body: { status: 'open' } }],
    ],
    ['addon', 'addons', [{ method: 'PATCH', path: `${path}/addons/id`, body: { status: 'open' } }]],
    [
      'bundle',
      'bundles',
      [{ method: 'PATCH', path: `${path}/bundles/id`, body: { status: 'open' } }],
    ],
  ] as const)('of the kind %s is created and put on sale', (kind, folder, further) => {
    const edited = { kind, record: null } as EditedItem;
    const values = { ...valuesOf(edited), name: 'New' };
    expect(writeOf(edited, values, {}, path)).toMatchObject({
      method: 'POST',
      path: `${path}/${folder}`,
    });
    expect(furtherWrites(edited, values, 'id', path)).toEqual(further);
  });
});

test('an existing bundle keeps the quantities of its items', () => {
  const edited = { kind: 'bundle', record: existing } as const;
  const values = { ...valuesOf(edited), items: ['tt_1', 'addon_1'] };
  expect(furtherWrites(edited, values, 'bundle_1', path)).toEqual([
    {
      method: 'PUT',
      path: `${path}/bundles/bundle_1/items`,
      body: [
        { itemType: 'registration_type', itemId: 'tt_1', quantity: 3 },
        { itemType: 'addon', itemId: 'addon_1', quantity: 1 },
      ],
    },
  ]);
});
