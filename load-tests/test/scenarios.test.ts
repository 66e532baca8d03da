import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { findK6, K6, K6MissingError } from '../k6.ts';
import { scenarioOf, scenarios } from '../scenarios.ts';

const folder = join(import.meta.dirname, '../scenarios');
const root = join(folder, '../..');
const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));

afterEach(() => vi.unstubAllGlobals());
afterEach(() => vi.unstubAllEnvs());

describe('load scenarios', () => {
  test('have one file each, and each file has a scenario', () => {
    expect(files.map((name) => name.replace('.ts', '')).toSorted()).toEqual(
      Object.keys(scenarios).toSorted(),
    );
  });

  test.each(files)(
    '%s fails on wrong statuses, on failed requests and on dropped iterations',
    (file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      expect(text).toContain("export { handleSummary } from './lib/summary.ts';");
      // Scenarios with a fixed number of iterations cannot drop any; they assert the number
      // instead.
      if (text.includes('shared-iterations')) expect(text).toMatch(/iterations: \[`count==/);
      else expect(text).toContain('...commonThresholds');
      expect(text).toContain('http_req_duration');
      expect(text).not.toMatch(/\bsleep\(/);
    },
  );

  test('use the given overrides', () => {
    expect(scenarioOf('browse', { rate: 7, seconds: 3 })).toMatchObject({ rate: 7, seconds: 3 });
    expect(scenarioOf('on-sale')).toMatchObject({ seats: 100, buyers: 1000 });
  });

  test('are rejected when the badges do not suffice or the name is unknown', () => {
    expect(() => scenarioOf('checkin-surge', { seconds: 600 })).toThrow('badges');
    expect(() => scenarioOf('rush')).toThrow('on-sale');
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
});

test('handleSummary writes text, JSON, and JUnit with a failure for each violated threshold', async () => {
  vi.stubGlobal('__ENV', { TEST_DATA: JSON.stringify({ results: '/results' }) });
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
    expect(readFileSync(join(root, 'docker-compose.yml'), 'utf8')).toContain(`grafana/k6:${K6}\n`);
  });
});
