import { expect, test } from 'vitest';
import { inputOf, type KeyValues } from './keys.rules.ts';

const common = { name: 'Box', expiresAt: null };

test.each<[string, Partial<KeyValues>, object]>([
  ['without a group is unrestricted', {}, {}],
  ['without a group has no events, also if some are chosen', { eventIds: ['evt_1'] }, {}],
  ['with a group is for all events', { groups: ['read'] }, { groups: ['read'] }],
  [
    'with a group and events is for these',
    { groups: ['read', 'doors'], eventIds: ['evt_1'] },
    { groups: ['read', 'doors'], eventIds: ['evt_1'] },
  ],
])('a key %s', (_, chosen, restrictions) => {
  const values = { ...common, name: ' Box ', groups: [], eventIds: [], ...chosen };
  expect(inputOf(values)).toEqual({ ...common, ...restrictions });
});
