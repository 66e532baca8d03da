import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { axisMaximum, renderChart } from '../chart.ts';
import { readSeconds } from '../time-series.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-api-picture-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function secondsOf(...lines: string[]) {
  const file = join(folder, 'samples.csv');
  writeFileSync(file, ['metric_name,timestamp,metric_value,check', ...lines, ''].join('\n'));
  return readSeconds(file);
}

test('readSeconds groups samples by the second in which they were taken and includes seconds without samples', async () => {
  const seconds = await secondsOf(
    'http_req_duration,1000000,10.5,',
    'http_req_duration,1000999,30.5,',
    'http_reqs,1000999,1,',
    'http_req_duration,1002500,7,',
  );
  expect(seconds).toEqual([
    { at: 0, requests: 2, p50: 10.5, p99: 10.5 },
    { at: 1, requests: 0, p50: 0, p99: 0 },
    { at: 2, requests: 1, p50: 7, p99: 7 },
  ]);
  expect(await secondsOf()).toEqual([]);
});

test.each([
  [1, 1],
  [1.1, 2],
  [3, 5],
  [51, 100],
  [100, 100],
  [999, 1000],
])('axisMaximum(%d) returns %d', (value, end) => {
  expect(axisMaximum(value)).toBe(end);
});

test('renderChart draws one point per second and escapes the title', () => {
  const seconds = Array.from({ length: 5 }, (_, at) => ({ at, requests: at, p50: 1, p99: 9 }));
  const picture = renderChart('a < b & c', seconds);
  expect(picture).toContain('a &lt; b &amp; c');
  const lines = [...picture.matchAll(/points="([^"]*)"/g)].map(([, points = '']) => points);
  expect(lines.map((points) => points.split(' ').length)).toEqual([5, 5, 5]);
  expect(renderChart('nothing', [])).not.toContain('NaN');
});
