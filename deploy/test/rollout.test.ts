import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import { afterAll, describe, expect, test } from 'vitest';
import {
  decideJobs,
  imagesWithoutRelease,
  newFailures,
  planRelease,
  splitManifests,
} from '../kubernetes/release.ts';
import { readRendered } from '../kubernetes/render.ts';
import { root } from './image-tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-api-rollout-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const job = (name: string, type?: string) => ({
  metadata: { name },
  status: { conditions: type ? [{ type, status: 'True' }] : [] },
});

test.each([
  [[job('a'), job('b')], { outcome: 'running' }],
  [[job('a', 'Complete'), job('b')], { outcome: 'running' }],
  [[job('a', 'Complete'), job('b', 'Complete')], { outcome: 'complete' }],
  [[job('a'), job('b', 'Failed')], { outcome: 'failed', names: ['b'] }],
  [[{ metadata: { name: 'a' } }], { outcome: 'running' }],
])('decides for the jobs %j', (jobs, decision) => {
  expect(decideJobs(jobs)).toEqual(decision);
});

test('says once of each attempt of a job that it has failed', () => {
  const jobs = [
    { ...job('a'), status: { failed: 2 } },
    { ...job('b'), status: { failed: 1 } },
    job('c'),
  ];
  expect(newFailures(jobs, new Map())).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  expect(newFailures(jobs, new Map(Object.entries({ a: 1, b: 1 })))).toEqual([['a', 2]]);
});

test('plans to provision, then to migrate, then to change processes', () => {
  const all = splitManifests(readRendered('production'));
  const { before, jobs, after, deployments } = planRelease(all);
  expect(new Set(before.map(({ kind }) => kind))).toEqual(
    new Set(['Namespace', 'NetworkPolicy', 'Service']),
  );
  const names = topology.map(({ name }) => name);
  const baseOf = (name: string) => name.replace(/-[a-z0-9]{10}$/, '');
  expect(jobs.map((group) => group.map(({ name }) => baseOf(name)).toSorted())).toEqual([
    ['provision'],
    names.map((name) => `migrate-${name}`).toSorted(),
  ]);
  expect(deployments.toSorted()).toEqual(names.toSorted());
  expect(before.length + jobs.flat().length + after.length).toBe(all.length);
});

test('starts the servers of kind before the jobs that need them', () => {
  const { before } = planRelease(splitManifests(readRendered('kind')));
  const servers = before.filter(({ kind }) => kind === 'StatefulSet');
  expect(servers.map(({ name }) => name).toSorted()).toEqual(['nats', 'postgres', 'redis']);
});

/** The manifests after a release has set every digest. */
const released = readRendered('production').replaceAll('sha256:0000', 'sha256:1234');
const nameOfJob = (name: string) =>
  new RegExp(`^  name: (${name}-[a-z0-9]{10})$`, 'm').exec(released)?.[1] ?? '';

test('finds the images whose digest no release has set', () => {
  expect(imagesWithoutRelease(splitManifests(released))).toEqual([]);
  const images = imagesWithoutRelease(splitManifests(readRendered('production')));
  const names = [...topology.map(({ name }) => name), 'tools'];
  expect(images.toSorted()).toEqual(
    names.map((name) => `registry.example.com/event-api-${name}`).toSorted(),
  );
  const one = released.replace(/(event-api-onsite@sha256:)\w+/, `$1${'0'.repeat(64)}`);
  expect(imagesWithoutRelease(splitManifests(one))).toEqual([
    'registry.example.com/event-api-onsite',
  ]);
});

/**
 * A program in place of kubectl. It renders the committed manifests, records its arguments, reports
 * `failedJob` as failed and fails the rollout of `failedDeployment`.
 */
function rollOutWith(options: {
  args: string[];
  failedJob?: string;
  failedDeployment?: string;
  /** The first of its attempts has failed, the second one succeeds. */
  repeatedJob?: string;
  rendered?: string;
}): {
  status: number | null;
  calls: string[];
  output: string;
} {
  const own = mkdtempSync(join(folder, 'run-'));
  const record = join(own, 'calls');
  const manifests = join(own, 'manifests.yaml');
  writeFileSync(record, '');
  writeFileSync(manifests, options.rendered ?? released);
  const script = `
const fs = require('node:fs');
const args = process.argv.slice(2);
if (args[0] === 'kustomize') { process.stdout.write(fs.readFileSync(${JSON.stringify(manifests)})); process.exit(); }
const input = args.includes('apply') ? fs.readFileSync(0, 'utf8') : '';
const kinds = [...new Set([...input.matchAll(/^kind: (.*)$/gm)].map((match) => match[1]))].sort();
fs.appendFileSync(${JSON.stringify(record)}, [...args.slice(2), ...kinds].join(' ') + '\\n');
if (args[2] === 'logs') process.stdout.write('the reason\\n');
if (args[2] === 'get') {
  const looks = fs.readFileSync(${JSON.stringify(record)}, 'utf8').split('\\n').filter((call) => call === args.slice(2).join(' ')).length;
  const items = args.slice(4, args.indexOf('-o')).map((name) => ({
    metadata: { name },
    status: name === ${JSON.stringify(options.repeatedJob ?? '')} && looks === 1 ? { failed: 1 } : { conditions: [{ type: name === ${JSON.stringify(options.failedJob ?? '')} ? 'Failed' : 'Complete', status: 'True' }] },
  }));
  process.stdout.write(JSON.stringify(items.length === 1 ? items[0] : { items }));
}
if (args.includes('deployment/' + ${JSON.stringify(options.failedDeployment ?? '')}) && args.includes('status')) {
  process.stderr.write('timed out waiting for the condition');
  process.exit(1);
}
`;
  const program = join(own, 'kubectl.cjs');
  writeFileSync(program, script);
  // The path of an interpreter in a first line ends at a space.
  const start = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
  writeFileSync(join(own, 'kubectl'), start, { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'deploy/kubernetes/rollout.ts'), ...options.args],
    { encoding: 'utf8', env: { PATH: own, POLL_INTERVAL_MS: '1' } },
  );
  const calls = readFileSync(record, 'utf8').trim().split('\n');
  return { status, calls, output: `${stdout}${stderr}` };
}

const isChange = (call: string) => /apply .*Deployment|rollout/.test(call);

describe('the rollout script', () => {
  test('runs the jobs, applies everything, and watches every Deployment', () => {
    const { status, calls, output } = rollOutWith({ args: ['production'] });
    expect(output).toContain('complete');
    expect(status).toBe(0);
    expect(calls[0]).toBe('apply -f - Namespace NetworkPolicy Service');
    const firstChange = calls.findIndex(isChange);
    const lastJob = calls.findLastIndex((call) => call.startsWith('get job'));
    expect(firstChange).toBeGreaterThan(lastJob);
    expect(calls.filter((call) => call.startsWith('delete job'))).toHaveLength(2);
    const watched = calls.flatMap(
      (call) => /rollout status deployment\/(\S+)/.exec(call)?.[1] ?? [],
    );
    expect(watched.toSorted()).toEqual(topology.map(({ name }) => name).toSorted());
    expect(calls.filter((call) => call.includes('restart'))).toEqual([]);
  });

  test('refuses the digest of the repository, and changes nothing', () => {
    const rendered = readRendered('production');
    const { status, calls, output } = rollOutWith({ args: ['production'], rendered });
    expect(status).toBe(1);
    expect(output).toMatch(/No release has set the digest of .*event-api-onsite/);
    expect(calls).toEqual(['']);
  });

  test('restarts every process on request', () => {
    const { calls } = rollOutWith({ args: ['production', '--restart'] });
    const [restart = ''] = calls.filter((call) => call.startsWith('rollout restart'));
    for (const { name } of topology) expect(restart).toContain(`deployment/${name}`);
  });

  test.each(['provision', 'migrate-onsite'])('changes no process if %s fails', (job) => {
    const failedJob = nameOfJob(job);
    const { status, calls, output } = rollOutWith({ args: ['production'], failedJob });
    expect(status).toBe(1);
    expect(output).toContain(`${failedJob} failed; no process was changed`);
    expect(calls).toContain(`logs job/${failedJob} --tail=20`);
    expect(calls.filter(isChange)).toEqual([]);
  });

  test('says why an attempt of a job has failed, while it is repeated', () => {
    const repeatedJob = nameOfJob('migrate-onsite');
    const { status, output } = rollOutWith({ args: ['production'], repeatedJob });
    expect(output).toContain(
      `attempt 1 of ${repeatedJob} has failed; Kubernetes repeats it\nthe reason`,
    );
    expect(status).toBe(0);
  });

  test('stops at the first Deployment that does not become ready', () => {
    const failedDeployment = 'commerce';
    const { status, calls, output } = rollOutWith({ args: ['production'], failedDeployment });
    expect(status).toBe(1);
    expect(calls.at(-1)).toContain('rollout status deployment/commerce');
    expect(output).toContain('get pods --selector app.kubernetes.io/name=commerce,');
    expect(output).toContain('kubectl -n event-api rollout undo deployment/commerce');
  });

  test.each([[[]], [['production', 'kind']], [['production', '--moon']]])(
    'rejects the arguments %j and calls nothing',
    (args) => {
      const { status, calls } = rollOutWith({ args });
      expect(status).toBe(1);
      expect(calls).toEqual(['']);
    },
  );
});
