import { describe, expect, test } from 'vitest';
import { personOf, registrationState, stateOf } from '../../test/states.ts';
import { deliverAddons, findUnregistered, hasNoRecipient, receiversOf } from './addons.rules.ts';

const request = (seats: string[], addons?: [string, string[]][]) => ({
  reservationId: 'ord_1',
  buyerEmail: 'buyer',
  seats: seats.map((email) => ({ person: personOf(email) })),
  addonIds: addons ? addons.map(([addonId]) => addonId) : ['lunch'],
  addons: addons?.map(([addonId, emails]) => ({ addonId, emails })),
});
const registered = (...emails: string[]) =>
  stateOf({ registrations: emails.map((email) => registrationState(email, 'confirmed')) });

test.each([
  ['attendees of the order', ['a', 'b'], [], [['lunch', ['b', 'a']]], null],
  ['registered persons', [], ['a', 'b'], [['lunch', ['b', 'a']]], null],
  ['an attendee and a registered person', ['a'], ['b'], [['lunch', ['b', 'a']]], null],
  [
    'a person who is neither',
    ['a'],
    [],
    [
      ['tour', ['a']],
      ['lunch', ['a', 'b']],
    ],
    { addon: 1, attendee: 1 },
  ],
  [
    'a registered person and the buyer, who is not',
    [],
    ['a'],
    [
      ['lunch', ['a']],
      ['tour', []],
    ],
    {},
  ],
  ['the buyer, who is registered', [], ['buyer'], [['lunch', []]], null],
  ['the buyer of an order with a seat', ['a'], [], [['lunch', []]], null],
  ['only named persons of a buyer who is not registered', [], ['a'], [['lunch', ['a']]], null],
] as [string, string[], string[], [string, string[]][], object | null][])(
  'findUnregistered for add-ons for %s',
  (_, seats, active, addons, expected) => {
    const of = { ...request(seats, addons), seatEmails: seats };
    expect(findUnregistered(registered(...active).active, of)).toEqual(expected);
  },
);

test.each([
  [['a'], [], undefined, false],
  [[], ['buyer'], undefined, false],
  [[], [], undefined, true],
  [[], ['a'], [['lunch', ['a', 'b']]], false],
  [[], [], [['lunch', ['a', 'b']]], true],
  [[], ['buyer'], [['lunch', ['a']]], true],
  [
    [],
    ['buyer'],
    [
      ['lunch', ['a']],
      ['tour', []],
    ],
    false,
  ],
] as [string[], string[], [string, string[]][] | undefined, boolean][])(
  'an order with the seats %j, registered persons %j and the add-ons %j has no recipient: %s',
  (seats, active, addons, expected) => {
    expect(hasNoRecipient(registered(...active), request(seats, addons))).toBe(expected);
  },
);

describe('deliverAddons', () => {
  const fulfilled = (...emails: string[]) =>
    emails.map((email) => ({ registrationId: `reg_${email}`, created: true }));
  const deliver = (seats: string[], active: string[], addons: [string, string[]][]) => {
    const { fulfilment, changes } = deliverAddons(
      registered(...active),
      request(seats, addons),
      fulfilled(...seats),
    );
    const delivered = changes.map((change) =>
      change.kind === 'add_addons'
        ? [change.registrationId, change.units.map(({ addonId }) => addonId)]
        : [],
    );
    expect(delivered.map(([id]) => id).toSorted()).toEqual(receiversOf(fulfilment).toSorted());
    return [fulfilment.addonRegistrationIds, Object.fromEntries(delivered)];
  };

  test('adds each add-on to exactly the registrations of its recipients', () => {
    expect(
      deliver(
        ['a', 'b'],
        ['c', 'buyer'],
        [
          ['dinner', ['b', 'c']],
          ['tour', ['b']],
          ['lunch', []],
        ],
      ),
    ).toEqual([
      [['reg_b', 'reg_c'], ['reg_b'], ['reg_buyer']],
      { reg_b: ['dinner', 'tour'], reg_c: ['dinner'], reg_buyer: ['lunch'] },
    ]);
  });

  test('adds nothing to a named person who is not registered any more', () => {
    expect(deliver(['a'], [], [['dinner', ['a', 'c']]])).toEqual([
      [['reg_a', null]],
      { reg_a: ['dinner'] },
    ]);
  });

  test('adds the same add-on of two lines to a registration once', () => {
    expect(
      deliver(
        ['buyer'],
        [],
        [
          ['dinner', ['buyer']],
          ['dinner', []],
        ],
      ),
    ).toEqual([[['reg_buyer'], ['reg_buyer']], { reg_buyer: ['dinner'] }]);
  });

  test.each([
    ['all units to the buyer', [3], undefined, { reg_buyer: 3 }],
    ['the units of two lines to the buyer', [3, 2], [[], []], { reg_buyer: 5 }],
    ['one unit to each named person', [2], [['a', 'b']], { reg_a: 1, reg_b: 1 }],
    [
      'the units of other lines to the buyer',
      [2, 4],
      [['a', 'b'], []],
      { reg_a: 1, reg_b: 1, reg_buyer: 4 },
    ],
    ['nothing for a person who left', [2], [['a', 'gone']], { reg_a: 1 }],
  ] as [string, number[], string[][] | undefined, object][])(
    'delivers %s',
    (_, quantities, recipients, expected) => {
      const { changes } = deliverAddons(
        registered('buyer'),
        {
          ...request(
            ['a', 'b'],
            recipients?.map((emails) => ['lunch', emails]),
          ),
          addonUnits: quantities.map((quantity) => ({
            addonId: 'lunch',
            quantity,
            inBundle: false,
          })),
        },
        fulfilled('a', 'b'),
      );
      const units = changes.flatMap((change) =>
        change.kind === 'add_addons'
          ? change.units.map(({ quantity }) => [change.registrationId, quantity])
          : [],
      );
      expect(Object.fromEntries(units)).toEqual(expected);
    },
  );
});
