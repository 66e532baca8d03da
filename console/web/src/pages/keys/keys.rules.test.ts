import { expect, test } from 'vitest';
import { changeOf, inputOf, type KeyValues, newKey } from './keys.rules.ts';

const common = { name: 'Box', expiresAt: null };

test.each<[string, Partial<KeyValues>, object]>([
  ['is restricted and permits nothing, unless something is chosen', {}, { groups: [] }],
  [
    'that is unrestricted has neither groups nor events, also if some are chosen',
    { isUnrestricted: true, eventIds: ['evt_1'] },
    {},
  ],
  [
    'with groups and events is for these',
    { groups: ['read', 'doors'], eventIds: ['evt_1'] },
    { groups: ['read', 'doors'], eventIds: ['evt_1'] },
  ],
])('a new key %s', (_, chosen, restrictions) => {
  expect(inputOf({ ...newKey, name: ' Box ', ...chosen })).toEqual({ ...common, ...restrictions });
});

test.each<[string, Partial<KeyValues>, object]>([
  ['nothing', {}, {}],
  ['the name and the expiry', { name: ' Box ', expiresAt: null }, common],
  ['the groups', { groups: ['doors'] }, { groups: ['doors'] }],
  ['the events to none, which means all', { eventIds: [] }, { eventIds: null }],
])('a change of %s sends only that', (_, changed, input) => {
  expect(changeOf(changed)).toEqual(input);
});
