import { describe, expect, test } from 'vitest';
import { expandOrder, fieldOfSeat, type Offer, type OfferedBundle } from './lines.rules.ts';
import { priceBeforeCode, priceOrder } from './prices.rules.ts';

/** A bundle with `entries` items of `quantity` day tickets each. */
const ofDays = (entries: number, quantity: number): OfferedBundle => ({
  name: 'Days',
  status: 'open',
  priceAmount: null,
  items: Array.from({ length: entries }, () => ({
    itemType: 'registration_type',
    itemId: 'day',
    quantity,
  })),
});

const offer: Offer = {
  types: new Map([
    ['day', { name: 'Day', priceAmount: 999 }],
    ['gala', { name: 'Gala', priceAmount: 100_000_000 }],
  ]),
  addons: new Map([
    ['lunch', { name: 'Lunch', priceAmount: 501, status: 'open' }],
    ['tour', { name: 'Tour', priceAmount: 1, status: 'closed' }],
  ]),
  bundles: new Map([
    [
      'both',
      {
        name: 'Both',
        status: 'open',
        priceAmount: 1000,
        items: [
          { itemType: 'registration_type', itemId: 'day', quantity: 2 },
          { itemType: 'addon', itemId: 'lunch', quantity: 1 },
        ],
      },
    ],
    [
      'sum',
      {
        name: 'Sum',
        status: 'open',
        priceAmount: null,
        items: [
          { itemType: 'registration_type', itemId: 'day', quantity: 1 },
          { itemType: 'addon', itemId: 'lunch', quantity: 3 },
        ],
      },
    ],
    ['crowd', ofDays(50, 100)],
    // More seats than an array can hold: creating them before the validation fails.
    ['endless', ofDays(1, 2 ** 32)],
    ['empty', { name: 'Empty', status: 'open', priceAmount: 5, items: [] }],
    [
      'late',
      {
        name: 'Late',
        status: 'open',
        priceAmount: 5,
        items: [{ itemType: 'addon', itemId: 'tour', quantity: 1 }],
      },
    ],
  ]),
};

type Items = Parameters<typeof expandOrder>[1]['items'];
const people = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ email: `p${n}@x.de`, name: null }));
const line = (
  itemType: Items[number]['itemType'],
  itemId: string,
  quantity = 1,
  seats = 0,
): Items[number] => ({
  itemType,
  itemId,
  quantity,
  ...(seats > 0 && { attendees: people(seats) }),
});
const expand = (...items: Items) =>
  expandOrder(offer, { email: 'buyer@x.de', name: 'Buyer', items, assignLater: false });
const expanded = (...items: Items) => {
  const expansion = expand(...items);
  if (expansion.outcome !== 'expanded') throw new Error(JSON.stringify(expansion));
  return expansion;
};
const none = { discount: null, discountedTicketTypeId: null };

describe('the lines of an order', () => {
  test('assign the only seat to the buyer', () => {
    expect(expanded(line('registration_type', 'day'), line('addon', 'lunch')).seats).toEqual([
      { ticketTypeId: 'day', amount: 999, email: 'buyer@x.de', name: 'Buyer', inBundle: false },
    ]);
  });

  test('order the seats of a bundle by bundle', () => {
    const { seats, addonIds, lines } = expanded(
      line('bundle', 'both', 2, 4),
      line('addon', 'lunch'),
    );
    expect(seats.map(({ email }) => email)).toEqual(people(4).map(({ email }) => email));
    expect(seats.every(({ inBundle }) => inBundle)).toBe(true);
    expect(addonIds).toEqual(['lunch']);
    expect(lines.map(({ firstSeat, seatCount }) => [firstSeat, seatCount])).toEqual([
      [0, 4],
      [4, 0],
    ]);
    expect(fieldOfSeat(lines, 3)).toBe('items[0].attendees[3].email');
  });

  test.each([
    [[line('addon', 'x')], 'unknown'],
    [[line('registration_type', 'lunch')], 'unknown'],
    [[line('bundle', 'x')], 'unknown'],
    [[line('registration_type', 'day', 2)], 'malformed'],
    [[line('registration_type', 'day', 2, 3)], 'malformed'],
    [[line('registration_type', 'day'), line('registration_type', 'gala')], 'malformed'],
    [[line('addon', 'lunch', 1, 1)], 'expanded'],
    [[line('addon', 'lunch', 1, 2)], 'malformed'],
    [[line('addon', 'lunch', 3, 2)], 'malformed'],
    [[line('bundle', 'both', 51, 102)], 'malformed'],
  ] as const)('%j return the outcome %s', (items, outcome) => {
    expect(expand(...items).outcome).toBe(outcome);
  });

  test.each([
    ['a ticket type', [line('registration_type', 'day', 101, 101)]],
    ['two lines', [line('registration_type', 'day', 60, 60), line('bundle', 'both', 21, 42)]],
    [
      'the largest possible bundles',
      Array.from({ length: 20 }, () => line('bundle', 'crowd', 100)),
    ],
    ['a huge quantity of a ticket type', [line('registration_type', 'day', 2 ** 32)]],
    ['a huge quantity in a bundle', [line('bundle', 'endless')]],
  ] as const)('are rejected before any seat is created when %s exceed 100 seats', (_, items) => {
    expect(expand(...items)).toEqual({
      outcome: 'malformed',
      issues: [{ field: 'items', issue: 'must come to at most 100 seats', code: 'too_big' }],
    });
  });
});

describe('the price of an order', () => {
  test('is the sum of its lines', () => {
    const order = expanded(line('registration_type', 'day'), line('addon', 'lunch', 3));
    expect(priceOrder(order, none, offer).totalAmount).toBe(2502);
  });

  test('is known before its reservation unless a code may reduce it', () => {
    const charged = expanded(line('registration_type', 'day'));
    const free = { lines: charged.lines.map((each) => ({ ...each, unitAmount: 0 })) };
    const [without, withCode] = [{ redemptionCode: null }, { redemptionCode: 'HALF' }];
    expect([priceBeforeCode(charged, without), priceBeforeCode(charged, withCode)]).toEqual([
      'charged',
      'unknown',
    ]);
    expect([priceBeforeCode(free, without), priceBeforeCode(free, withCode)]).toEqual([
      'free',
      'free',
    ]);
  });

  test('of a bundle is its own price or the sum of its items, divided among its seats', () => {
    const { lines, seats } = priceOrder(expanded(line('bundle', 'both', 1, 2)), none, offer);
    expect(lines).toMatchObject([{ unitAmount: 1000, totalAmount: 1000 }]);
    expect(seats.map(({ amount }) => amount)).toEqual([399, 399]);
    expect(priceOrder(expanded(line('bundle', 'sum')), none, offer).totalAmount).toBe(
      999 + 3 * 501,
    );
  });

  test('discounts each seat of the ticket type outside bundles, rounded half up', () => {
    const order = expanded(line('registration_type', 'day', 2, 2), line('bundle', 'both', 1, 2));
    const half = {
      discount: { type: 'percent', value: 50 } as const,
      discountedTicketTypeId: 'day',
    };
    const { lines, totalAmount } = priceOrder(order, half, offer);
    expect(lines.map(({ discountAmount }) => discountAmount)).toEqual([1000, 0]);
    expect(totalAmount).toBe(998 + 1000);
  });

  test('is never below zero', () => {
    const off = {
      discount: { type: 'amount', value: 5000 } as const,
      discountedTicketTypeId: 'day',
    };
    expect(priceOrder(expanded(line('registration_type', 'day')), off, offer).totalAmount).toBe(0);
  });

  test('is exact beyond 32 bits', () => {
    const order = expanded(line('registration_type', 'gala', 100, 100));
    expect(priceOrder(order, none, offer).totalAmount).toBe(10_000_000_000);
  });
});

describe('the tax of an order', () => {
  const rateOf = (percentage: number, mode: 'inclusive' | 'exclusive') => ({
    ...{ id: `${mode}_${percentage}`, name: 'VAT', percentage, mode },
  });
  const taxed = (mode: 'inclusive' | 'exclusive'): Offer => ({
    ...offer,
    types: new Map([['day', { name: 'Day', priceAmount: 999, taxRate: rateOf(1900, mode) }]]),
    addons: new Map([
      ['lunch', { name: 'Lunch', priceAmount: 501, status: 'open', taxRate: rateOf(700, mode) }],
    ]),
  });
  const three = expanded(line('registration_type', 'day', 3, 3));

  test('that prices include changes nothing that is charged', () => {
    const { lines, seats, ...order } = priceOrder(three, none, taxed('inclusive'));
    expect(order).toEqual({ totalAmount: 2997, taxAmount: 479 });
    expect(seats.map(({ amount }) => amount)).toEqual([999, 999, 999]);
    expect(lines).toMatchObject([
      { totalAmount: 2997, taxes: [{ netAmount: 2518, taxAmount: 479, grossAmount: 2997 }] },
    ]);
  });

  test('that is added is rounded once for the line, and divided among its seats', () => {
    const { lines, seats, ...order } = priceOrder(three, none, taxed('exclusive'));
    expect(order).toEqual({ totalAmount: 3566, taxAmount: 569 });
    expect(seats.map(({ amount }) => amount)).toEqual([1189, 1189, 1188]);
    expect(lines).toMatchObject([{ unitAmount: 999, discountAmount: 0, totalAmount: 3566 }]);
  });

  test('is less by what a code takes off', () => {
    const code = {
      discount: { type: 'percent', value: 50 },
      discountedTicketTypeId: 'day',
    } as const;
    const { totalAmount, taxAmount } = priceOrder(three, code, taxed('exclusive'));
    expect([totalAmount, taxAmount]).toEqual([1781, 284]);
  });

  test('of a bundle without a rate is that of its items, in proportion to their prices', () => {
    const both = expanded(line('bundle', 'both', 1, 2));
    const { lines, seats } = priceOrder(both, none, taxed('inclusive'));
    expect(lines).toMatchObject([
      {
        totalAmount: 1000,
        taxAmount: 141,
        taxes: [
          { grossAmount: 800, taxAmount: 128 },
          { grossAmount: 200, taxAmount: 13 },
        ],
      },
    ]);
    expect(seats.every(({ amount }) => amount <= 500)).toBe(true);
  });

  test('of a bundle with a rate is that rate for its whole price', () => {
    const rated = taxed('inclusive');
    const both = { ...offer.bundles.get('both'), taxRate: rateOf(1900, 'exclusive') };
    const bundles = new Map([['both', both as OfferedBundle]]);
    const order = expanded(line('bundle', 'both', 1, 2));
    const { lines, seats } = priceOrder(order, none, { ...rated, bundles });
    expect(lines).toMatchObject([{ totalAmount: 1190, taxAmount: 190 }]);
    expect(seats.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(1190);
  });
});
