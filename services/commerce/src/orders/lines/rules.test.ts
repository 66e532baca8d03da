import { CreateOrder } from '@event-api/contracts/http/orders';
import { describe, expect, test } from 'vitest';
import { expandOrder, type Offer } from './rules.ts';

const offer: Offer = {
  types: new Map([['tt_1', { name: 'Standard', priceAmount: 100 }]]),
  addons: new Map([['addon_1', { name: 'Lunch', priceAmount: 50, status: 'open' }]]),
  bundles: new Map([
    [
      'bdl_1',
      {
        name: 'Lunches',
        priceAmount: null,
        items: [{ itemType: 'addon', itemId: 'addon_1', quantity: 2 }],
      },
    ],
  ]),
};

const attendees = [{ email: 'ada@example.com' }, { email: 'grace@example.com' }];

const issuesOf = (itemType: string, itemId: string) => {
  const items = [{ itemType, itemId, attendees }];
  const expansion = expandOrder(offer, CreateOrder.parse({ email: 'ada@example.com', items }));
  return expansion.outcome === 'malformed' ? expansion.issues : [];
};

describe('attendees of a line', () => {
  test.each([
    ['addon', 'addon_1', 'must be omitted: an add-on has no attendees'],
    ['bundle', 'bdl_1', 'must be omitted: the bundle has no tickets'],
    ['registration_type', 'tt_1', 'must name one attendee per seat: 1 expected, 2 named'],
  ])('are rejected with the reason on a line of the type %s', (itemType, itemId, issue) => {
    expect(issuesOf(itemType, itemId)).toEqual([
      { field: 'items[0].attendees', issue, code: 'too_big' },
    ]);
  });
});
