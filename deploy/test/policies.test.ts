import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Accepted } from '../policies/triage.ts';
import { root } from './image-tree.ts';

const entries: Accepted[] = parse(readFileSync(join(root, 'deploy/policies.yaml'), 'utf8'));

test('each finding that stays has its objects and a reason', () => {
  expect(entries.length).toBeGreaterThan(10);
  for (const { tool, rule, title, objects, reason, ...unknown } of entries) {
    expect(['checkov', 'kube-score', 'hadolint'], rule).toContain(tool);
    expect(unknown, rule).toEqual({});
    expect(objects.length, rule).toBeGreaterThan(0);
    expect(
      objects.every((object) => object.trim() !== ''),
      rule,
    ).toBe(true);
    expect(reason, rule).toMatch(/^\w.{20,}\.$|^As \w+\.$/s);
    // The objects of a rule are in one entry, or in several with different reasons.
    const same = entries.filter((each) => each.rule === rule && each.reason === reason);
    expect(same, `${rule} ${title ?? ''}`).toHaveLength(1);
  }
});

test('a reason that refers to another rule finds it', () => {
  const referring = entries.flatMap(({ reason }) => /^As (\w+)\./.exec(reason)?.[1] ?? []);
  expect(referring.length).toBeGreaterThan(0);
  expect(referring.filter((rule) => !entries.some((each) => each.rule === rule))).toEqual([]);
});
