import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';

const root = join(import.meta.dirname, '../..');

async function load(env: Record<string, string> = {}) {
  vi.resetModules();
  vi.stubGlobal('__ENV', env);
  return import('../scenarios/lib/thresholds.ts');
}

afterEach(() => vi.unstubAllGlobals());

describe('the thresholds of every scenario', () => {
  test('are the objectives of the runbook', async () => {
    const runbook = readFileSync(join(root, 'docs/runbook.md'), 'utf8').replace(/\s+/g, ' ');
    const { latencyObjectives, errorBudget } = await load();
    expect(runbook).toContain(`99 % of reads take at most ${latencyObjectives.read} ms`);
    expect(runbook).toContain(`99 % of check-ins take at most ${latencyObjectives.checkin} ms`);
    expect(runbook).toContain(`${100 - errorBudget * 100} % of requests have no 5xx response`);
  });

  test('have one for each kind of request', async () => {
    const { commonThresholds } = await load();
    expect(commonThresholds).toEqual({
      checks: ['rate==1'],
      server_errors: ['rate<=0.001'],
      'http_req_duration{kind:read}': ['p(99)<=250'],
      'http_req_duration{kind:checkin}': ['p(99)<=500'],
      'http_req_duration{kind:order}': ['p(99)<=1000'],
      dropped_iterations: ['count==0'],
    });
  });

  test('are exact only if one process runs the whole load', async () => {
    const one = await load();
    expect([one.exactly(100), one.atLeast(7)]).toEqual([['count==100'], ['count>=7']]);
    const part = await load({ RUNNERS: '4' });
    expect([part.exactly(100), part.atLeast(7)]).toEqual([['count<=100'], []]);
  });
});
