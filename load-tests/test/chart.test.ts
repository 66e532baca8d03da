import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { axisMaximum } from '../chart/panel.ts';
import { renderReport } from '../chart/report.ts';
import { describeSteps } from '../chart/steps.ts';
import { readSamples, type Samples } from '../chart/time-series.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-api-picture-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function samplesOf(...lines: string[]) {
  const file = join(folder, 'samples.csv');
  const header = 'metric_name,timestamp,metric_value,check,method,name,proto';
  writeFileSync(file, [header, ...lines, ''].join('\n'));
  return readSamples(file);
}

describe('readSamples', () => {
  test('groups responses by the second in which they were taken and includes seconds without any', async () => {
    const { seconds } = await samplesOf(
      'http_req_duration,1000000,10.5,,GET,read,',
      'http_req_duration,1000999,30.5,,GET,read,',
      'http_reqs,1000999,1,,GET,read,',
      'http_req_duration,1002500,7,,GET,read,',
    );
    expect(seconds).toEqual([
      { at: 0, requests: 2, p50: 10.5, p99: 10.5 },
      { at: 1, requests: 0, p50: 0, p99: 0 },
      { at: 2, requests: 1, p50: 7, p99: 7 },
    ]);
    expect(await samplesOf()).toEqual({ seconds: [], steps: [], sold: [] });
  });

  test('separates the steps, and adds up the seats sold', async () => {
    const { steps, sold } = await samplesOf(
      'http_req_duration,1000000,10,,POST,placeOrder,',
      'http_req_duration,1001000,50,,POST,confirm,',
      'http_req_duration,1002000,20,,POST,placeOrder,',
      'seats_sold,1001100,1,,,,',
      'seats_sold,1001200,1,,,,',
      'seats_sold,1003000,1,,,,',
    );
    expect(steps.map(({ name, requests }) => [name, requests])).toEqual([
      ['placeOrder', 2],
      ['confirm', 1],
    ]);
    expect(steps[0]?.seconds.map(({ requests }) => requests)).toEqual([1, 0, 1, 0]);
    expect(sold.map(({ seats }) => seats)).toEqual([0, 2, 2, 3]);
    expect(describeSteps(steps).split('\n')).toEqual([
      'step        requests  median   p95  p99 (ms)',
      'placeOrder         2    10.0  10.0      10.0',
      'confirm            1    50.0  50.0      50.0',
    ]);
  });
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

const pointsOf = (picture: string) =>
  [...picture.matchAll(/points="([^"]*)"/g)].map(([, points = '']) =>
    points === '' ? 0 : points.split(' ').length,
  );

describe('renderReport', () => {
  const seconds = Array.from({ length: 5 }, (_, at) => ({ at, requests: at, p50: 1, p99: 9 }));
  const step = (name: string) => ({ name, requests: 10, p50: 1, p95: 5, p99: 9, seconds });
  const samples: Samples = {
    seconds,
    steps: [step('placeOrder'), step('confirm')],
    sold: seconds.map(({ at }) => ({ at, seats: at * 2 })),
  };

  test('draws latency, steps, seats and requests, and escapes the title', () => {
    const picture = renderReport('a < b & c', samples, { seats: 8 });
    expect(picture).toContain('a &lt; b &amp; c');
    expect(picture).toContain('placeOrder 9 ms');
    // p99 and median; two steps without their empty first second; sold and seats; requests.
    expect(pointsOf(picture)).toEqual([5, 5, 4, 4, 5, 2, 5]);
  });

  test('has colors for a dark page, and no line of the seats far from sold out', () => {
    const picture = renderReport('a', samples, { seats: 1000 });
    expect(picture).toContain('@media (prefers-color-scheme: dark)');
    expect(pointsOf(picture)).toEqual([5, 5, 4, 4, 5, 0, 5]);
  });

  test('draws a run without samples', () => {
    const picture = renderReport('nothing', { seconds: [], steps: [], sold: [] }, { seats: 1 });
    expect(picture).not.toContain('NaN');
    expect(picture).not.toContain('Infinity');
  });
});
