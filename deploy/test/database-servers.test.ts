import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import { archiveSettings } from '@event-api/provisioning/backup/archive';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './image-tree.ts';
import { type Manifest, manifestsOf } from './manifests.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

type Parameters = Record<string, string>;

/** The settings `-c name=value` of a command. */
const parametersOf = (words: string[] = []): Parameters =>
  Object.fromEntries(words.filter((word) => word.includes('=')).map((word) => word.split('=')));

const ofCompose = (file: string) =>
  parametersOf(parse(read(file), { merge: true }).services.postgres.command);

const ofKind = () => {
  const server = manifestsOf('kind').find(
    ({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'postgres',
  );
  return parametersOf(server?.spec.template?.spec.containers[0]?.args);
};

/** The `Cluster` of CloudNativePG. */
const cluster = () => manifestsOf('production').find(({ kind }) => kind === 'Cluster')?.spec;
const ofProduction = (): Parameters => cluster()?.postgresql?.parameters ?? {};

const perProcess = 'deploy/compose/server-per-process.yaml';

/** The server of each process in Compose; all have the same settings. */
const ofEach = (): Parameters =>
  parametersOf(
    parse(read(perProcess).replaceAll('!override', ''), { merge: true })['x-postgres'].command,
  );

const servers: Record<string, Parameters> = {
  'docker-compose.yml': ofCompose('docker-compose.yml'),
  [perProcess]: ofEach(),
  'deploy/compose/servers.yaml': ofCompose('deploy/compose/servers.yaml'),
  kind: ofKind(),
  production: ofProduction(),
};

test.each(Object.entries(servers))(
  'PostgreSQL of %s logs no statements or rows',
  (name, parameters) => {
    expect(parameters).toMatchObject({
      log_min_error_statement: 'panic',
      log_error_verbosity: 'terse',
    });
    // The CSV format contains rows at any verbosity, so rejected statements must not be logged at
    // all.
    if (name === 'production') expect(parameters.log_min_messages).toBe('log');
  },
);

test('PostgreSQL in Compose archives its log to the folder of the backups, and both commands use its data', () => {
  const { postgres, backup, restore } = parse(read('docker-compose.yml'), { merge: true }).services;
  expect(servers['docker-compose.yml']).toMatchObject(archiveSettings('/run/backups'));
  expect(postgres.volumes).toContain('backups:/run/backups');
  for (const { entrypoint, volumes } of [backup, restore]) {
    expect(entrypoint).toContain('--backups=/run/backups');
    expect(entrypoint).toContain(`--data=${postgres.environment.PGDATA}`);
    expect(volumes.join()).toContain('postgres:/var/lib/postgresql');
    expect(volumes.join()).toContain('backups:/run/backups');
  }
});

test('PostgreSQL in production archives its log, and a backup of it is taken every night', () => {
  const manifests = manifestsOf('production');
  const specOf = (kind: string) => manifests.find((each) => each.kind === kind)?.spec;
  const store = manifests.find(({ kind }) => kind === 'ObjectStore')?.metadata.name;
  const [plugin] = cluster()?.plugins ?? [];
  expect(plugin).toMatchObject({ isWALArchiver: true, parameters: { barmanObjectName: store } });
  expect(specOf('ScheduledBackup')).toMatchObject({
    schedule: expect.stringMatching(/^0 \d+ \d+ \* \* \*$/),
    immediate: true,
    cluster: { name: 'postgres' },
    method: 'plugin',
    pluginConfiguration: { name: plugin?.name },
  });
  expect(cluster()?.inheritedMetadata?.labels).toEqual({ 'event-api/server': 'postgres' });
});

const mebibytes = (size: string): number => {
  const [, amount, unit = ''] = /^(\d+)(MB|GB|Mi|Gi)$/.exec(size) ?? [];
  return Number(amount) * (unit.startsWith('G') ? 1024 : 1);
};

type Cluster = Manifest['spec'];
const sizeOf = (size: string): Cluster =>
  parse(read(`deploy/kubernetes/components/postgres-${size}/cluster.yaml`)).spec;
const clusters: Record<string, Cluster | undefined> = {
  production: cluster(),
  'size S': sizeOf('s'),
  'size M': sizeOf('m'),
  'size L': sizeOf('l'),
};

describe.each(Object.entries(clusters))('PostgreSQL of %s', (_name, spec) => {
  const parameters = spec?.postgresql?.parameters ?? {};

  test('has memory for all connections beside its buffers, and as much reserved', () => {
    const { shared_buffers = '', effective_cache_size = '', max_connections } = parameters;
    const { requests, limits } = spec?.resources ?? {};
    const memory = mebibytes(limits?.memory ?? '');
    const connectionMebibytes = 6;
    const used = mebibytes(shared_buffers) + Number(max_connections) * connectionMebibytes;
    expect(used).toBeGreaterThan(0);
    expect(used).toBeLessThan(memory * 0.75);
    expect(mebibytes(effective_cache_size)).toBeLessThan(memory);
    expect(requests?.memory).toBe(limits?.memory);
  });

  test('has a volume for its log that holds more than a checkpoint', () => {
    expect(mebibytes(spec?.walStorage?.size ?? '')).toBeGreaterThan(
      mebibytes(parameters.max_wal_size ?? '') * 2,
    );
  });
});

test('the shared server of production has the size M', () => {
  const { storage, walStorage, postgresql, resources } = sizeOf('m');
  expect(cluster()).toMatchObject({ storage, walStorage, postgresql, resources });
});

describe('PostgreSQL in production', () => {
  test('acknowledges no write that only one instance has, and has one instance per zone', () => {
    const { instances, postgresql, topologySpreadConstraints } = cluster() ?? {};
    expect(postgresql?.synchronous).toMatchObject({
      number: 1,
      dataDurability: 'required',
      failoverQuorum: true,
    });
    expect(instances).toBe(3);
    expect(topologySpreadConstraints).toMatchObject([
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'DoNotSchedule',
      },
    ]);
  });
});

describe.each(['kind', 'production'])('PostgreSQL of overlay %s', (overlay) => {
  const manifests = manifestsOf(overlay);
  const find = (kind: string, name: string) =>
    manifests.find((each) => each.kind === kind && each.metadata.name === name)?.spec;
  /** Connections of migrations and operators, and those reserved by PostgreSQL and its operator. */
  const OTHERS = 20;
  /** Connection of the leader lock. */
  const LEADERSHIP = 1;

  function mostOf(name: string): number {
    const deployment = find('Deployment', name);
    const env = deployment?.template?.spec.containers[0]?.env ?? [];
    const pool = env.find((each) => each.name === 'DATABASE_POOL_MAX')?.value;
    const pods = find('HorizontalPodAutoscaler', name)?.maxReplicas;
    const surge = deployment?.strategy?.rollingUpdate?.maxSurge;
    return (Number(pods) + Number(surge)) * (Number(pool) + LEADERSHIP);
  }

  test('has enough connections for the maximum number of pods during a rollout', () => {
    const most = topology
      .map(({ name }) => mostOf(name))
      .reduce((sum, connections) => sum + connections, 0);
    expect(most).toBeGreaterThan(100);
    expect(most + OTHERS).toBeLessThanOrEqual(Number(servers[overlay]?.max_connections));
  });
});
