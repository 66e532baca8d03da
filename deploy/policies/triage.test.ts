import { expect, test } from 'vitest';
import { type Accepted, type Finding, triage } from './triage.ts';

const finding = (rule: string, object: string, tool = 'checkov'): Finding => ({
  tool,
  rule,
  object,
  title: 'any',
});
const accepted = (rule: string, objects: string[], tool = 'checkov'): Accepted => ({
  tool,
  rule,
  objects,
  reason: 'any',
});
const onsite = finding('A', 'Deployment/onsite');
const catalog = finding('A', 'Deployment/catalog');

test.each<[string, Finding[], Accepted[], open: Finding[], unused: string[]]>([
  ['nothing', [], [], [], []],
  ['a finding', [onsite], [], [onsite], []],
  ['an accepted one', [onsite], [accepted('A', ['Deployment/onsite'])], [], []],
  ['another object', [onsite, catalog], [accepted('A', ['*/onsite'])], [catalog], []],
  ['any object', [onsite, catalog], [accepted('A', ['*'])], [], []],
  ['another rule', [onsite], [accepted('B', ['*'])], [onsite], ['*']],
  ['another tool', [onsite], [accepted('A', ['*'], 'hadolint')], [onsite], ['*']],
  ['one of two', [onsite], [accepted('A', ['*/onsite', '*/catalog'])], [], ['*/catalog']],
  ['its title', [onsite], [{ ...accepted('A', ['*']), title: 'any' }], [], []],
  ['another title', [onsite], [{ ...accepted('A', ['*']), title: 'other' }], [onsite], ['*']],
  ['part of a name', [onsite], [accepted('A', ['Deployment/on'])], [onsite], ['Deployment/on']],
  ['a dot', [onsite], [accepted('A', ['Deployment.onsite'])], [onsite], ['Deployment.onsite']],
])('%s', (_name, findings, entries, open, unused) => {
  const result = triage(findings, entries);
  expect(result.open).toEqual(open);
  expect(result.unused.map(({ object }) => object)).toEqual(unused);
});
