import { topology } from '@event-api/contracts/topology';
import { describe, expect, test } from 'vitest';
import { planRelease, splitManifests } from '../kubernetes/release.ts';
import { readRendered, render } from '../kubernetes/render.ts';
import { contentsOf } from '../secrets/contents.ts';
import { secretManifests } from '../secrets/manifests.ts';
import { decideAssignments } from '../secrets/postgres-servers.rules.ts';
import { completeStore, defaultAddresses, type SecretStore } from '../secrets/store.ts';
import {
  baseNameOf,
  type Manifest,
  manifestsOf,
  nameOf,
  parseManifests,
  sortedByName,
} from './manifests.ts';
import { gateOf, type Pod } from './network-policies.ts';

const names = topology.map(({ name }) => name);
const rendered = manifestsOf('servers-per-process');
const servers = manifestsOf('production').map(nameOf);

/** The whole platform with `servers-per-process` instead of `servers`. */
const platform: Manifest[] = [
  ...manifestsOf('production').filter(
    (manifest) =>
      !['Cluster', 'ScheduledBackup', 'ObjectStore'].includes(manifest.kind) &&
      !rendered.some((other) => nameOf(other) === nameOf(manifest)),
  ),
  ...rendered,
];
const find = (kind: string, name: string) =>
  platform.find((each) => each.kind === kind && baseNameOf(each) === name);

/** The secrets of a platform with a server for each process. */
function secretStore(): SecretStore {
  const word = 'each=postgres://postgres@postgres-{process}-rw:5432/app';
  const decision = decideAssignments(defaultAddresses, [word]);
  if (decision.outcome !== 'accepted') throw new Error(decision.outcome);
  return completeStore(undefined, { addresses: { postgresOf: decision.postgresOf } });
}
const secrets = secretManifests(contentsOf(secretStore()));
const keysOf = (name: string | undefined): string[] =>
  Object.keys(secrets.find(({ metadata }) => metadata.name === name)?.data ?? {});

test('are rendered as committed', () => {
  const now = render('production/servers-per-process');
  if (now !== undefined) expect(sortedByName(parseManifests(now))).toEqual(sortedByName(rendered));
});

test('replace the server for all, and keep NATS, Redis and the object store', () => {
  const shared = ['NetworkPolicy nats', 'NetworkPolicy redis', 'ObjectStore backups'];
  expect(rendered.map(nameOf)).toEqual(expect.arrayContaining(shared));
  expect(servers).toContain('Cluster postgres');
  const clusters = rendered.filter(({ kind }) => kind === 'Cluster');
  expect(clusters.map(nameOf).toSorted()).toEqual(
    names.map((name) => `Cluster postgres-${name}`).toSorted(),
  );
});

test('no manifest has a name that was not replaced', () => {
  const text = readRendered('servers-per-process');
  expect(text).not.toMatch(
    /(postgres|nightly|provision|migrate)-process\b|database: process|own-server/,
  );
});

describe.each(names)('the server of %s', (name) => {
  const cluster = find('Cluster', `postgres-${name}`)?.spec;

  test('is the shared one but for its name, its size and its label', () => {
    const shared = manifestsOf('production').find(({ kind }) => kind === 'Cluster')?.spec;
    const { instances, plugins, postgresql } = shared ?? {};
    expect(cluster).toMatchObject({ instances, plugins });
    expect(cluster?.postgresql?.synchronous).toEqual(postgresql?.synchronous);
    const { log_min_messages, log_min_error_statement, log_error_verbosity } =
      postgresql?.parameters ?? {};
    expect(cluster?.postgresql?.parameters).toMatchObject({
      ...{ log_min_messages, log_min_error_statement, log_error_verbosity },
    });
    expect(cluster?.inheritedMetadata?.labels).toEqual({
      'event-api/server': 'postgres',
      'event-api/database': name,
    });
  });

  test('has one of its instances in each zone', () => {
    expect(cluster?.topologySpreadConstraints).toEqual([
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { 'cnpg.io/cluster': `postgres-${name}` } },
      },
    ]);
  });

  test('has a backup every night', () => {
    expect(find('ScheduledBackup', `nightly-${name}`)?.spec).toMatchObject({
      cluster: { name: `postgres-${name}` },
      immediate: true,
    });
  });

  test('has connections for the pods of its process during a rollout', () => {
    const deployment = find('Deployment', name)?.spec;
    const env = deployment?.template?.spec.containers[0]?.env ?? [];
    const pool = Number(env.find((each) => each.name === 'DATABASE_POOL_MAX')?.value);
    const pods = Number(find('HorizontalPodAutoscaler', name)?.spec.maxReplicas);
    const surge = Number(deployment?.strategy?.rollingUpdate?.maxSurge);
    const most = (pods + surge) * (pool + 1) + 20;
    expect(most).toBeGreaterThan(25);
    expect(most).toBeLessThanOrEqual(Number(cluster?.postgresql?.parameters.max_connections));
  });

  test('has its own superuser, and a job that creates its roles', () => {
    const { superuserSecret } = cluster as unknown as { superuserSecret: { name: string } };
    expect(superuserSecret.name).toBe(`event-api-postgres-${name}`);
    expect(keysOf(superuserSecret.name)).toEqual(['username', 'password']);
    const [container] = find('Job', `provision-${name}`)?.spec.template?.spec.containers ?? [];
    const references = (container?.env ?? []).flatMap(({ valueFrom }) =>
      valueFrom?.secretKeyRef ? [valueFrom.secretKeyRef] : [],
    );
    expect(references.map((each) => each.name)).toEqual(
      references.map(() => `event-api-provision-${name}`),
    );
    const required = references.filter((each) => !('optional' in each)).map(({ key }) => key);
    expect(required).toEqual(['PROVISION_DATABASE_URL', 'DATABASE_LOGINS']);
    expect(keysOf(`event-api-provision-${name}`)).toEqual(required);
  });
});

describe('the network policies', () => {
  const pod = (labels: Record<string, string>): Pod => ({ labels, namespace: 'event-api' });
  const labelled = (name: string, role: string) =>
    pod({ 'app.kubernetes.io/name': name, 'event-api/role': role });
  const serverOf = (name: string) =>
    pod({ 'event-api/server': 'postgres', 'event-api/database': name });
  const connects = (from: Pod, to: Pod, port = 5432): boolean =>
    gateOf(platform, 'Egress', from)(to, { port, protocol: 'TCP' }) &&
    gateOf(platform, 'Ingress', to)(from, { port, protocol: 'TCP' });
  const reached = (from: Pod) => names.filter((name) => connects(from, serverOf(name)));

  test.each(names)('let %s, its migration and its provisioning reach its server alone', (name) => {
    expect(reached(labelled(name, 'process'))).toEqual([name]);
    expect(reached(labelled(`migrate-${name}`, 'migration'))).toEqual([name]);
    expect(reached(labelled(`provision-${name}`, 'provisioning'))).toEqual([name]);
    expect(reached(serverOf(name))).toEqual([name]);
  });

  test('let a new replica copy the primary, and the job of a restore read backups', () => {
    expect(reached(pod({ 'cnpg.io/jobRole': 'join' }))).toEqual(names);
    const recovery = gateOf(platform, 'Egress', pod({ 'cnpg.io/jobRole': 'full-recovery' }));
    expect(recovery({ address: '198.51.100.7' }, { port: 443, protocol: 'TCP' })).toBe(true);
    expect(recovery({ address: '169.254.169.254' }, { port: 443, protocol: 'TCP' })).toBe(false);
  });

  test('let the retention of the audit log reach all, and no other pod any', () => {
    expect(reached(labelled('audit-retention', 'migration'))).toEqual(names);
    expect(reached(labelled('operator', 'operator'))).toEqual([]);
    expect(reached(labelled('moon', 'process'))).toEqual([]);
    expect(reached(labelled('provision', 'provisioning'))).toEqual([]);
  });

  test('would let every process in without the exception for servers of one process', () => {
    const shared = platform.map((manifest) =>
      nameOf(manifest) === 'NetworkPolicy postgres'
        ? {
            ...manifest,
            spec: {
              ...manifest.spec,
              podSelector: { matchLabels: { 'event-api/server': 'postgres' } },
            },
          }
        : manifest,
    );
    const letsIn = gateOf(shared, 'Ingress', serverOf('catalog'));
    expect(letsIn(labelled('commerce', 'process'), { port: 5432, protocol: 'TCP' })).toBe(true);
  });
});

test('a rollout runs all provisioning before the migrations', () => {
  const text = [readRendered('production'), readRendered('servers-per-process')].join('---\n');
  const [first, second] = planRelease(splitManifests(text)).jobs.map((group) =>
    group.map(({ name }) => name.replace(/-[a-z0-9]{10}$/, '')).toSorted(),
  );
  expect(first).toEqual(['provision', ...names.map((name) => `provision-${name}`)].toSorted());
  expect(second).toEqual(names.map((name) => `migrate-${name}`).toSorted());
});
