import { describe, expect, test } from 'vitest';
import type { FoundOrder, TicketType } from '../../../api/records.ts';
import {
  answersToEdit,
  differencesOf,
  isBuyer,
  isOtherEmail,
  mergeAnswers,
  paidForSeat,
  ticketChoices,
} from './person.rules.ts';

const ada = {
  status: 'pending' as const,
  email: 'ada@example.com',
  name: 'Ada',
  registrationTypeId: 'tt_day',
  responses: { diet: 'vegan' },
};

test.each([
  ['ada@example.com', 'ADA@example.com ', false],
  ['ada@example.com', 'adda@example.com', true],
  ['ada@xn--mnchen-3ya.example', 'ada@MÜNCHEN.example', false],
])('an email after %s: %s is another person: %s', (before, after, isOther) => {
  expect(isOtherEmail(before, after)).toBe(isOther);
});

test.each([
  ['ord_1', 'ADA@example.com', true],
  ['ord_1', 'boss@example.com', false],
  ['ord_2', 'ada@example.com', false],
  [null, 'ada@example.com', false],
])('a ticket of the order %s: the buyer %s is the person: %s', (orderId, buyer, isSame) => {
  const person = { orderId, email: 'ada@example.com' };
  expect(isBuyer(person, { id: 'ord_1', email: buyer })).toBe(isSame);
});

describe('the differences of a person', () => {
  test('are none if only the order of the answers differs', () => {
    const before = { ...ada, responses: { a: 1, b: 2 } };
    expect(differencesOf(before, { ...ada, responses: { b: 2, a: 1 } })).toEqual([]);
  });

  test('name each field and each answer', () => {
    const after = {
      ...ada,
      status: 'confirmed' as const,
      name: null,
      responses: { diet: 'none', dinner: true },
    };
    expect(differencesOf(ada, after)).toEqual([
      { field: 'status', isAnswer: false, before: 'pending', after: 'confirmed' },
      { field: 'name', isAnswer: false, before: 'Ada', after: null },
      { field: 'diet', isAnswer: true, before: 'vegan', after: 'none' },
      { field: 'dinner', isAnswer: true, before: undefined, after: true },
    ]);
    expect(differencesOf(ada, { ...ada, responses: null })).toHaveLength(1);
  });
});

describe('answers', () => {
  test.each([
    [null, { diet: 'vegan' }, { diet: 'vegan' }],
    [{ other: 1 }, { dinner: false }, { other: 1, dinner: false }],
    [{ diet: 'vegan' }, { diet: null }, {}],
    [{ diet: 'vegan' }, { diet: '' }, {}],
  ])('of %j with the change %j are %j', (before, changed, merged) => {
    expect(mergeAnswers(before, changed)).toEqual(merged);
  });

  test('to edit have a value for each question of the form only', () => {
    const question = { label: 'Diet', type: 'text' as const, required: false, options: null };
    const form = { eventId: 'evt_1', questions: [{ id: 'diet', ...question }] };
    expect(answersToEdit(form, { removed: 'yes' })).toEqual({ diet: null });
    expect(answersToEdit(form, { diet: 'vegan' })).toEqual({ diet: 'vegan' });
  });
});

describe('what was paid for a seat', () => {
  const line = { itemType: 'registration_type', registrationIds: ['reg_1'], quantity: 2 };
  const order = (fields: object) =>
    ({ items: [{ ...line, totalAmount: 4999, ...fields }] }) as unknown as FoundOrder;

  test.each([
    ['the part of its line, rounded up', {}, 2500],
    ['unknown for a bundle', { itemType: 'bundle' }, null],
    ['unknown for a person of another line', { registrationIds: ['reg_2'] }, null],
  ])('is %s', (_what, fields, paid) => {
    expect(paidForSeat(order(fields), 'reg_1')).toBe(paid);
  });
});

describe('the tickets to choose from', () => {
  const type = (id: string, fields: object = {}) =>
    ({
      ...{ id: `tt_${id}`, status: 'open', priceAmount: 0, allowWaitlist: false },
      ...{ requiresApproval: false, availability: { remaining: null } },
      ...fields,
    }) as unknown as TicketType;
  const full = { availability: { remaining: 0 } };
  const choice = (status: string, other: object, paid: number | null = 1000) =>
    ticketChoices(
      { status, registrationTypeId: 'tt_day' } as never,
      [type('day', { priceAmount: 1000 }), type('other', other)],
      paid,
    )[1];

  test.each([
    ['confirmed', {}, null],
    ['confirmed', { priceAmount: 1000 }, null],
    ['confirmed', { priceAmount: 1001 }, 'dearer'],
    ['confirmed', full, 'full'],
    ['confirmed', { ...full, allowWaitlist: true }, 'full'],
    ['waitlisted', { ...full, allowWaitlist: true }, null],
    ['waitlisted', full, 'full'],
    ['pending', full, null],
  ])('block for a %s person with %j: %s', (status, other, block) => {
    expect(choice(status, other)?.block).toBe(block);
  });

  test('never block a price that cannot be compared', () => {
    expect(choice('confirmed', { priceAmount: 9000 }, null)?.block).toBeNull();
  });

  test('leave out archived ones, except the present one', () => {
    const types = [type('day', { status: 'archived' }), type('old', { status: 'archived' })];
    const person = { status: 'confirmed', registrationTypeId: 'tt_day' } as const;
    const choices = ticketChoices(person, types, 0);
    expect(choices.map(({ type: { id }, block }) => [id, block])).toEqual([['tt_day', 'present']]);
  });

  test.each([
    ['confirmed', {}, ['cheaper', 'badgeStays', 'perks', 'seatFreed']],
    ['confirmed', { priceAmount: 1000 }, ['badgeStays', 'perks', 'seatFreed']],
    [
      'confirmed',
      { priceAmount: 1000, requiresApproval: true },
      ['approved', 'badgeStays', 'perks', 'seatFreed'],
    ],
    ['waitlisted', { ...full, allowWaitlist: true, priceAmount: 1000 }, ['waitlist', 'perks']],
    ['pending', { priceAmount: 1000, requiresApproval: true }, ['perks']],
  ])('say what follows for a %s person with %j', (status, other, effects) => {
    expect(choice(status, other)?.effects).toEqual(effects);
  });
});
