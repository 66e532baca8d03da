import { describe, expect, test } from 'vitest';
import { groupEvents, groupOf, seatsOf } from './events.rules.ts';

const now = new Date('2027-05-10T12:00:00Z');
const before = '2027-05-10T11:59:59Z';
const after = '2027-05-10T12:00:01Z';
type Dated = Parameters<typeof groupOf>[0];
const event = (
  name: string,
  startsAt: string | null,
  endsAt: string | null = null,
  status: Dated['status'] = 'published',
): Dated => ({ name, status, startsAt, endsAt });

describe('groupOf', () => {
  test.each([
    ['starts later', event('', after), 'upcoming'],
    ['has started and not ended', event('', before, after), 'upcoming'],
    ['has ended', event('', before, before), 'past'],
    ['has started and has no end', event('', before), 'past'],
    ['has no dates', event('', null), 'upcoming'],
    ['is a draft whose dates are over', event('', before, before, 'draft'), 'drafts'],
    ['is archived before it starts', event('', after, null, 'archived'), 'upcoming'],
    ['is archived without dates', event('', null, null, 'archived'), 'past'],
  ])('an event that %s', (_, input, group) => {
    expect(groupOf(input, now)).toBe(group);
  });
});

describe('groupEvents', () => {
  const events = [
    event('Undated', null),
    event('Late summit', '2029-01-01T00:00:00Z'),
    event('Next summit', '2028-01-01T00:00:00Z'),
    event('Old summit', '2025-01-01T00:00:00Z'),
    event('Recent summit', '2026-01-01T00:00:00Z'),
    event('Idea', null, null, 'draft'),
  ];
  const namesOf = (name: string) =>
    Object.values(groupEvents(events, { name, now })).map((group) =>
      group.map((each) => each.name),
    );

  test.each([
    ['', [['Next summit', 'Late summit', 'Undated'], ['Recent summit', 'Old summit'], ['Idea']]],
    [' SUMMIT ', [['Next summit', 'Late summit'], ['Recent summit', 'Old summit'], []]],
    ['nothing', [[], [], []]],
  ])('with the name %j', (name, groups) => {
    expect(namesOf(name)).toEqual(groups);
  });
});

describe('seatsOf', () => {
  const type = (
    confirmed: number,
    capacity: number | null,
    status: 'open' | 'archived' = 'open',
  ) => ({
    status,
    capacity,
    counts: { confirmed, waitlisted: 0 },
  });
  test.each([
    ['no ticket types', [], { sold: 0, capacity: 0 }],
    ['all types', [type(5, 10), type(1, 2)], { sold: 6, capacity: 12 }],
    ['an unlimited type', [type(5, 10), type(1, null)], { sold: 6, capacity: null }],
    ['an archived type', [type(5, 10), type(3, null, 'archived')], { sold: 8, capacity: 13 }],
  ])('counts the seats of %s', (_, types, seats) => {
    expect(seatsOf(types)).toEqual(seats);
  });
});
