import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { type BusHarness, createBusHarness, waitUntilIdle } from './harness.ts';

let harness: BusHarness;
afterEach(() => harness?.close());

test('the lag of projections keeps its last value while the bus is unavailable', async () => {
  harness = await createBusHarness();
  const owner = await harness.owner();
  const reader = await harness.reader({ url: owner.url });
  const lines = async () => (await reader.metrics.text()).split('\n');
  await owner.put('a');
  await waitUntilIdle(harness);
  await eventually(async () => expect(await lines()).toContain('projection_lag 0'));
  await harness.nats.kill();
  await eventually(() => expect(reader.messaging.bus.stream).toBeNull());
  // A later sample shows it.
  await harness.sql(`insert into registration.dead_letter (stream_created_at, seq, index, body, error)
    values ('', 1, 0, '', '')`);
  await eventually(async () => expect(await lines()).toContain('projection_dead_letters 1'));
  expect(await lines()).toContain('projection_lag 0');
});
