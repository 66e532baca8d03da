import { describe, expect, test } from 'vitest';
import { decideNewOrder, type NewOrderValues, type OfferedItem } from './new-order.rules.ts';

const day: OfferedItem = {
  ...{ itemType: 'registration_type', id: 'tt_1', name: 'Day', priceAmount: 500 },
};
const night: OfferedItem = { ...day, id: 'tt_2', name: 'Night' };
const lunch: OfferedItem = { itemType: 'addon', id: 'addon_1', name: 'Lunch', priceAmount: 0 };

const decide = (values: Partial<NewOrderValues>) =>
  decideNewOrder(
    {
      ...{ email: 'buyer@example.com', name: ' ', quantities: {}, people: '', redemptionCode: '' },
      ...values,
    },
    [day, night, lunch],
  );

const person = (email: string, name: string | null = null) => ({ email, name });
const ticket = (itemId: string, quantity: number, ...attendees: object[]) => ({
  ...{ itemType: 'registration_type', itemId, quantity, attendees },
});

describe('an order of the desk', () => {
  test('of one ticket is for the buyer', () => {
    expect(decide({ quantities: { tt_1: 1, tt_2: 0, addon_1: null }, name: 'Ada' })).toEqual({
      outcome: 'order',
      body: {
        ...{ email: 'buyer@example.com', name: 'Ada', redemptionCode: null, assignLater: false },
        items: [{ itemType: 'registration_type', itemId: 'tt_1', quantity: 1 }],
      },
    });
  });

  test('gives the first seats to the people of the list, and leaves the others open', () => {
    const people = 'email,name\nada@example.com, Ada\n\nbob@example.com\ncleo@example.com';
    const quantities = { tt_1: 2, tt_2: 2, addon_1: 3 };
    expect(decide({ quantities, people, redemptionCode: ' HALF ' })).toMatchObject({
      outcome: 'order',
      body: {
        ...{ name: null, redemptionCode: 'HALF', assignLater: true },
        items: [
          ticket('tt_1', 2, person('ada@example.com', 'Ada'), person('bob@example.com')),
          ticket('tt_2', 2, person('cleo@example.com')),
          { itemType: 'addon', itemId: 'addon_1', quantity: 3 },
        ],
      },
    });
  });

  test.each([
    ['one ticket for somebody else', { tt_1: 1 }, 'ada@example.com', true],
    ['several tickets without names', { tt_1: 2 }, '', true],
    ['an add-on alone', { addon_1: 1 }, '', false],
  ])('of %s assigns seats later or not', (_, quantities, people, assignLater) => {
    expect(decide({ quantities, people })).toMatchObject({ body: { assignLater } });
  });

  test.each([
    ['nothing', {}, '', { outcome: 'nothing_chosen' }],
    ['more people than tickets', { tt_1: 1 }, 'a@example.com\nb@example.com', 'no_seat'],
    ['a person twice', { tt_1: 2 }, 'a@example.com\nA@example.com', 'repeated'],
    ['a line without an email', { tt_1: 2 }, 'a@example.com\nBob', 'no_email'],
    ['a bad email', { tt_1: 2 }, 'a@', 'bad_email'],
  ])('of %s is none', (_, quantities, people, expected) => {
    const bad = { outcome: 'bad_line', line: { outcome: expected } };
    expect(decide({ quantities, people })).toMatchObject(
      typeof expected === 'string' ? bad : expected,
    );
  });
});
