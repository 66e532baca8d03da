import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scenarioNames } from '@event-api/tools/load/scenarios';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { findK6, K6, K6MissingError } from '../k6.ts';

const folder = join(import.meta.dirname, '../scenarios');
const root = join(folder, '../..');
const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));

afterEach(() => vi.unstubAllGlobals());
afterEach(() => vi.unstubAllEnvs());

describe('load scenarios', () => {
  test('have one file each, and each file has a scenario', () => {
    expect(files.map((name) => name.replace('.ts', '')).toSorted()).toEqual(
      scenarioNames.toSorted(),
    );
  });

  test.each(files)('%s has the objectives and a summary, and does not wait by itself', (file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text).toContain("export { handleSummary } from './lib/summary.ts';");
    expect(text).toMatch(/\.\.\.commonThresholds|thresholds: commonThresholds/);
    // Arrivals at a rate: slow responses do not lower the load.
    expect(text).toMatch(/executor: '(constant|ramping)-arrival-rate'/);
    expect(text).not.toMatch(/executor: '(?!(constant|ramping)-arrival-rate')/);
    expect(text).not.toMatch(/\bsleep\(/);
  });

  test('scan only known pairs a second time, and repeat every fifth scan', async () => {
    const { placeOf } = await import('../scenarios/lib/scans.ts');
    const places = Array.from({ length: 1000 }, (_, turn) => placeOf(turn));
    const fresh = new Set<number>();
    const repeats = places.filter(({ place, isRepeat }) => {
      expect(fresh.has(place)).toBe(isRepeat);
      fresh.add(place);
      return isRepeat;
    });
    expect(repeats.length).toBe(200);
    expect(Math.max(...fresh)).toBe(799);
  });

  test('scan every badge once at every scanner of its event', async () => {
    const { scanAt } = await import('../scenarios/lib/scans.ts');
    const events = [
      { badges: ['a', 'b', 'c'], devices: ['left', 'right'] },
      { badges: ['d', 'e', 'f'], devices: ['north', 'south'] },
    ];
    const places = Array.from({ length: 12 }, (_, place) => scanAt(events, place));
    const pairs = places.map((found) => `${found?.badge} ${found?.device}`);
    expect(new Set(pairs).size).toBe(12);
    expect(pairs.slice(0, 3)).toEqual(['a left', 'd north', 'b left']);
    for (const found of places) {
      expect(found?.event.badges).toContain(found?.badge);
      expect(found?.event.devices).toContain(found?.device);
    }
    expect(scanAt(events, 12)).toBeUndefined();
  });
});

test('handleSummary writes text, JSON, and JUnit with a failure for each violated threshold', async () => {
  vi.stubGlobal('__ENV', { RESULTS: '/results' });
  const { handleSummary } = await import('../scenarios/lib/summary.ts');
  const summary = handleSummary({
    metrics: {
      checks: { type: 'rate', values: { rate: 0.5 }, thresholds: { 'rate==1': { ok: false } } },
      http_req_duration: {
        type: 'trend',
        values: { 'p(99)': 3 },
        thresholds: { 'p(99)<500': { ok: true } },
      },
    },
  });
  expect(summary.stdout).toContain('checks: rate=0.5 ✗ rate==1');
  expect(JSON.parse(summary['/results/summary.json'] ?? '')).toHaveProperty('metrics.checks');
  const junit = summary['/results/junit.xml'] ?? '';
  expect(junit).toContain('tests="2" failures="1"');
  expect(junit).toContain('name="http_req_duration p(99)&lt;500"/>');
  // In a container without a directory for it, the summary is only printed.
  vi.stubGlobal('__ENV', {});
  expect(Object.keys(handleSummary({ metrics: {} }))).toEqual(['stdout']);
});

describe('findK6', () => {
  test('returns k6 from the PATH', () => {
    const bin = mkdtempSync(join(tmpdir(), 'event-api-k6-'));
    writeFileSync(join(bin, 'k6'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    vi.stubEnv('PATH', `${bin}:/usr/bin:/bin`);
    expect(findK6(join(bin, 'nowhere'), () => undefined)).toBe('k6');
    rmSync(bin, { recursive: true });
  });

  test('throws installation instructions when neither k6 nor Go is installed', () => {
    vi.stubEnv('PATH', '/nowhere');
    expect(() => findK6('/nowhere', () => undefined)).toThrow(K6MissingError);
    expect(() => findK6('/nowhere', () => undefined)).toThrow('brew install k6');
  });

  test('uses the version of the container image', () => {
    const images = JSON.parse(readFileSync(join(root, 'deploy/images.json'), 'utf8'));
    expect(images['grafana/k6'].tag).toBe(K6);
  });
});
