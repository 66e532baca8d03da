import { expect, test } from 'vitest';
import { inputOf } from './rules.ts';

const values = { name: ' Box ', expiresAt: null, groups: ['read'], eventIds: ['evt_1'] };

test('a key without a restriction has neither groups nor events', () => {
  expect(inputOf({ ...values, isRestricted: false })).toEqual({ name: 'Box', expiresAt: null });
});

test('a restricted key has its groups, and events only if some are chosen', () => {
  const restricted = { ...values, isRestricted: true };
  expect(inputOf(restricted)).toMatchObject({ groups: ['read'], eventIds: ['evt_1'] });
  expect(inputOf({ ...restricted, eventIds: [] })).not.toHaveProperty('eventIds');
});
