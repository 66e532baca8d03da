import { expect, test } from 'vitest';
import { budgetOf } from './budget.ts';

const defaults = { default: 120, checkins: 600, changes: 700 };
test.each([
  [null, null, 120, 600],
  [50, null, 50, 600],
  [5000, null, 5000, 5000],
  [null, 900, 120, 900],
  [50, 900, 50, 900],
])('a key with the limits %s and %s allows %d requests and %d check-ins', (...limits) => {
  const [rateLimitPerMinute, checkinRateLimitPerMinute, all, checkins] = limits;
  const limited = { id: 'key_1', kind: 'key', rateLimitPerMinute, checkinRateLimitPerMinute };
  expect(budgetOf(limited, 'default', defaults)).toEqual({ subject: 'key_1', limit: all });
  expect(budgetOf(limited, 'checkins', defaults)).toEqual({
    subject: 'key_1:checkins',
    limit: checkins,
  });
  expect(budgetOf(limited, 'changes', defaults)).toEqual({ subject: 'key_1:changes', limit: 700 });
});

test.each(['default', 'checkins', 'changes'] as const)(
  'a device has one budget of 600 requests, also for %s',
  (budget) => {
    const limits = { rateLimitPerMinute: null, checkinRateLimitPerMinute: null };
    const device = { id: 'key_1', kind: 'device', ...limits };
    expect(budgetOf(device, budget, defaults)).toEqual({ subject: 'key_1', limit: 600 });
  },
);
