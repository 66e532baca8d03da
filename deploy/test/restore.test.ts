import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { splitManifests } from '../kubernetes/release.ts';
import { renderFolder } from '../kubernetes/render.ts';
import { parseArguments } from '../kubernetes/restore/arguments.ts';
import { nextName, type RenderedServer, serversIn } from '../kubernetes/restore/servers.ts';
import { root } from './image-tree.ts';
import { type Manifest, nameOf, parseManifests } from './manifests.ts';

const now = new Date('2026-12-04T12:00:00Z');
const processes = topology.map(({ name }) => name);
const program = join(root, 'deploy/kubernetes/restore/restore.ts');

/** A copy of deploy/kubernetes, in which the command writes. */
function createCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-restore-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, 'deploy/kubernetes'), folder, { recursive: true });
  const edit = (file: string, from: string | RegExp, to: string) => {
    const path = join(folder, 'overlays/production', file);
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(from);
    writeFileSync(path, text.replace(from, to));
  };
  return {
    edit,
    /** Instead of one server that all share. */
    usePerProcess: () => edit('kustomization.yaml', '- servers', '- servers-per-process'),
    run(...args: string[]) {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [program, ...args, '--folder', folder],
        { encoding: 'utf8' },
      );
      return { status, stdout, stderr };
    },
    /** The manifests of a folder of production. */
    manifests: (of: string): Manifest[] =>
      parseManifests(renderFolder(join(folder, 'overlays/production', of)) ?? ''),
  };
}

const hasKustomize = renderFolder(join(root, 'deploy/kubernetes/operator')) !== undefined;

// biome-ignore lint/suspicious/noExplicitAny: the tests compare parts of a Cluster that no type has.
const specOf = (manifests: readonly Manifest[], name: string): any =>
  manifests.find((each) => nameOf(each) === name)?.spec;

describe.runIf(hasKustomize)('a restored server', () => {
  const copy = createCopy();
  const before = copy.manifests('servers');
  let printed: string;
  let after: Manifest[];

  beforeAll(() => {
    const { status, stdout, stderr } = copy.run('production', '--to', '2026-11-04T11:58:00+01:00');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    printed = stdout;
    after = copy.manifests('servers');
  });

  test('is made from the backups of the present one, as of the wanted time', () => {
    const { bootstrap, externalClusters } = specOf(after, 'Cluster postgres-2');
    expect(bootstrap).toEqual({
      recovery: {
        source: 'postgres',
        recoveryTarget: { targetTime: '2026-11-04T10:58:00.000Z' },
      },
    });
    const parameters = { barmanObjectName: 'backups', serverName: 'postgres' };
    expect(externalClusters).toEqual([
      { name: 'postgres', plugin: { name: 'barman-cloud.cloudnative-pg.io', parameters } },
    ]);
  });

  test('archives to a folder of its own, and takes a backup at once', () => {
    const { plugins } = specOf(after, 'Cluster postgres-2');
    expect(plugins).toEqual([
      {
        name: 'barman-cloud.cloudnative-pg.io',
        isWALArchiver: true,
        parameters: { barmanObjectName: 'backups', serverName: 'postgres-2' },
      },
    ]);
    expect(specOf(after, 'ScheduledBackup nightly-2')).toMatchObject({
      cluster: { name: 'postgres-2' },
      immediate: true,
    });
  });

  test('has one instance per zone, and is otherwise the present one', () => {
    const {
      bootstrap: _,
      externalClusters: __,
      plugins: ___,
      ...rest
    } = specOf(after, 'Cluster postgres-2');
    const [spread] = rest.topologySpreadConstraints;
    expect(spread.labelSelector).toEqual({ matchLabels: { 'cnpg.io/cluster': 'postgres-2' } });
    const { plugins: ____, ...present } = specOf(before, 'Cluster postgres');
    spread.labelSelector.matchLabels['cnpg.io/cluster'] = 'postgres';
    expect(rest).toEqual(present);
  });

  test('is the only change of the manifests', () => {
    const names = (manifests: readonly Manifest[]) =>
      manifests.map((each) => nameOf(each).replace(/^(Cluster \w+|ScheduledBackup \w+)-2$/, '$1'));
    expect(names(after).toSorted()).toEqual(names(before).toSorted());
  });

  test('gets the processes by their Secrets, as the printed commands say', () => {
    expect(printed).toContain('kubectl apply -k deploy/kubernetes/overlays/production/servers\n');
    expect(printed).toContain(
      "npm run -s secrets -- create --postgres 'postgres://postgres@postgres-2-rw:5432/app'\n",
    );
  });

  test('is restored again into a third one, from its own folder or from that of the first', () => {
    copy.run('production');
    const third = copy.manifests('servers');
    expect(specOf(third, 'Cluster postgres-2')).toBeUndefined();
    const { bootstrap, externalClusters, plugins } = specOf(third, 'Cluster postgres-3');
    expect(bootstrap).toEqual({ recovery: { source: 'postgres-2' } });
    expect(externalClusters[0].plugin.parameters.serverName).toBe('postgres-2');
    expect(plugins[0].parameters.serverName).toBe('postgres-3');
    copy.run('production', '--from', 'postgres');
    expect(
      specOf(copy.manifests('servers'), 'Cluster postgres-4').externalClusters[0].plugin.parameters,
    ).toEqual({ barmanObjectName: 'backups', serverName: 'postgres' });
  });
});

describe.runIf(hasKustomize)('the restored server of one process', () => {
  const copy = createCopy();
  copy.usePerProcess();
  const read = () => copy.manifests('servers-per-process');
  const before = read();

  test('leaves those of the others as they are', () => {
    expect(copy.run('production', 'registration')).toMatchObject({ status: 0, stderr: '' });
    const after = read();
    const cluster = specOf(after, 'Cluster postgres-registration-2');
    expect(cluster.bootstrap).toEqual({ recovery: { source: 'postgres-registration' } });
    expect(cluster.superuserSecret).toEqual({ name: 'event-api-postgres-registration' });
    // By which the network policies of the process find it.
    expect(cluster.inheritedMetadata.labels).toMatchObject({
      'event-api/database': 'registration',
    });
    expect(specOf(after, 'ScheduledBackup nightly-registration-2').cluster).toEqual({
      name: 'postgres-registration-2',
    });
    const others = (manifests: readonly Manifest[]) =>
      manifests.filter((each) => !/ (nightly|postgres)-registration(-2)?$/.test(nameOf(each)));
    expect(others(after)).toEqual(others(before));
  });

  test('has the size of its component', () => {
    copy.edit(
      'servers-per-process/kustomization.yaml',
      '- ../site',
      '- ../../../components/postgres-l',
    );
    const { storage, postgresql } = specOf(read(), 'Cluster postgres-registration-2');
    expect(storage).toEqual({ size: '500Gi' });
    expect(postgresql.parameters.max_connections).toBe('1000');
    copy.edit(
      'servers-per-process/kustomization.yaml',
      '- ../../../components/postgres-l',
      '- ../site',
    );
  });

  test('stays, when that of another process is restored', () => {
    expect(copy.run('production', 'commerce')).toMatchObject({ status: 0 });
    const names = read().map(nameOf);
    expect(names).toContain('Cluster postgres-registration-2');
    expect(names).toContain('Cluster postgres-commerce-2');
  });

  test('and those of all processes, for the loss of a region', () => {
    const { status, stdout } = copy.run('production', 'each');
    expect(status).toBe(0);
    const clusters = read().filter(({ kind }) => kind === 'Cluster');
    const numberOf = (name: string) => (['registration', 'commerce'].includes(name) ? 3 : 2);
    expect(clusters.map(nameOf).toSorted()).toEqual(
      processes.map((name) => `Cluster postgres-${name}-${numberOf(name)}`).toSorted(),
    );
    for (const name of processes)
      expect(stdout).toContain(
        `--postgres-of '${name}=postgres://postgres@postgres-${name}-${numberOf(name)}-rw:5432/app'`,
      );
  });
});

describe.runIf(hasKustomize)('with TLS', () => {
  const copy = createCopy();

  test('a restored server has a certificate with its own name, of the same authority', () => {
    copy.edit('site/kustomization.yaml', /# (?=components: \[.*\/tls\])/, '');
    const { stdout } = copy.run('production');
    const manifests = copy.manifests('servers');
    expect(specOf(manifests, 'Cluster postgres-2').certificates).toEqual({
      serverTLSSecret: 'postgres-2-tls',
      serverCASecret: 'postgres-2-tls',
    });
    expect(specOf(manifests, 'Certificate postgres-2')).toMatchObject({
      secretName: 'postgres-2-tls',
      dnsNames: ['postgres-2-rw', 'postgres-2-rw.event-api', 'postgres-2-rw.event-api.svc'],
      issuerRef: { name: 'event-api-authority' },
    });
    expect(stdout).toContain(
      'postgres-2-rw:5432/app?sslmode=verify-full&sslrootcert=/run/event-api/authorities/postgres.crt',
    );
  });
});

describe.runIf(hasKustomize)('the command changes nothing and names', () => {
  const copy = createCopy();
  const before = copy.manifests('servers');

  test.each([
    [['moon'], 'there is no overlay moon'],
    [['production', 'registration'], 'registration has no server of its own in production'],
    [['production', 'each'], 'no process of production has its own server'],
    [['production', '--to', '2026-12-04T11:58:00'], '--to must be a time with a zone'],
    [['kind'], 'has no PostgreSQL servers'],
  ])('the mistake in %j', (args, message) => {
    const { status, stderr } = copy.run(...args);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
    expect(copy.manifests('servers')).toEqual(before);
  });
});

test.each([
  [[], 'npm run -s restore'],
  [['production', '--to', 'yesterday'], '--to must be a time with a zone'],
  [['production', '--to', '2026-12-04T12:00:01Z'], '--to must be in the past'],
  [['production', 'each', '--from', 'postgres'], 'restore one at a time'],
  [['production', '--from', '../x'], 'is no folder of a server'],
  [['../production'], 'is no overlay'],
  [['production', '--moon'], 'Unknown option'],
])('the arguments %j are rejected', (args, message) => {
  expect(() => parseArguments(args, now)).toThrow(message);
});

test('the arguments name an overlay, processes, a time and a folder', () => {
  const args = ['production', 'onsite', '--to', '2026-12-04T11:58Z', '--from', 'postgres-onsite'];
  expect(parseArguments(args, now)).toEqual({
    overlay: 'production',
    processes: ['onsite'],
    to: new Date('2026-12-04T11:58:00Z'),
    from: 'postgres-onsite',
    folder: undefined,
  });
});

test.each([
  ['postgres', 'postgres', 'postgres-2'],
  ['postgres', 'postgres-2', 'postgres-3'],
  ['postgres-onsite', 'postgres-onsite', 'postgres-onsite-2'],
  ['postgres-onsite', 'postgres-onsite-9', 'postgres-onsite-10'],
  ['postgres', 'postgres-of-tuesday', 'postgres-2'],
])('the server %s, now %s, becomes %s', (baseName, name, next) => {
  expect(nextName({ baseName, name } as RenderedServer)).toBe(next);
});

test('the archive of a server is that of its archiver, and not that which it was restored from', () => {
  const text = [
    'apiVersion: postgresql.cnpg.io/v1',
    'kind: Cluster',
    'metadata:',
    '  name: postgres-2',
    'spec:',
    '  externalClusters:',
    '  - name: postgres',
    '    plugin:',
    '      parameters:',
    '        barmanObjectName: backups',
    '        serverName: postgres',
    '  plugins:',
    '  - isWALArchiver: true',
    '    parameters:',
    '      barmanObjectName: elsewhere',
    '      serverName: postgres-of-tuesday',
    '',
  ].join('\n');
  expect(serversIn(splitManifests(text))).toEqual([
    {
      process: undefined,
      baseName: 'postgres',
      name: 'postgres-2',
      archive: 'postgres-of-tuesday',
      objectStore: 'elsewhere',
      hasCertificate: false,
    },
  ]);
});
