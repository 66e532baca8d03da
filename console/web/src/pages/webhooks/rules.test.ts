import { expect, test } from 'vitest';
import { canRetry, healthOf } from './rules.ts';

const since = '2027-01-01T00:00:00.000Z';

test.each([
  [{ status: 'enabled', failingSince: null }, 'enabled'],
  [{ status: 'enabled', failingSince: since }, 'failing'],
  [{ status: 'disabled', failingSince: since }, 'disabled'],
  [{ status: 'pending', failingSince: null }, 'pending'],
] as const)('an endpoint %j is shown as %s', (endpoint, health) => {
  expect(healthOf(endpoint)).toBe(health);
});

test('a ping is not delivered again, a change is', () => {
  expect([canRetry({ sequence: null }), canRetry({ sequence: 4 })]).toEqual([false, true]);
});
