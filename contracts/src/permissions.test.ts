import { expect, test } from 'vitest';
import {
  groupsOfPermissions,
  groupsWith,
  keyGroups,
  permissionsOfDevice,
  permissionsOfGroups,
} from './permissions.ts';

const subsets = Array.from({ length: 2 ** keyGroups.length }, (_, bits) =>
  keyGroups.filter((_group, index) => bits & (1 << index)),
);

test.each(subsets.map((groups) => [groups]))('the permissions of %j tell its groups', (groups) => {
  expect(groupsOfPermissions(permissionsOfGroups(groups))).toEqual(groups);
});

test('the permissions of a device are those of no group', () => {
  expect(groupsOfPermissions(permissionsOfDevice)).toEqual([]);
});

test('badges belong to keys that sell, read or manage', () => {
  expect(groupsWith(['badges'])).toEqual(['read', 'sell', 'manage']);
});
