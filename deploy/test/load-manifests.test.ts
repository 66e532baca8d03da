import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderFolder } from '../kubernetes/render.ts';
import { root } from './image-tree.ts';
import { type Labels, type Manifest, manifestsOf, parseManifests } from './manifests.ts';
import { gateOf, type Pod } from './network-policies.ts';

const folder = join(root, 'deploy/kubernetes/load');
const scenarios = join(root, 'load-tests/scenarios');
const read = (file: string) => parse(readFileSync(join(folder, file), 'utf8'));
const policies = parseManifests(
  readFileSync(join(folder, 'policies/network-policies.yaml'), 'utf8'),
).map((each) => ({ ...each, metadata: { ...each.metadata, namespace: 'event-api' } }));

const job = read('job/job.yaml').spec.template;
const check = read('check/check.yaml').spec.template;
const testRun = read('test-run/test-run.yaml').spec;

const restricted = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
const hardenedPod = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
const bounded = {
  requests: { cpu: expect.anything(), memory: expect.anything() },
  limits: { memory: expect.anything(), 'ephemeral-storage': expect.anything() },
};

describe('the pods of a load test', () => {
  test.each([
    ['the Job of k6', job.spec],
    ['the check', check.spec],
  ])('%s run in the restricted security profile, with limits', (_name, spec) => {
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      restartPolicy: 'Never',
      securityContext: hardenedPod,
    });
    for (const container of spec.containers) {
      expect(container.securityContext).toEqual(restricted);
      expect(container.resources).toMatchObject(bounded);
    }
  });

  test('of a TestRun run in the restricted security profile, with limits', () => {
    for (const pod of [testRun.runner, testRun.starter]) {
      expect(pod.automountServiceAccountToken).toBe('false');
      expect(pod.securityContext).toMatchObject(hardenedPod);
      expect(pod.containerSecurityContext).toEqual(restricted);
      expect(pod.resources).toMatchObject(bounded);
    }
  });

  test('of k6 have the version and the settings of one another', () => {
    const [container] = job.spec.containers;
    const { runner } = testRun;
    expect(runner.image).toBe(container.image);
    expect(runner.volumes).toEqual(job.spec.volumes);
    expect(runner.volumeMounts).toEqual(container.volumeMounts);
    const own = ({ name }: { name: string }) => name !== 'RUNNERS';
    expect(runner.env.filter(own)).toEqual(container.env);
    expect(runner.env.find(({ name }: { name: string }) => name === 'RUNNERS').value).toBe(
      String(testRun.parallelism),
    );
    expect(container.args.at(-1)).toBe(testRun.script.localFile);
  });
});

test('the ConfigMaps and the pods have every script at its place', () => {
  const { configMapGenerator } = parse(
    readFileSync(join(scenarios, 'kustomization.yaml'), 'utf8'),
  ) as { configMapGenerator: { name: string; files: string[] }[] };
  const filesOf = (name: string) => configMapGenerator.find((each) => each.name === name)?.files;
  const scripts = (path: string) =>
    readdirSync(path).filter((name) => name.endsWith('.ts') && !name.includes('.test.'));
  expect(filesOf('load-scenarios')?.toSorted()).toEqual(scripts(scenarios).toSorted());
  const library = scripts(join(scenarios, 'lib')).toSorted();
  expect(filesOf('load-library')?.toSorted()).toEqual(library.map((name) => `lib/${name}`));
  const { sources } = job.spec.volumes.find(
    ({ name }: { name: string }) => name === 'scenarios',
  ).projected;
  expect(sources[1].configMap.items).toEqual(library.map((key) => ({ key, path: `lib/${key}` })));
});

describe('the network policies of a load test', () => {
  const all = [...manifestsOf('production'), ...policies] as Manifest[];
  const pod = (labels: Labels, namespace = 'event-api'): Pod => ({ labels, namespace });
  const runner = pod(job.metadata.labels);
  const starter = pod(testRun.starter.metadata.labels);
  const checker = pod(check.metadata.labels);
  const operator = pod({ 'event-api/role': 'operator', 'event-api/load': 'prepare' });
  const gateway = pod({ 'app.kubernetes.io/name': 'gateway', 'event-api/role': 'process' });
  const catalog = pod({ 'app.kubernetes.io/name': 'catalog', 'event-api/role': 'process' });
  const postgres = pod({ 'event-api/server': 'postgres' });
  const k6Operator = pod({}, 'k6-operator-system');

  const connects = (from: Pod, to: Pod, port: number) =>
    gateOf(all, 'Egress', from)(to, { port, protocol: 'TCP' }) &&
    gateOf(all, 'Ingress', to)(from, { port, protocol: 'TCP' });

  test.each([
    ['k6', runner, 'the gateway', gateway, 8080],
    ['the preparation', operator, 'the gateway', gateway, 8080],
    ['the preparation', operator, 'the operator commands', gateway, 9090],
  ])('let %s reach %s', (_from, from, _to, to, port) => {
    expect(connects(from as Pod, to as Pod, port as number)).toBe(true);
  });

  test('let the starter and the k6 operator control the runners', () => {
    expect(connects(starter, runner, 6565)).toBe(true);
    expect(gateOf(all, 'Ingress', runner)(k6Operator, { port: 6565, protocol: 'TCP' })).toBe(true);
  });

  test('let the check reach the database only', () => {
    const leaves = gateOf(all, 'Egress', checker);
    expect(leaves(postgres, { port: 5432, protocol: 'TCP' })).toBe(true);
    expect(leaves(gateway, { port: 8080, protocol: 'TCP' })).toBe(false);
  });

  test('keep k6 from everything else, and others from the runners', () => {
    const plain = pod({ 'event-api/role': 'operator' });
    expect(connects(runner, gateway, 9090)).toBe(false);
    expect(connects(runner, catalog, 8080)).toBe(false);
    expect(connects(runner, postgres, 5432)).toBe(false);
    expect(connects(plain, gateway, 8080)).toBe(false);
    expect(connects(catalog, runner, 6565)).toBe(false);
    expect(connects(starter, gateway, 8080)).toBe(false);
  });
});

test.each(['policies', 'job', 'test-run', 'check'])(
  'the folder %s renders, all of it in the namespace of the platform',
  (name) => {
    const rendered = renderFolder(join(folder, name));
    if (rendered === undefined) return;
    const manifests = parseManifests(rendered);
    expect(manifests.length).toBeGreaterThan(4);
    expect(new Set(manifests.map(({ metadata }) => metadata.namespace))).toEqual(
      new Set(['event-api']),
    );
  },
);
