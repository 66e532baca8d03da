import { ApiError, envelope } from '@event-api/platform/core/errors';
import { describe, expect, test } from 'vitest';
import { expandOrder, type Offer } from '../orders/lines.rules.ts';
import { type ReserveRefusal, refusalOf } from './refusals.ts';
import type { ItemBlock } from './sale.rules.ts';

const offer: Offer = {
  types: new Map([
    ['day', { name: 'Day', priceAmount: 999 }],
    ['gala', { name: 'Gala', priceAmount: 5000 }],
  ]),
  addons: new Map([['lunch', { name: 'Lunch', priceAmount: 501, status: 'open' }]]),
  bundles: new Map([
    [
      'pair',
      {
        name: 'Pair',
        status: 'open',
        priceAmount: null,
        items: [{ itemType: 'registration_type', itemId: 'gala', quantity: 2 }],
      },
    ],
  ]),
};

/** An order of a day ticket, a bundle of two gala tickets, and an add-on. */
const order = expandOrder(offer, {
  email: 'buyer@x.de',
  name: null,
  assignLater: false,
  items: [
    { itemType: 'registration_type', itemId: 'day', quantity: 1, attendees: people('a') },
    { itemType: 'bundle', itemId: 'pair', quantity: 1, attendees: people('b', 'c') },
    { itemType: 'addon', itemId: 'lunch', quantity: 1 },
  ],
});

function people(...names: string[]) {
  return names.map((name) => ({ email: `${name}@x.de`, name: null }));
}

/** Returns the message and the first detail. */
function detailsOf(refusal: ReserveRefusal, block: ItemBlock | null = null) {
  if (order.outcome !== 'expanded') throw new Error(order.outcome);
  const error = refusalOf(refusal, { draft: order, offer, block });
  if (!(error instanceof ApiError)) throw new Error('no error returned');
  const { message, details } = envelope(error).error;
  return { message, ...(details?.[0] as object) };
}

const refused = <const Refusal extends object>(refusal: Refusal) =>
  ({ outcome: 'refused', ...refusal }) as const;

describe('refusalOf returns the field and a message', () => {
  test.each([
    ['draft', 'The ticket type "Day" is a draft.'],
    ['closed', 'The ticket type "Day" is closed.'],
    ['archived', 'The ticket type "Day" is archived.'],
    ['not_open_yet', 'The ticket type "Day" is not on sale yet.'],
    ['sale_ended', 'The ticket type "Day" is no longer on sale.'],
  ] as const)('for a ticket type that is blocked: %s', (block, message) => {
    const reason = 'NOT_ON_SALE';
    expect(detailsOf(refused({ reason, seat: 0, block }))).toEqual({
      message,
      reason,
      field: 'items[0]',
    });
  });

  test('for a ticket type with a price that requires approval, alone and in a bundle', () => {
    const blocked = (seat: number) =>
      detailsOf(refused({ reason: 'NOT_ON_SALE', seat, block: 'requires_approval' }));
    const advice =
      'requires approval and has a price: register the attendee, and order the seat that the approval offers.';
    const reason = 'APPROVAL_REQUIRED';
    expect([blocked(0), blocked(2)]).toEqual([
      { message: `The ticket type "Day" ${advice}`, reason, field: 'items[0]' },
      {
        message: `The bundle "Pair" contains the ticket type "Gala", which ${advice}`,
        reason,
        field: 'items[1]',
      },
    ]);
  });

  test('for a ticket type in a bundle', () => {
    expect(detailsOf(refused({ reason: 'NOT_ON_SALE', seat: 2, block: 'closed' }))).toEqual({
      message: 'The bundle "Pair" contains the ticket type "Gala", which is closed.',
      reason: 'NOT_ON_SALE',
      field: 'items[1]',
    });
  });

  test.each([
    [{ kind: 'addon', name: 'Lunch', status: 'draft' }, 'The add-on "Lunch" is a draft.'],
    [{ kind: 'bundle', name: 'Pair', status: 'draft' }, 'The bundle "Pair" is a draft.'],
    [{ kind: 'empty_bundle', name: 'Pair' }, 'The bundle "Pair" has no items.'],
    [
      { kind: 'bundled_addon', name: 'Lunch', bundle: 'Pair', status: 'closed' },
      'The bundle "Pair" contains the add-on "Lunch", which is closed.',
    ],
  ] as const)(
    'for an item that commerce finds not on sale, before codes and seats: %j',
    (block, message) => {
      const results = [
        refused({ reason: 'CODE_INVALID' }),
        refused({ reason: 'CODE_FITS_NOTHING' }),
        refused({ reason: 'CODE_USES_EXCEEDED', usesLeft: 1, usesRequested: 2 }),
        refused({ reason: 'SOLD_OUT', seat: 0, seatsLeft: 0, seatsRequested: 1 }),
      ] as const;
      for (const result of results) {
        const expected = { message, reason: 'NOT_ON_SALE', field: 'items[2]' };
        expect(detailsOf(result, { item: 2, ...block })).toEqual(expected);
      }
      const first = refused({ reason: 'NOT_ON_SALE', seat: 0, block: 'draft' });
      expect(detailsOf(first, { item: 2, ...block })).toMatchObject({ field: 'items[0]' });
    },
  );

  test.each([
    [0, 'has no seats left'],
    [1, 'has 1 seat left, and the order needs 2'],
    [3, 'has 3 seats left, and the order needs 4'],
  ])('for a ticket type with %i seats left', (seatsLeft, words) => {
    const seatsRequested = seatsLeft + 1;
    const result = refused({ reason: 'SOLD_OUT', seat: 1, seatsLeft, seatsRequested });
    expect(detailsOf(result)).toEqual({
      message: `The ticket type "Gala" ${words}.`,
      reason: 'SOLD_OUT',
      field: 'items[1]',
      seatsLeft,
    });
  });

  test.each([
    [1, 'The redemption code has 1 use left, and the order needs 2.'],
    [2, 'The redemption code has 2 uses left, and the order needs 3.'],
  ])('for a code with %i uses left', (usesLeft, message) => {
    const result = refused({ reason: 'CODE_USES_EXCEEDED', usesLeft, usesRequested: usesLeft + 1 });
    const reason = 'CODE_USES_EXCEEDED';
    expect(detailsOf(result)).toEqual({ message, reason, field: 'redemptionCode', usesLeft });
  });

  test.each([
    [
      refused({ reason: 'TOO_MANY_HOLDS', limit: 100 }),
      {
        message: 'This email already has 100 open orders in the event, which is the limit.',
        limit: 100,
      },
    ],
    [
      refused({ reason: 'TOO_MANY_SEATS', limit: 4, seatsLeft: 1 }),
      {
        message: 'The event allows 4 seats per email, and this email can order 1 more.',
        limit: 4,
        seatsLeft: 1,
      },
    ],
  ])('for the limits of a buyer: %j', (result, expected) => {
    expect(detailsOf(result)).toEqual({ reason: result.reason, field: 'email', ...expected });
  });

  test('for an attendee, a code and a buyer', () => {
    expect([
      detailsOf({ outcome: 'attendee_registered', seat: 2 }),
      detailsOf(refused({ reason: 'CODE_INVALID' })),
      detailsOf(refused({ reason: 'CODE_FITS_NOTHING' })),
      detailsOf(refused({ reason: 'NOT_REGISTERED' })),
      detailsOf(refused({ reason: 'NOT_FOUND', seat: 2 })),
    ]).toMatchObject([
      { reason: 'ATTENDEE_REGISTERED', field: 'items[1].attendees[1].email' },
      { reason: 'CODE_INVALID', field: 'redemptionCode' },
      { reason: 'CODE_INVALID', field: 'redemptionCode' },
      { reason: 'NOT_REGISTERED', field: 'email' },
      { field: 'items[1].itemId', code: 'not_found' },
    ]);
  });
});

test('refusalOf names the recipient of an add-on who is not registered', () => {
  const draft = expandOrder(offer, {
    email: 'buyer@x.de',
    name: null,
    assignLater: false,
    items: [
      { itemType: 'registration_type', itemId: 'day', quantity: 1, attendees: people('a') },
      { itemType: 'addon', itemId: 'lunch', quantity: 2, attendees: people('a', 'b') },
    ],
  });
  if (draft.outcome !== 'expanded') throw new Error(draft.outcome);
  const refusal = refused({ reason: 'NOT_REGISTERED', addon: 0, attendee: 1 });
  expect(refusalOf(refusal, { draft, offer, block: null })).toMatchObject({
    details: [{ reason: 'NOT_REGISTERED', field: 'items[1].attendees[1].email' }],
  });
});

test('returns null when only the id of the reservation is closed', () => {
  if (order.outcome !== 'expanded') throw new Error(order.outcome);
  const closed = refused({ reason: 'CLOSED' });
  expect(refusalOf(closed, { draft: order, offer, block: null })).toBeNull();
});
