import { expect, test } from 'vitest';
import { decideVenueDeletion } from './venues.rules.ts';

const gated = { perkIds: ['perk_1'] };

test.each([
  ['a gate and sessions', gated, ['ses_1'], false, 'gate_in_use'],
  ['a gate and sessions, with openGates', gated, ['ses_1'], true, 'delete'],
  ['a gate and no sessions', gated, [], false, 'delete'],
  ['sessions and no gate', { perkIds: [] }, ['ses_1'], false, 'delete'],
])('a venue with %s', (_, venue, sessionIds, openGates, expected) => {
  expect(decideVenueDeletion(venue, sessionIds, openGates).outcome).toBe(expected);
});
