import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import { describe, expect, test } from 'vitest';
import type { Offer } from '../orders/lines.rules.ts';
import { findItemBlock } from './sale.rules.ts';

const bundle = (name: string, ...addonIds: string[]) => ({
  name,
  status: 'open' as SaleStatus,
  priceAmount: null,
  items: addonIds.map((itemId) => ({ itemType: 'addon' as const, itemId, quantity: 1 })),
});

const offer: Offer = {
  types: new Map([['day', { name: 'Day', priceAmount: 999 }]]),
  addons: new Map([
    ['lunch', { name: 'Lunch', priceAmount: 501, status: 'open' }],
    ['tour', { name: 'Tour', priceAmount: 1, status: 'closed' }],
    ['gift', { name: 'Gift', priceAmount: 0, status: 'draft' }],
    ['mug', { name: 'Mug', priceAmount: 0, status: 'archived' }],
  ]),
  bundles: new Map([
    ['empty', bundle('Empty')],
    ['fine', bundle('Fine', 'lunch')],
    ['late', bundle('Late', 'lunch', 'tour')],
    ...(['draft', 'closed', 'archived'] as const).map(
      (status) => [status, { ...bundle('Tours', 'tour'), status }] as const,
    ),
  ]),
};

type Items = Parameters<typeof findItemBlock>[1];
const line = (itemType: Items[number]['itemType'], itemId: string) => ({ itemType, itemId });

describe('findItemBlock', () => {
  test('returns null for a ticket type, an open add-on and a bundle of open add-ons', () => {
    const items = [
      line('registration_type', 'day'),
      line('addon', 'lunch'),
      line('bundle', 'fine'),
    ];
    expect(findItemBlock(offer, items)).toBeNull();
  });

  test.each([
    ['a draft add-on', line('addon', 'gift'), { kind: 'addon', name: 'Gift', status: 'draft' }],
    ['a closed add-on', line('addon', 'tour'), { kind: 'addon', name: 'Tour', status: 'closed' }],
    [
      'an archived add-on',
      line('addon', 'mug'),
      { kind: 'addon', name: 'Mug', status: 'archived' },
    ],
    ...(['draft', 'closed', 'archived'] as const).map(
      (status) =>
        [
          `a bundle that is ${status}, before its items`,
          line('bundle', status),
          { kind: 'bundle', name: 'Tours', status },
        ] as const,
    ),
    ['a bundle without items', line('bundle', 'empty'), { kind: 'empty_bundle', name: 'Empty' }],
    [
      'a bundle with a closed add-on',
      line('bundle', 'late'),
      { kind: 'bundled_addon', name: 'Tour', bundle: 'Late', status: 'closed' },
    ],
  ] as const)('returns the line of %s', (_, item, block) => {
    const items = [line('registration_type', 'day'), item, line('addon', 'gift')];
    expect(findItemBlock(offer, items)).toEqual({ item: 1, ...block });
  });
});
