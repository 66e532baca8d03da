import { describe, expect, test } from 'vitest';
import { budgetsOf } from './budget.ts';

const defaults = { default: 120, checkins: 600, changes: 700, unitFactor: 5 };
const key = { id: 'key_1', businessUnitId: 'unit_1', kind: 'key' };

test.each([
  [null, null, 120, 600],
  [50, null, 50, 600],
  [5000, null, 5000, 5000],
  [null, 900, 120, 900],
  [50, 900, 50, 900],
])('a key with the limits %s and %s allows %d requests and %d check-ins', (...limits) => {
  const [rateLimitPerMinute, checkinRateLimitPerMinute, all, checkins] = limits;
  const limited = { ...key, rateLimitPerMinute, checkinRateLimitPerMinute };
  expect(budgetsOf(limited, 'default', defaults).key).toEqual({ subject: 'key_1', limit: all });
  expect(budgetsOf(limited, 'checkins', defaults).key).toEqual({
    subject: 'key_1:checkins',
    limit: checkins,
  });
  expect(budgetsOf(limited, 'changes', defaults).key).toEqual({
    subject: 'key_1:changes',
    limit: 700,
  });
});

describe('the keys of a business unit share', () => {
  test.each([
    ['default', { subject: 'unit_1', limit: 600 }],
    ['checkins', { subject: 'unit_1:checkins', limit: 3000 }],
    ['changes', { subject: 'unit_1:changes', limit: 3500 }],
  ] as const)('five times the limit of one key: %s', (budget, shared) => {
    const limits = { rateLimitPerMinute: null, checkinRateLimitPerMinute: null };
    expect(budgetsOf({ ...key, ...limits }, budget, defaults).unit).toEqual(shared);
  });

  test.each([
    ['its own limit', 'default', { rateLimitPerMinute: 50, checkinRateLimitPerMinute: null }, true],
    [
      'an own limit of check-ins',
      'default',
      { rateLimitPerMinute: null, checkinRateLimitPerMinute: 9 },
      false,
    ],
    [
      'an own limit of check-ins',
      'checkins',
      { rateLimitPerMinute: null, checkinRateLimitPerMinute: 9 },
      true,
    ],
    [
      'a limit that raises check-ins',
      'checkins',
      { rateLimitPerMinute: 5000, checkinRateLimitPerMinute: null },
      true,
    ],
    [
      'a limit that does not raise check-ins',
      'checkins',
      { rateLimitPerMinute: 50, checkinRateLimitPerMinute: null },
      false,
    ],
    ['own limits', 'changes', { rateLimitPerMinute: 50, checkinRateLimitPerMinute: 50 }, false],
  ] as const)(
    'a key with %s uses the unit budget of %s only without an own limit',
    (_case, budget, limits, isOwn) => {
      expect(budgetsOf({ ...key, ...limits }, budget, defaults).unit === null).toBe(isOwn);
    },
  );
});

test.each(['default', 'checkins', 'changes'] as const)(
  'a device has one budget of 600 requests and uses none of its unit, also for %s',
  (budget) => {
    const limits = { rateLimitPerMinute: null, checkinRateLimitPerMinute: null };
    const device = { ...key, kind: 'device', ...limits };
    expect(budgetsOf(device, budget, defaults)).toEqual({
      key: { subject: 'key_1', limit: 600 },
      unit: null,
    });
  },
);
