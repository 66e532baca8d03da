import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { expect, test } from 'vitest';
import { createFallbacks } from './fallback.ts';

function start() {
  const lines: object[] = [];
  const metrics = createMetrics('onsite');
  let now = 0;
  const { record } = createFallbacks({
    metrics,
    log: { warn: (fields: object) => void lines.push(fields) },
    now: () => now,
  });
  const pass = (ms: number) => {
    now += ms;
  };
  const counted = async () =>
    /^onsite_checkins_without_registration_total.* (\d+)$/m.exec(await metrics.text())?.[1];
  return { lines, record, pass, counted };
}

test('counts every decision without registration', async () => {
  const { record, counted } = start();
  expect(await counted()).toBe('0');
  for (let n = 0; n < 5; n++) record(new Error('unavailable'));
  expect(await counted()).toBe('5');
});

test('logs the first decision, then one line per interval with the number of decisions since the last line', () => {
  const { lines, record, pass } = start();
  const error = new Error('unavailable');
  record(error);
  expect(lines).toEqual([{ err: error, decisions: 1 }]);
  for (let n = 0; n < 100; n++) record(error);
  expect(lines).toHaveLength(1);
  pass(10_000);
  record(error);
  expect(lines.slice(1)).toEqual([{ err: error, decisions: 101 }]);
});
