import { expect, test } from 'vitest';
import { groupUse, toGroups } from './capacity-groups.rules.ts';

const type = (name: string, capacityGroupId: string | null, status = 'open') =>
  ({
    ...{ name, capacityGroupId, status },
    availability: { capacity: null, confirmed: 3, held: 2, waitlisted: 7, remaining: 0 },
  }) as Parameters<typeof groupUse>[1][number];

const types = [
  type('Day', 'cgp_1'),
  type('Night', 'cgp_1', 'draft'),
  type('Early', 'cgp_1', 'archived'),
  type('Online', null),
  type('Gala', 'cgp_2'),
];

test.each([
  ['cgp_1', { taken: 15, typeNames: ['Day', 'Night'] }],
  ['cgp_2', { taken: 5, typeNames: ['Gala'] }],
  ['cgp_3', { taken: 0, typeNames: [] }],
  [null, { taken: 0, typeNames: [] }],
])('the sold and held seats of all types of %s are taken, and those on sale keep it', (id, use) => {
  expect(groupUse(id, types)).toEqual(use);
});

test('a stored capacity keeps its id under a new name, and a new one has none', () => {
  expect(
    toGroups([
      { id: 'cgp_1', name: ' Hall ', capacity: 300 },
      { id: null, name: 'Room: 2', capacity: 40 },
    ]),
  ).toEqual([
    { id: 'cgp_1', name: 'Hall', capacity: 300 },
    { name: 'Room: 2', capacity: 40 },
  ]);
});
