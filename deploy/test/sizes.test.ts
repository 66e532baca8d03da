import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { splitManifests } from '../kubernetes/release.ts';
import { overlays, readRendered } from '../kubernetes/render.ts';
import { coresOf, readCapacity } from '../kubernetes/scale/capacity.ts';
import { deliveredLoad } from '../kubernetes/scale/delivered-load.ts';
import { planScale, RESERVE } from '../kubernetes/scale/plan.ts';
import { sizesOf } from '../kubernetes/scale/process-size.ts';
import { root } from './image-tree.ts';
import {
  baseNameOf,
  type Container,
  type Manifest,
  manifestsOf,
  type PodSpec,
} from './manifests.ts';

const read = (file: string) => readFileSync(join(root, 'deploy', file), 'utf8');

/** Resident memory as it was measured; deploy/README.md says how. */
const measured: Record<string, { steady: number; peak: number }> = JSON.parse(
  read('kubernetes/sizes.json'),
).mebibytes;

/** A request is larger than what was measured: load and data differ. */
const REQUEST_MARGIN = 1.15;
const LIMIT_MARGIN = 1.4;
/**
 * What a process uses beyond its heap: code, stacks, buffers of requests and responses. 130 to 160
 * were measured.
 */
const BESIDE_HEAP_MEBIBYTES = 192;

const mebibytes = (quantity = ''): number => {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return amount === undefined ? Number.NaN : Number(amount) * (unit === 'Gi' ? 1024 : 1);
};

const heapOf = ({ env = [] }: Container): number => {
  const options = env.find(({ name }) => name === 'NODE_OPTIONS')?.value ?? '';
  return Number(/^--max-old-space-size=(\d+)$/.exec(options)?.[1]);
};

/** The name in `sizes.json` of what runs the image of a process or of the tools. */
const sizeOf = (name: string): string => (name.startsWith('migrate-') ? 'migrations' : name);

interface Pod {
  name: string;
  spec: PodSpec;
}

const isOurs = ({ name, spec }: Pod): boolean =>
  spec.containers.some(({ env = [] }) => env.some(({ name }) => name === 'NODE_OPTIONS')) ||
  sizeOf(name) in measured;

const podsOf = (overlay: string): Pod[] =>
  manifestsOf(overlay).flatMap((each: Manifest) => {
    const spec = each.spec?.template?.spec;
    return spec?.containers ? [{ name: baseNameOf(each), spec }] : [];
  });
const operator: Pod = { name: 'operator', spec: parse(read('kubernetes/operator/pod.yaml')).spec };
const all: Record<string, Pod[]> = Object.fromEntries([
  ...overlays.map((overlay) => [`the overlay ${overlay}`, podsOf(overlay)]),
  ['the folder operator', [operator]],
]);

describe.each(Object.entries(all))('in %s', (_, pods) => {
  test('each process requests what was measured and a margin, and its limit is above the peak', () => {
    for (const { name, spec } of pods.filter(isOurs)) {
      const { steady, peak } = measured[sizeOf(name)] ?? { steady: Number.NaN, peak: Number.NaN };
      for (const { resources } of spec.containers) {
        const [request, limit] = [resources?.requests, resources?.limits].map((each) =>
          mebibytes(each?.memory),
        );
        expect(request, name).toBeGreaterThanOrEqual(steady * REQUEST_MARGIN);
        expect(limit, name).toBeGreaterThanOrEqual(peak * LIMIT_MARGIN);
        expect(limit, name).toBeGreaterThanOrEqual(request ?? Number.NaN);
      }
    }
  });

  test('the heap of each process leaves room below the limit', () => {
    for (const { name, spec } of pods.filter(isOurs)) {
      for (const container of spec.containers) {
        const limit = mebibytes(container.resources?.limits?.memory);
        expect(heapOf(container) + BESIDE_HEAP_MEBIBYTES, name).toBeLessThanOrEqual(limit);
      }
    }
  });

  test('every container requests CPU without a limit, memory and ephemeral storage', () => {
    for (const { name, spec } of pods) {
      const volumes = (spec.volumes ?? []).map(({ emptyDir }) => emptyDir?.sizeLimit ?? '0Mi');
      const tmp = Math.max(0, ...volumes.map(mebibytes));
      for (const { resources } of spec.containers) {
        const all = ['memory', 'ephemeral-storage'];
        expect(Object.keys(resources?.requests ?? {}).toSorted(), name).toEqual(
          ['cpu', ...all].toSorted(),
        );
        expect(Object.keys(resources?.limits ?? {}).toSorted(), name).toEqual(all.toSorted());
        // Beside /tmp the log counts.
        const storage = mebibytes(resources?.limits?.['ephemeral-storage']);
        expect(storage, name).toBeGreaterThan(tmp);
      }
    }
  });
});

describe('the CPU of production', () => {
  const sizes = sizesOf(splitManifests(readRendered('production')));
  const capacity = readCapacity();
  /** Requests of an event loop wait for each other from here on (docs/scale.md). */
  const BUSY_CORES = 0.65;
  /** Of the processes that an order or a check-in keeps busy. */
  const SHARE_OF_A_SALE = 0.1;

  test('is used up by no load for which the autoscaler adds a pod', () => {
    for (const { name, busyCores } of sizes) expect(busyCores, name).toBe(BUSY_CORES);
  });

  test('is requested for the delivered load, and for a planned sale where it is sold', () => {
    const carriesSales = (name: string) =>
      (['paidOrder', 'checkin'] as const).some((operation) => {
        const { cpuMicros } = capacity.operations[operation];
        const all = sizes.reduce((sum, each) => sum + (cpuMicros[each.name] ?? 0), 0);
        return (cpuMicros[name] ?? 0) / all > SHARE_OF_A_SALE;
      });
    for (const { name, minReplicas, requestCores } of sizes) {
      const everyDay = coresOf(name, deliveredLoad, capacity) / minReplicas;
      expect(requestCores, name).toBeGreaterThanOrEqual(everyDay * REQUEST_MARGIN);
      if (carriesSales(name))
        expect(requestCores, name).toBeGreaterThanOrEqual(BUSY_CORES / RESERVE);
      // More would reserve what one event loop cannot use.
      expect(requestCores, name).toBeLessThanOrEqual(BUSY_CORES);
    }
    const sellers = sizes.map(({ name }) => name).filter(carriesSales);
    expect(sellers).toEqual(expect.arrayContaining(['gateway', 'commerce', 'onsite']));
  });

  test('is enough for the delivered load with the least number of pods', () => {
    const { processes } = planScale(deliveredLoad, sizes, capacity);
    expect(processes.filter(({ outcome }) => outcome !== 'enough')).toEqual([]);
  });
});

test('every container of the servers in production has ephemeral storage', () => {
  const nats = parse(read('kubernetes/servers/nats-values.yaml'), { merge: true });
  const postgres = manifestsOf('production').filter(({ kind }) => kind === 'Cluster');
  const containers = [
    ...['container', 'reloader', 'promExporter'].map((part) => nats[part].merge.resources),
    ...postgres.map(({ spec }) => (spec as { resources?: Container['resources'] }).resources),
  ];
  expect(containers).toHaveLength(4);
  for (const each of containers) {
    expect(mebibytes(each?.requests?.['ephemeral-storage'])).toBeGreaterThan(0);
    expect(mebibytes(each?.limits?.['ephemeral-storage'])).toBeGreaterThan(0);
  }
});

test('the table of the README has the measured figures and the values of the manifests', () => {
  const rows = [
    ...read('README.md').matchAll(
      /^\| `?([a-z-]+)`? +\| +(\d+) \| +(\d+) \| +(\d+) \| +(\d+) \| +(\d+) \|$/gm,
    ),
  ].map(([, name = '', ...figures]) => [name, figures.map(Number)]);
  const pods = Object.values(all).flat().filter(isOurs);
  const expected = Object.entries(measured).map(([name, { steady, peak }]) => {
    const container = pods.find((pod) => sizeOf(pod.name) === name)?.spec.containers[0];
    const { requests, limits } = container?.resources ?? {};
    const [request, limit] = [mebibytes(requests?.memory), mebibytes(limits?.memory)];
    return [name, [steady, peak, request, limit, container && heapOf(container)]];
  });
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(expected));
});

test('the alert for memory fires below the limit of a process, and above what was measured', () => {
  const [, bytes] =
    /process_memory_usage_bytes > (\d+)/.exec(read('observability/rules.yaml')) ?? [];
  const bound = Number(bytes) / 1024 ** 2;
  const gateway = podsOf('production').find(({ name }) => name === 'gateway');
  expect(bound).toBeLessThan(mebibytes(gateway?.spec.containers[0]?.resources?.limits?.memory));
  expect(bound).toBeGreaterThan(Math.max(...Object.values(measured).map(({ peak }) => peak)));
});
