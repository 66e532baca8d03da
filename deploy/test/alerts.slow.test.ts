import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './image-tree.ts';
import { promtool } from './promtool.ts';

const folder = join(root, 'deploy/observability');
const ruleFiles = ['rules.yaml', 'server-rules.yaml', 'compose-rules.yaml'];
const caseFiles = ['rules-test.yaml', 'slow-rules-test.yaml'];
const read = (file: string) => parse(readFileSync(join(folder, file), 'utf8'));

interface Case {
  alert_rule_test: { alertname: string; exp_alerts: unknown[] }[];
}

test('every alert has a case in which it fires, and one in which it does not', () => {
  const alerts = ruleFiles.flatMap((file) =>
    read(file).groups.flatMap(({ rules }: { rules: { alert?: string }[] }) =>
      rules.flatMap(({ alert }) => alert ?? []),
    ),
  );
  const cases = caseFiles
    .flatMap((file): Case[] => read(file).tests)
    .flatMap(({ alert_rule_test }) => alert_rule_test);
  const named = (fires: boolean) =>
    cases
      .filter(({ exp_alerts }) => exp_alerts.length > 0 === fires)
      .map(({ alertname }) => alertname)
      .toSorted();
  expect(alerts.length).toBeGreaterThan(45);
  expect(named(true)).toEqual(alerts.toSorted());
  expect(named(false)).toEqual(alerts.toSorted());
});

test('alerts fire in their cases only', async (context) => {
  const files = caseFiles.map((file) => join(folder, file));
  const result = await promtool(['test', 'rules', ...files]);
  if (!result) return context.skip('promtool is not available');
  expect(result.output).not.toContain('FAILED');
  expect(result.status).toBe(0);
});

test('a rule that does not fire fails its case', async (context) => {
  const broken = mkdtempSync(join(tmpdir(), 'event-api-rules-'));
  const rules = readFileSync(join(folder, 'server-rules.yaml'), 'utf8');
  writeFileSync(join(broken, 'rules.yaml'), rules.replace('redis_up == 0 or', 'redis_up == 2 or'));
  const { tests } = read('rules-test.yaml') as { tests: Case[] };
  const ofRedis = tests.flatMap(({ alert_rule_test, ...rest }) => {
    const kept = alert_rule_test.filter(({ alertname }) => alertname === 'RedisDown');
    return kept.length > 0 ? [{ ...rest, alert_rule_test: kept }] : [];
  });
  writeFileSync(
    join(broken, 'cases.yaml'),
    JSON.stringify({ rule_files: ['rules.yaml'], evaluation_interval: '1m', tests: ofRedis }),
  );
  const result = await promtool(['test', 'rules', join(broken, 'cases.yaml')]);
  rmSync(broken, { recursive: true });
  if (!result) return context.skip('promtool is not available');
  expect(result.output).toContain('FAILED');
  expect(result.status).toBe(1);
});
