import { describe, expect, test } from 'vitest';
import { decideGroups, mayPromoteInGroups, type WantedGroup } from './capacity-groups.rules.ts';

const hall = { id: 'cgp_hall', name: 'Hall', capacity: 300 };
const room = { id: 'cgp_room', name: 'Room', capacity: 40 };

const decide = (wanted: WantedGroup[], usedIds: string[] = []) =>
  decideGroups([hall, room], wanted, {
    usedIds: new Set(usedIds),
    newIds: wanted.map((_, index) => `cgp_new_${index}`),
  });

describe('decideGroups', () => {
  test.each<[string, WantedGroup[], object[]]>([
    ['another capacity', [{ ...hall, capacity: 10 }, room], [{ ...hall, capacity: 10 }, room]],
    ['another name', [{ ...hall, name: 'Arena' }, room], [{ ...hall, name: 'Arena' }, room]],
    ['another order', [room, hall], [room, hall]],
    ['one less', [room], [room]],
    ['none', [], []],
    [
      'a new one',
      [hall, room, { name: 'Yard', capacity: 5 }],
      [hall, room, { id: 'cgp_new_2', name: 'Yard', capacity: 5 }],
    ],
    [
      'an entry with the name of a group',
      [{ name: 'Hall', capacity: 1 }, room],
      [{ ...hall, capacity: 1 }, room],
    ],
    [
      'exchanged names',
      [
        { ...hall, name: 'Room' },
        { ...room, name: 'Hall' },
      ],
      [
        { ...hall, name: 'Room' },
        { ...room, name: 'Hall' },
      ],
    ],
    [
      'a new one with the name of a group that gets another',
      [{ ...hall, name: 'Arena' }, { name: 'Hall', capacity: 2 }, room],
      [{ ...hall, name: 'Arena' }, { id: 'cgp_new_1', name: 'Hall', capacity: 2 }, room],
    ],
  ])('takes %s', (_, wanted, groups) => {
    expect(decide(wanted)).toEqual({ outcome: 'replaced', groups });
  });

  test('returns unchanged for the same groups, with and without ids', () => {
    expect(decide([hall, room])).toEqual({ outcome: 'unchanged' });
    const byName = [hall, room].map(({ name, capacity }) => ({ name, capacity }));
    expect(decide(byName)).toEqual({ outcome: 'unchanged' });
  });

  test('refuses to remove a group with ticket types, and names it', () => {
    expect(decide([hall], ['cgp_room'])).toEqual({ outcome: 'in_use', group: room });
    expect(decide([hall], ['cgp_hall'])).toMatchObject({ outcome: 'replaced' });
  });

  test('refuses unknown ids, and ids and names that appear twice', () => {
    const decision = decide([
      { id: 'cgp_other', name: 'A', capacity: 1 },
      { ...hall, name: 'A' },
      { ...hall, name: 'B' },
    ]);
    const twice = { issue: 'must not appear twice', code: 'invalid_value' };
    expect(decision).toEqual({
      outcome: 'invalid',
      issues: [
        {
          field: 'capacityGroups[0].id',
          issue: 'is not a capacity group of this event',
          code: 'not_found',
        },
        { field: 'capacityGroups[2].id', ...twice },
        { field: 'capacityGroups[1].name', ...twice },
      ],
    });
  });
});

describe('mayPromoteInGroups', () => {
  type Case = [what: string, before: (typeof hall)[], after: (typeof hall)[], promotes: boolean];
  test.each<Case>([
    ['a raised capacity', [hall], [{ ...hall, capacity: 301 }], true],
    ['the same capacity, as a retry sends it', [hall], [hall], true],
    ['a raised one beside a lowered one', [hall, room], [{ ...hall, capacity: 1 }, room], true],
    ['a lowered capacity', [hall], [{ ...hall, capacity: 299 }], false],
    ['a new group, which has no types', [], [hall], false],
    ['a removed group', [hall], [], false],
  ])('of %s', (_, before, capacityGroups, promotes) => {
    const after = { status: 'published' as const, capacityGroups };
    expect(mayPromoteInGroups(before, capacityGroups, after)).toBe(promotes);
    expect(mayPromoteInGroups(before, undefined, after)).toBe(false);
    const archived = { ...after, status: 'archived' as const };
    expect(mayPromoteInGroups(before, capacityGroups, archived)).toBe(false);
  });
});
