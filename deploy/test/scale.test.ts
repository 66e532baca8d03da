import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { splitManifests } from '../kubernetes/release.ts';
import { readRendered, renderFolder } from '../kubernetes/render.ts';
import { parseArguments } from '../kubernetes/scale/arguments.ts';
import {
  type Capacity,
  operations,
  type Rates,
  readCapacity,
} from '../kubernetes/scale/capacity.ts';
import { componentOf } from '../kubernetes/scale/component.ts';
import {
  type LiveAutoscaler,
  patchesOf,
  resetsOf,
  stateOf,
  waitingFor,
} from '../kubernetes/scale/live.ts';
import { planScale, RESERVE } from '../kubernetes/scale/plan.ts';
import { type ProcessSize, postgresSizeOf, sizesOf } from '../kubernetes/scale/process-size.ts';
import { describeRates, ratesOf } from '../kubernetes/scale/rates.ts';
import { root } from './image-tree.ts';
import { manifestsOf } from './manifests.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-api-scale-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const now = new Date('2026-12-01T09:00:00Z');
const nothing: Rates = Object.fromEntries(operations.map((name) => [name, 0])) as Rates;

/** An order costs commerce 10 ms and PostgreSQL 5 ms of CPU, and 20 kB of log. */
const capacity: Capacity = {
  measuredAt: '2026-12-01',
  machine: 'test',
  operations: {
    ...(Object.fromEntries(
      operations.map((name) => [name, { cpuMicros: {}, walBytes: 0, diskBytes: 0 }]),
    ) as unknown as Capacity['operations']),
    paidOrder: {
      cpuMicros: { commerce: 10_000, postgres: 5000 },
      walBytes: 20_000,
      diskBytes: 9000,
    },
  },
  cpuSecondsUntilReady: {},
  knees: {},
};

const commerce: ProcessSize = {
  name: 'commerce',
  minReplicas: 2,
  maxReplicas: 6,
  busyCores: 0.6,
  requestCores: 0.5,
  requestMebibytes: 512,
  poolMax: 10,
};

describe('a plan', () => {
  // 0.6 cores of a pod and the reserve of a half: a pod carries 40 orders per second.
  test.each([
    [0, { outcome: 'enough', pods: 2 }],
    [80, { outcome: 'enough', pods: 2 }],
    [81, { outcome: 'raise', pods: 3 }],
    [240, { outcome: 'raise', pods: 6 }],
    [241, { outcome: 'beyond', pods: 6, needed: 7 }],
    [400, { outcome: 'beyond', pods: 6, needed: 10 }],
  ])('for %d orders per second is %j', (paidOrder, expected) => {
    const { processes } = planScale({ ...nothing, paidOrder }, [commerce], capacity);
    expect(processes).toEqual([
      { name: 'commerce', cores: expect.closeTo(paidOrder / 100), ...expected },
    ]);
  });

  test('says what nodes and PostgreSQL must carry', () => {
    const { added, postgres } = planScale({ ...nothing, paidOrder: 120 }, [commerce], capacity);
    expect(added).toEqual({ pods: 1, cores: 0.5, mebibytes: 512 });
    // Six pods and one of a rollout, with eleven connections each, and twenty others.
    expect(postgres).toEqual({
      cores: expect.closeTo(0.6),
      logBytesPerSecond: 2_400_000,
      connections: 97,
    });
  });

  test('needs more connections if more pods are needed than there may be', () => {
    const { postgres } = planScale({ ...nothing, paidOrder: 400 }, [commerce], capacity);
    expect(postgres.connections).toBe(20 + 11 * 11);
  });
});

describe('the rates', () => {
  test.each([
    [{ orders: '50/s' }, { paidOrder: 50, read: 500, feedRow: 200 }],
    [{ orders: '3000/min' }, { paidOrder: 50, read: 500, feedRow: 200 }],
    [
      { orders: '1/s', reads: '7/s', 'feed-rows': '0/s' },
      { paidOrder: 1, read: 7 },
    ],
    [{ checkins: '800/min' }, { checkin: 800 / 60, feedRow: 800 / 60 }],
    [
      { 'free-orders': '1.5/s', registrations: '2/s', 'console-pages': '3/s' },
      { freeOrder: 1.5, registration: 2, read: 35, feedRow: 6.5, consolePage: 3 },
    ],
  ])('%j are %j', (texts, expected) => {
    expect(ratesOf(texts)).toEqual({ ...nothing, ...expected });
  });

  test.each(['50', '50/h', '-1/s', 'many/s', '1/s/s', ''])('reject %j', (orders) => {
    expect(() => ratesOf({ orders })).toThrow('--orders must be a rate such as 50/s');
  });

  test('are described without those that are zero', () => {
    expect(describeRates({ ...nothing, paidOrder: 50, checkin: 13.333 })).toBe(
      '50 paid orders/s, 13.3 check-ins/s',
    );
  });
});

describe('the command line', () => {
  test.each([
    [['production'], { action: 'state' }],
    [['production', '--orders', '1/s'], { action: 'plan', until: undefined }],
    [
      ['production', '--orders', '1/s', '--apply', '--until', '2026-12-04T12:00Z'],
      { action: 'apply', until: new Date('2026-12-04T12:00:00Z') },
    ],
    [
      ['production', '--checkins', '1/s', '--component', '--until', '2026-12-04T13:00:00+01:00'],
      { action: 'component', until: new Date('2026-12-04T12:00:00Z') },
    ],
    [['production', '--reset'], { action: 'reset', onlyOverdue: false }],
    [['production', '--reset', '--overdue'], { action: 'reset', onlyOverdue: true }],
  ])('%j is %j', (args, expected) => {
    expect(parseArguments(args, now)).toMatchObject({ overlay: 'production', ...expected });
  });

  test.each([
    [[], 'npm run -s scale'],
    [['production', 'kind'], 'npm run -s scale'],
    [['production', '--moon'], '--moon'],
    [['production', '--orders', '1'], '--orders must be a rate'],
    [['production', '--apply'], '--apply needs a rate'],
    [['production', '--until', '2026-12-04T12:00Z'], '--until needs a rate'],
    [
      ['production', '--orders', '1/s', '--until', '2026-12-04'],
      '--until must be a time with a zone',
    ],
    [['production', '--orders', '1/s', '--until', '2026-12-04T12:00'], 'a time with a zone'],
    [['production', '--orders', '1/s', '--until', '2026-13-04T12:00Z'], 'a time with a zone'],
    [
      ['production', '--orders', '1/s', '--until', '2026-11-04T12:00Z'],
      '--until must be in the future',
    ],
    [['production', '--orders', '1/s', '--reset'], '--reset takes no rates'],
    [
      ['production', '--orders', '1/s', '--apply', '--component'],
      'choose one of --apply, --component',
    ],
    [['production', '--overdue'], '--overdue needs --reset'],
  ])('%j is rejected: %s', (args, message) => {
    expect(() => parseArguments(args, now)).toThrow(message);
  });
});

const autoscaler = (
  name: string,
  minReplicas: number,
  annotations?: Record<string, string>,
): LiveAutoscaler => ({
  metadata: { name, ...(annotations && { annotations }) },
  spec: { minReplicas, maxReplicas: 6 },
});
const scaled = (to: string, until?: string) => ({
  'event-api/scaled-to': to,
  ...(until !== undefined && { 'event-api/scaled-until': until }),
});

describe('an autoscaler in the cluster', () => {
  const past = '2026-12-01T08:59:59.000Z';
  const future = '2026-12-01T09:00:01.000Z';

  test.each([
    [autoscaler('commerce', 2), { outcome: 'as_manifest' }],
    [autoscaler('commerce', 5, scaled('5')), { outcome: 'scaled', to: 5, until: undefined }],
    [autoscaler('commerce', 5, scaled('5', future)), { outcome: 'scaled', to: 5, until: future }],
    [autoscaler('commerce', 2, scaled('5', future)), { outcome: 'set_back', to: 5, least: 2 }],
    [autoscaler('commerce', 5, scaled('5', past)), { outcome: 'overdue', to: 5, until: past }],
    [autoscaler('commerce', 2, scaled('5', past)), { outcome: 'overdue', to: 5, until: past }],
  ])('%j is %j', (live, expected) => {
    expect(stateOf(live, now)).toEqual(expected);
  });

  test('is set back only if it was scaled', () => {
    const live = [autoscaler('commerce', 5, scaled('5')), autoscaler('onsite', 9)];
    expect(resetsOf(live, () => 2)).toEqual([
      {
        name: 'commerce',
        patch: {
          metadata: {
            annotations: { 'event-api/scaled-to': null, 'event-api/scaled-until': null },
          },
          spec: { minReplicas: 2 },
        },
      },
    ]);
  });

  test.each([
    [80, []],
    [120, ['commerce 3']],
    [400, ['commerce 6']],
  ])('is raised for %d orders per second: %j', (paidOrder, expected) => {
    const plan = planScale({ ...nothing, paidOrder }, [commerce], capacity);
    const patches = patchesOf(plan, undefined);
    expect(patches.map(({ name, patch }) => `${name} ${patch.spec.minReplicas}`)).toEqual(expected);
  });

  test('has fewer ready pods than wanted', () => {
    const deployments = [
      { metadata: { name: 'commerce' }, status: { readyReplicas: 3 } },
      { metadata: { name: 'onsite' }, status: { readyReplicas: 2 } },
      { metadata: { name: 'gateway' } },
    ];
    const wanted = ['commerce', 'onsite', 'gateway', 'console'].map((name) => ({ name, pods: 3 }));
    expect(waitingFor(deployments, wanted)).toEqual([
      { name: 'onsite', ready: 2, pods: 3 },
      { name: 'gateway', ready: 0, pods: 3 },
      { name: 'console', ready: 0, pods: 3 },
    ]);
  });
});

describe('the sizes in the manifests of production', () => {
  const manifests = splitManifests(readRendered('production'));

  test('are those of every process', () => {
    const autoscalers = manifestsOf('production').filter(
      ({ kind }) => kind === 'HorizontalPodAutoscaler',
    );
    const expected = autoscalers.map(({ metadata: { name }, spec }) => {
      const [container] =
        manifestsOf('production').find(
          (each) => each.kind === 'Deployment' && each.metadata.name === name,
        )?.spec.template?.spec.containers ?? [];
      const { cpu = '', memory = '' } = container?.resources?.requests ?? {};
      const pool = container?.env?.find((each) => each.name === 'DATABASE_POOL_MAX')?.value;
      const busy = spec.metrics?.[0]?.resource?.target.averageValue ?? '';
      return {
        name,
        minReplicas: spec.minReplicas,
        maxReplicas: spec.maxReplicas,
        busyCores: Number.parseInt(busy, 10) / 1000,
        requestCores: Number.parseInt(cpu, 10) / 1000,
        requestMebibytes: Number.parseInt(memory, 10),
        poolMax: Number(pool),
      };
    });
    expect(sizesOf(manifests)).toEqual(expected);
    expect(expected.map(({ name }) => name).toSorted()).toEqual(
      topology.map(({ name }) => name).toSorted(),
    );
  });

  test('accept the connections of every pod that there may be', () => {
    const { connections } = planScale(nothing, sizesOf(manifests), readCapacity()).postgres;
    expect(postgresSizeOf(manifests)?.connections).toBeGreaterThanOrEqual(connections);
  });

  test('name what is missing', () => {
    const incomplete = manifests.map((each) => ({
      ...each,
      text: each.text.replace('averageValue: 650m', 'averageUtilization: 65'),
    }));
    expect(() => sizesOf(incomplete)).toThrow(/of \w+ have no averageValue/);
  });
});

test('the recorded capacity has the costs of every operation in the processes that do it', () => {
  const { operations: recorded, cpuSecondsUntilReady } = readCapacity();
  const processes = (name: (typeof operations)[number]) => Object.keys(recorded[name].cpuMicros);
  expect(Object.keys(recorded).toSorted()).toEqual([...operations].toSorted());
  expect(processes('read')).toEqual(expect.arrayContaining(['gateway', 'catalog']));
  expect(processes('registration')).toEqual(expect.arrayContaining(['gateway', 'registration']));
  for (const name of ['freeOrder', 'paidOrder'] as const) {
    expect(processes(name)).toEqual(
      expect.arrayContaining(['gateway', 'commerce', 'registration', 'changes', 'postgres']),
    );
    expect(recorded[name].walBytes).toBeGreaterThan(1000);
  }
  expect(processes('checkin')).toEqual(expect.arrayContaining(['gateway', 'onsite']));
  expect(processes('feedRow')).toEqual(expect.arrayContaining(['changes']));
  expect(processes('consolePage')).toEqual(expect.arrayContaining(['console']));
  expect(Object.keys(cpuSecondsUntilReady).toSorted()).toEqual(
    topology.map(({ name }) => name).toSorted(),
  );
});

/** What a real control plane renders from the component, if kubectl or kustomize is installed. */
test('the component raises the autoscalers of every folder that a team applies', () => {
  const manifests = splitManifests(readRendered('production'));
  const plan = planScale(ratesOf({ orders: '900/s' }), sizesOf(manifests), readCapacity());
  const raised = plan.processes.filter(({ outcome }) => outcome !== 'enough');
  expect(raised.map(({ name }) => name)).toEqual(expect.arrayContaining(['commerce', 'gateway']));
  const component = componentOf(plan, 'For a sale.');
  expect(parse(component).patches).toHaveLength(raised.length);
  const kubernetes = join(folder, 'kubernetes');
  cpSync(join(root, 'deploy/kubernetes'), kubernetes, {
    recursive: true,
    filter: (source) => !/\/(rendered|scale)$/.test(source) && !source.endsWith('.ts'),
  });
  const site = join(kubernetes, 'overlays/production/site');
  const [line = ''] =
    /^# components: \[sale\]$/m.exec(readFileSync(join(site, 'kustomization.yaml'), 'utf8')) ?? [];
  expect(line).not.toBe('');
  const sale = join(site, 'sale');
  expect(existsSync(sale)).toBe(false);
  cpSync(join(kubernetes, 'components/tls-required'), sale, { recursive: true });
  writeFileSync(join(sale, 'kustomization.yaml'), component);
  const own = readFileSync(join(site, 'kustomization.yaml'), 'utf8');
  writeFileSync(join(site, 'kustomization.yaml'), own.replace(line, line.slice(2)));
  for (const { name, pods } of raised) {
    const rendered = renderFolder(join(kubernetes, 'overlays/production', name));
    if (rendered === undefined) return;
    const [size] = sizesOf(splitManifests(rendered));
    expect(size, name).toMatchObject({ name, minReplicas: pods });
  }
});

/**
 * Runs the command with a program in place of kubectl, which renders the committed manifests,
 * records its arguments, and answers with these objects.
 */
function runScale(
  args: string[],
  {
    autoscalers = [],
    ready = {},
  }: { autoscalers?: LiveAutoscaler[]; ready?: Record<string, number> } = {},
) {
  const own = mkdtempSync(join(folder, 'run-'));
  const [record, manifests] = [join(own, 'calls'), join(own, 'manifests.yaml')];
  writeFileSync(record, '');
  writeFileSync(manifests, readRendered('production'));
  const deployments = topology.map(({ name }) => ({
    metadata: { name },
    status: { readyReplicas: ready[name] ?? 100 },
  }));
  writeFileSync(
    join(own, 'kubectl.cjs'),
    `const fs = require('node:fs');
const args = process.argv.slice(2);
if (args[0] === 'kustomize') { process.stdout.write(fs.readFileSync(${JSON.stringify(manifests)})); process.exit(); }
fs.appendFileSync(${JSON.stringify(record)}, args.slice(2).join(' ') + '\\n');
const answers = ${JSON.stringify({ hpa: { items: autoscalers }, deployment: { items: deployments } })};
if (args[2] === 'get') process.stdout.write(JSON.stringify(answers[args[3]]));
`,
  );
  writeFileSync(
    join(own, 'kubectl'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(own, 'kubectl.cjs')}' "$@"\n`,
    { mode: 0o755 },
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'deploy/kubernetes/scale/scale.ts'), ...args],
    { encoding: 'utf8', env: { PATH: own, POLL_INTERVAL_MS: '1' } },
  );
  const calls = readFileSync(record, 'utf8').trim().split('\n').filter(Boolean);
  const patched = Object.fromEntries(
    calls.flatMap((call) => {
      const [, name = '', patch = ''] =
        /^patch hpa (\S+) --type merge --patch (.*)$/.exec(call) ?? [];
      return name ? [[name, JSON.parse(patch)]] : [];
    }),
  );
  return { status, output: `${stdout}${stderr}`, calls, patched };
}

/** Orders per second for which commerce needs as many pods, by the recorded capacity. */
function ordersFor(pods: number): string {
  const size = sizesOf(splitManifests(readRendered('production'))).find(
    ({ name }) => name === 'commerce',
  );
  const micros = readCapacity().operations.paidOrder.cpuMicros.commerce ?? Number.NaN;
  const most = ((size?.busyCores ?? Number.NaN) * pods * 1e6) / RESERVE / micros;
  return `${Math.floor(most)}/s`;
}

const live = sizesOf(splitManifests(readRendered('production'))).map(
  ({ name, minReplicas, maxReplicas }) => ({
    metadata: { name },
    spec: { minReplicas, maxReplicas },
  }),
);

describe('npm run scale', () => {
  test('prints a plan and calls no cluster', () => {
    const { status, output, calls } = runScale([
      'production',
      '--orders',
      ordersFor(4),
      '--checkins',
      '15/s',
    ]);
    expect(status, output).toBe(0);
    expect(output).toMatch(/^\d+ paid orders\/s, 15 check-ins\/s, \d+ reads\/s/);
    for (const { name } of topology)
      expect(output).toMatch(new RegExp(`^${name} +\\d+\\.\\d\\d `, 'm'));
    expect(output).toMatch(/^commerce .* raise$/m);
    expect(output).toMatch(/^PostgreSQL: .* MB\/s of log/m);
    expect(calls).toEqual([]);
  });

  test('fails if more is needed than there may be, and says what is to be raised', () => {
    const { status, output } = runScale(['production', '--orders', '5000/s']);
    expect(status).toBe(1);
    expect(output).toMatch(/^commerce .* needs \d+: raise maxReplicas$/m);
    expect(output).toMatch(/max_connections must be at least \d+, and is \d+/);
    expect(output).toContain('PostgreSQL is busier than 60 %');
  });

  describe('with --apply', () => {
    const until = '2099-12-04T12:00:00.000Z';
    let run: ReturnType<typeof runScale>;
    beforeAll(() => {
      const args = ['production', '--orders', ordersFor(4), '--apply', '--until', until];
      run = runScale(args, { autoscalers: live });
    });

    test('raises the autoscalers that need it and waits for the pods', () => {
      expect(run.status, run.output).toBe(0);
      expect(Object.keys(run.patched)).toContain('commerce');
      expect(run.patched).not.toHaveProperty('console');
      const { metadata, spec } = run.patched.commerce;
      expect(spec.minReplicas).toBe(4);
      expect(metadata.annotations).toEqual(scaled(String(spec.minReplicas), until));
      expect(run.calls.at(-1)).toBe('get deployment -o json');
      expect(run.output).toContain('all pods are ready');
    });

    test('raises none above the maximum of the cluster, and fails', () => {
      const few = live.map((each) => ({ ...each, spec: { minReplicas: 2, maxReplicas: 3 } }));
      const { status, patched, output } = runScale(
        ['production', '--orders', '5000/s', '--apply'],
        {
          autoscalers: few,
        },
      );
      expect(status).toBe(1);
      expect(patched.commerce.spec.minReplicas).toBe(3);
      expect(output).toMatch(/^commerce .* needs \d+: raise maxReplicas$/m);
    });
  });

  test('sets back what was scaled, with --overdue only what is over', () => {
    const autoscalers = live.map((each) => ({
      spec: { ...each.spec, minReplicas: 6 },
      metadata: {
        ...each.metadata,
        ...(each.metadata.name === 'commerce' && {
          annotations: scaled('6', '2026-01-01T00:00:00.000Z'),
        }),
        ...(each.metadata.name === 'gateway' && { annotations: scaled('6') }),
      },
    }));
    const all = runScale(['production', '--reset'], { autoscalers });
    expect(all.status, all.output).toBe(0);
    expect(Object.keys(all.patched).toSorted()).toEqual(['commerce', 'gateway']);
    const least = live.find(({ metadata }) => metadata.name === 'gateway')?.spec.minReplicas;
    expect(all.patched.gateway.spec.minReplicas).toBe(least);
    const overdue = runScale(['production', '--reset', '--overdue'], { autoscalers });
    expect(Object.keys(overdue.patched)).toEqual(['commerce']);
  });

  test('reports what is scaled, and fails if a release has set it back', () => {
    const scaledNow = (minReplicas: number) =>
      live.map((each) =>
        each.metadata.name === 'commerce'
          ? autoscaler('commerce', minReplicas, scaled('6', '2099-01-01T00:00:00.000Z'))
          : each,
      );
    const fine = runScale(['production'], { autoscalers: scaledNow(6) });
    expect(fine.status, fine.output).toBe(0);
    expect(fine.output).toContain('commerce: at least 6 until 2099-01-01T00:00:00.000Z');
    const setBack = runScale(['production'], { autoscalers: scaledNow(2) });
    expect(setBack.status).toBe(1);
    expect(setBack.output).toContain('commerce: at least 2, not 6: a release has set it back');
  });

  test('prints the component', () => {
    const { status, output, calls } = runScale([
      'production',
      '--orders',
      ordersFor(4),
      '--component',
    ]);
    expect(status, output).toBe(0);
    expect(output).toMatch(/^# For \d+ paid orders\/s, /);
    expect(parse(output)).toMatchObject({ kind: 'Component' });
    expect(calls).toEqual([]);
  });

  test('says in one line what is wrong, and calls no cluster', () => {
    const { status, output, calls } = runScale(['production', '--orders', 'many']);
    expect(status).toBe(1);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(calls).toEqual([]);
  });
});
