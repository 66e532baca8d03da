import { afterEach, expect, test, vi } from 'vitest';
import { createOriginTrust } from '../../src/messaging/projections/origin-trust.ts';
import { eventually } from '../../testing/eventually.ts';
import { type BusHarness, createBusHarness, waitUntilIdle } from './harness.ts';

let harness: BusHarness;
afterEach(async () => {
  vi.restoreAllMocks();
  await harness?.close();
});

test('the status of an origin is read again after a lost connection to the database', async () => {
  harness = await createBusHarness();
  const owner = await harness.owner();
  const reader = await harness.reader({ url: owner.url });
  await owner.put('a');
  await waitUntilIdle(harness);
  const trust = createOriginTrust({ db: reader.db, schema: 'registration' });
  const status = () => trust.statusOf(['catalog']);
  await eventually(async () => expect(await status()).toBe('confirmed'));
  const frozenAt = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(frozenAt);
  expect(await status()).toBe('confirmed');
  // The projector would write a deleted checkpoint again.
  await harness.sql('alter table registration.projection_checkpoint rename to away');
  expect(await status()).toBe('confirmed');
  await harness.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'registration'`,
  );
  await eventually(async () => {
    expect(await status().catch(() => 'unreadable')).toBe('unreadable');
  });
});
