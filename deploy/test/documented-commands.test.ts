import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processNames } from '@event-api/contracts/topology';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseArguments as parseRestore } from '../kubernetes/restore/arguments.ts';
import { parseArguments } from '../kubernetes/scale/arguments.ts';
import { root } from './image-tree.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const readme = read('deploy/README.md');
const runbook = read('docs/runbook.md');

/** The lines of the shell blocks of a page, without comments. */
const blockLines = (page: string): string[] =>
  [...page.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)]
    .flatMap(([, block = '']) => block.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter(Boolean);

/** Commands within sentences: code that begins with a program and has arguments. */
const inlineCommands = (page: string): string[] =>
  [
    ...page.matchAll(
      /`((?:npm|node|kubectl|docker|kind|helm|redis-cli|nats|psql|curl|pg_\w+) [^`]+)`/g,
    ),
  ].map(([, command = '']) => command.replaceAll('\n', ' '));

const commandsOf = (page: string) => [...blockLines(page), ...inlineCommands(page)];
const all = [...new Set([...commandsOf(readme), ...commandsOf(runbook)])];

/** Where the commands that need no cluster are run, or how a test verifies them. */
const tested: [pattern: RegExp, by: string][] = [
  [/^npm run -s secrets -- /, 'this file'],
  [/^npm run -s rollout -- /, 'this file, deploy/test/rollout.test.ts'],
  [/^npm run -s scale -- /, 'this file, deploy/test/scale.test.ts'],
  [/^npm run -s restore -- /, 'this file, deploy/test/restore.test.ts'],
  [/^npm run -s images -- /, 'deploy/test/images.slow.test.ts'],
  [/^npm run -s admin -- /, 'tests/drills/test/runbook.test.ts'],
  [/^npm test -- /, 'tests/drills/test/runbook.test.ts'],
  [/^npm run (format|images|rollout|scale|secrets|test:full)$|^npm start$/, 'package.json'],
  [/^node src\/(main|migrate)\.ts$/, 'deploy/test/image.slow.test.ts'],
  [/^node deploy\/provisioning\/backup\/main\.ts /, 'deploy/test/backup-schedule.slow.test.ts'],
  [
    /^node tools\/bootstrap\.mjs deploy\/observability\/prometheus-rule\.ts$/,
    'deploy/test/monitoring.test.ts',
  ],
  [/^node tools\/bootstrap\.mjs deploy\/kubernetes\/render\.ts$/, 'deploy/test/kubernetes.test.ts'],
  [/^node tools\/bootstrap\.mjs deploy\/kubernetes\/team-roles\.ts$/, 'deploy/test/teams.test.ts'],
];

/** Commands that take minutes: a test checks what they name. The README says so. */
const namesOnly: [pattern: RegExp, script: string, by: string][] = [
  [/^npm run drill( -- |$)/, 'drill', 'tests/drills/test/runbook.test.ts'],
  [/^(?:[A-Z_]+=\S+ )*npm run load( -- |$)/, 'load', 'load-tests/test/scenarios.test.ts'],
  [/^npm run bench( -- |$)/, 'bench', 'package.json'],
  [/^npm run test:cluster( -- |$)/, 'test:cluster', 'package.json'],
  [/^npm run test:policies$/, 'test:policies', 'package.json'],
];

/** The programs that the README lists as not run by tests. */
const [, untestedList = ''] = /### What no test runs\n([\s\S]*?)\n##+ /.exec(readme) ?? [];
const untested = [...untestedList.matchAll(/`([a-z-]+)`/g)].map(([, program = '']) => program);

test('every command of the README and the runbook is run by a test or listed as not run', () => {
  expect(all.length).toBeGreaterThan(50);
  const unexplained = all.filter(
    (command) =>
      ![...tested, ...namesOnly].some(([pattern]) => pattern.test(command)) &&
      !untested.includes(command.split(' ')[0] ?? ''),
  );
  expect(unexplained).toEqual([]);
});

test('the list of programs that no test runs contains only those that commands use', () => {
  expect(untested).toEqual(expect.arrayContaining(['docker', 'kind', 'kubectl']));
  expect(untested.filter((name) => name === 'npm' || name === 'node')).toEqual([]);
});

test('the README names the commands of which tests check the names only', () => {
  for (const [, script] of namesOnly) expect(untestedList).toContain(`\`npm run ${script}\``);
});

test('the tests that run commands exist', () => {
  const by = [...tested.map(([, each]) => each), ...namesOnly.map(([, , each]) => each)];
  const files = by.flatMap((each) => each.split(', ')).filter((each) => each.includes('/'));
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const { scripts } = JSON.parse(read('package.json'));
  const used = all.flatMap((command) => /^npm run (?:-s )?([\w:]+)/.exec(command)?.[1] ?? []);
  expect(used.filter((name) => !(name in scripts))).toEqual([]);
});

test('every folder that kubectl or the rollout script applies exists', () => {
  const folders = all.flatMap((command) => {
    const [, applied] = /kubectl apply -k (\S+)/.exec(command) ?? [];
    const [, rolledOut] = /npm run -s rollout -- (\S+)/.exec(command) ?? [];
    return [applied, rolledOut && `deploy/kubernetes/overlays/${rolledOut}`].filter(Boolean);
  });
  expect(folders.length).toBeGreaterThan(3);
  const missing = folders.filter(
    (folder) => !existsSync(join(root, folder ?? '', 'kustomization.yaml')),
  );
  expect(missing).toEqual([]);
});

test('every command of npm run scale is one that it accepts', () => {
  const commands = all.flatMap((command) => /^npm run -s scale -- (.*)$/.exec(command)?.[1] ?? []);
  expect(commands.length).toBeGreaterThan(5);
  const announced = new Date('2026-12-01T09:00:00Z');
  for (const words of commands) {
    const { overlay } = parseArguments(words.split(' '), announced);
    expect(existsSync(join(root, 'deploy/kubernetes/overlays', overlay)), words).toBe(true);
  }
});

test('every command of npm run restore is one that it accepts', () => {
  const commands = all.flatMap(
    (command) => /^npm run -s restore -- (.*)$/.exec(command)?.[1] ?? [],
  );
  expect(commands.length).toBeGreaterThan(2);
  for (const words of commands) {
    const { overlay, processes } = parseRestore(words.split(' '), new Date('2026-12-01T09:00Z'));
    expect(existsSync(join(root, 'deploy/kubernetes/overlays', overlay)), words).toBe(true);
    if (processes !== 'each')
      expect(processNames, words).toEqual(expect.arrayContaining([...processes]));
  }
});

describe('the secrets commands of the README, in their order', () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-documented-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const lines = blockLines(readme).filter((line) => line.startsWith('npm run -s secrets'));
  const steps = ['accept', 'use', 'finish'].map(
    (step) => `npm run -s secrets -- rotate ${step} all`,
  );
  let outputs: { line: string; status: number | null; stdout: string; stderr: string }[];

  /** Runs the part before a pipe. A redirected file is replaced by a value. */
  function run(line: string) {
    const [command = ''] = line.replace('npm run -s secrets --', '').split(/[|<]/);
    const words = command.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
    const cli = join(root, 'deploy/secrets/cli.ts');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [cli, ...words, '--folder', folder],
      { encoding: 'utf8', input: 'value-of-stripe\n' },
    );
    return { line, status, stdout, stderr };
  }

  beforeAll(() => {
    outputs = [...lines, ...steps].map(run);
  });

  test('succeed', () => {
    expect(outputs.length).toBeGreaterThan(8);
    expect(outputs.filter(({ status }) => status !== 0)).toEqual([]);
  });

  test('print Secrets, and list the credentials without their values', () => {
    const printed = outputs.filter(({ line }) => line.includes(' print'));
    for (const { stdout } of printed) {
      const { kind, items } = JSON.parse(stdout);
      expect(kind).toBe('List');
      expect(items.length).toBeGreaterThan(10);
    }
    const list = outputs.find(({ line }) => line.endsWith(' list'))?.stdout ?? '';
    expect(list).toMatch(/^catalog\/database +stable$/m);
    const store = readFileSync(join(folder, 'secrets.json'), 'utf8');
    const { secret } = JSON.parse(store).credentials['catalog/database'].value;
    expect(list).not.toContain(secret);
  });

  test('say what is wrong in one line, and fail', () => {
    const { status, stderr } = run('npm run -s secrets -- rotate use all');
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
