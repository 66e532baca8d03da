import { CreateOrder } from '@event-api/contracts/http/checkout';
import { describe, expect, test } from 'vitest';
import { expandOrder, type Offer, recipientsOf, unitsOf } from './lines.rules.ts';

const offer: Offer = {
  types: new Map([['tt_1', { name: 'Standard', priceAmount: 100 }]]),
  addons: new Map([['addon_1', { name: 'Lunch', priceAmount: 50, status: 'open' }]]),
  bundles: new Map([
    [
      'bdl_1',
      {
        name: 'Lunches',
        status: 'open',
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
    ['addon', 'addon_1', 'must be omitted or name one attendee per unit: 1 expected, 2 named'],
    ['bundle', 'bdl_1', 'must be omitted: the bundle has no tickets'],
    ['registration_type', 'tt_1', 'must name one attendee per seat: 1 expected, 2 named'],
  ])('are rejected with the reason on a line of the type %s', (itemType, itemId, issue) => {
    expect(issuesOf(itemType, itemId)).toEqual([
      { field: 'items[0].attendees', issue, code: 'too_big' },
    ]);
  });
});

describe('with assignLater', () => {
  const [ada] = attendees;
  const seatsOf = (line: object, assignLater: boolean) => {
    const items = [{ itemType: 'registration_type', itemId: 'tt_1', ...line }];
    const input = CreateOrder.parse({ email: 'buyer@example.com', items, assignLater });
    const expansion = expandOrder(offer, input);
    return expansion.outcome === 'expanded'
      ? expansion.seats.map(({ email }) => email)
      : expansion.issues.map(({ code, issue }) => `${code} ${issue}`);
  };

  test.each([
    [{ quantity: 3, attendees: [ada] }, ['ada@example.com', '', '']],
    [{ quantity: 2 }, ['', '']],
    [{ quantity: 1 }, ['']],
    [{ quantity: 2, attendees }, ['ada@example.com', 'grace@example.com']],
    [
      { quantity: 1, attendees },
      ['too_big must name at most one attendee per seat: 1 expected, 2 named'],
    ],
  ])('the line %j has open seats behind its attendees', (line, expected) => {
    expect(seatsOf(line, true)).toEqual(expected);
  });

  test.each([
    [{ quantity: 1 }, ['buyer@example.com']],
    [
      { quantity: 2, attendees: [ada] },
      ['attendees_required must name one attendee per seat: 2 expected, 1 named'],
    ],
  ])('and without it the line %j has none', (line, expected) => {
    expect(seatsOf(line, false)).toEqual(expected);
  });
});

test('the seats of bundles are those of the first one, in the order of its items, then of the next', () => {
  const types = new Map(['pass', 'day'].map((id) => [id, { name: id, priceAmount: 100 }]));
  const items = [
    { itemType: 'registration_type', itemId: 'pass', quantity: 1 },
    { itemType: 'addon', itemId: 'addon_1', quantity: 1 },
    { itemType: 'registration_type', itemId: 'day', quantity: 2 },
  ] as const;
  const bundle = { name: 'All', status: 'open', priceAmount: null, items: [...items] } as const;
  const people = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ email: `${name}@example.com` }));
  const line = { itemType: 'bundle', itemId: 'bdl_2', quantity: 2, attendees: people };
  const expansion = expandOrder(
    { ...offer, types, bundles: new Map([['bdl_2', bundle]]) },
    CreateOrder.parse({ email: 'ada@example.com', items: [line] }),
  );
  if (expansion.outcome !== 'expanded') throw new Error(expansion.outcome);
  expect(expansion.seats.map(({ email, ticketTypeId }) => `${email?.[0]} ${ticketTypeId}`)).toEqual(
    [...['a pass', 'b day', 'c day', 'd pass', 'e day', 'f day']],
  );
});

describe('recipients of add-ons', () => {
  const [ada, grace] = attendees;
  const expand = (items: object[]) =>
    expandOrder(offer, CreateOrder.parse({ email: 'ada@example.com', items }));
  const lunch = { itemType: 'addon', itemId: 'addon_1' };

  test('are the named persons of each line, and of a bundle the buyer', () => {
    const expansion = expand([
      { itemType: 'registration_type', itemId: 'tt_1', attendees: [ada] },
      { ...lunch, quantity: 2, attendees },
      { itemType: 'bundle', itemId: 'bdl_1' },
      { ...lunch, quantity: 3 },
    ]);
    if (expansion.outcome !== 'expanded') throw new Error(expansion.outcome);
    const { addons, addonIds, seats, lines } = expansion;
    expect(addons).toEqual([
      {
        ...{ line: 1, addonId: 'addon_1', quantity: 2, inBundle: false },
        emails: ['ada@example.com', 'grace@example.com'],
      },
      { line: 2, addonId: 'addon_1', quantity: 2, inBundle: true, emails: [] },
      { line: 3, addonId: 'addon_1', quantity: 3, inBundle: false, emails: [] },
    ]);
    expect(unitsOf(addons)).toEqual(
      addons.map(({ addonId, quantity, inBundle }) => ({ addonId, quantity, inBundle })),
    );
    const ofPreviousRelease = { line: 0, addonId: 'addon_1', emails: [] };
    expect(unitsOf([ofPreviousRelease])).toEqual([
      { addonId: 'addon_1', quantity: 1, inBundle: false },
    ]);
    expect([addonIds, seats.length]).toEqual([['addon_1'], 1]);
    expect(lines.map((line) => line.attendees.length)).toEqual([1, 2, 0, 0]);
    expect(recipientsOf(addons)).toEqual(
      addons.map(({ addonId, emails }) => ({ addonId, emails })),
    );
    expect(recipientsOf(addons.slice(1))).toBeUndefined();
    expect(recipientsOf(null)).toBeUndefined();
  });

  test('that are fewer than the quantity are rejected', () => {
    expect(expand([{ ...lunch, quantity: 2, attendees: [grace] }])).toMatchObject({
      issues: [
        {
          field: 'items[0].attendees',
          issue: 'must be omitted or name one attendee per unit: 2 expected, 1 named',
          code: 'attendees_required',
        },
      ],
    });
  });

  test.each([
    [
      'in one line',
      [{ ...lunch, quantity: 2, attendees: [ada, { email: 'ADA@example.com' }] }],
      0,
      1,
    ],
    ['in two lines', [1, 2].map(() => ({ ...lunch, attendees: [ada] })), 1, 0],
  ])('that get the same add-on twice %s are rejected', (_, items, line, place) => {
    const { error } = CreateOrder.safeParse({ email: 'ada@example.com', items });
    expect(error?.issues).toMatchObject([
      {
        path: ['items', line, 'attendees', place, 'email'],
        message: 'must not get the same add-on twice',
      },
    ]);
  });
});
