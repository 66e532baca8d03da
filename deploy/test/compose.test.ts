import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { sandboxClientId } from '@event-api/contracts/identity-sandbox';
import { processOfUrlSetting, topology } from '@event-api/contracts/topology';
import { parseTimeOfDay } from '@event-api/provisioning/backup/schedule';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { initialise } from '../compose/init.ts';
import { busUsers } from '../servers/nats.ts';
import { imageOf, root } from './image-tree.ts';
import { settingsOf } from './settings.ts';

interface Service {
  build?: { dockerfile: string; target?: string; args?: Record<string, string> };
  command?: string[];
  entrypoint?: string[];
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
  image?: string;
  ports?: string[];
  profiles?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  cpus?: number;
  pids_limit?: number;
  user?: string;
  healthcheck?: unknown;
  volumes?: (string | { source: string; target: string; volume?: { subpath?: string } })[];
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const load = (file: string): { services: Record<string, Service>; volumes?: object } =>
  parse(read(file), { merge: true, strict: true, uniqueKeys: true });

const { services } = load('docker-compose.yml');
const folder = mkdtempSync(join(tmpdir(), 'event-api-compose-'));
initialise(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(['docker-compose.yml', 'deploy/compose/servers.yaml'])('%s', (file) => {
  const schema = JSON.parse(read('deploy/test/schemas/compose-spec.json'));

  test('is valid against the Compose schema', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    const validate = ajv.compile({ ...schema, $schema: undefined });
    validate(load(file));
    expect(validate.errors).toBeNull();
    expect(validate({ services: { one: { image: 'x', comand: [] } } })).toBe(false);
  });

  test('publishes ports on 127.0.0.1 only', () => {
    const ports = Object.values(load(file).services).flatMap(({ ports = [] }) => ports);
    expect(ports.length).toBeGreaterThan(0);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test('drops the capabilities of every container', () => {
    const servers = Object.entries(load(file).services);
    const elevating = servers.filter(
      ([, { security_opt }]) => !security_opt?.includes('no-new-privileges:true'),
    );
    expect(elevating.map(([name]) => name)).toEqual([]);
    // The observability image starts many programs, which are not supported without capabilities.
    const privileged = servers.filter(
      ([name, { cap_drop }]) => name !== 'observability' && cap_drop?.join() !== 'ALL',
    );
    expect(privileged.map(([name]) => name)).toEqual([]);
    expect(servers.flatMap(([name, { cap_add = [] }]) => (cap_add.length ? [name] : []))).toEqual([
      'postgres',
    ]);
  });

  test('limits the memory and the processes of every container, and the CPU of those that are no server', () => {
    const all = Object.entries(load(file).services);
    const unlimited = all.filter(([, { mem_limit, pids_limit }]) => !mem_limit || !pids_limit);
    expect(unlimited.map(([name]) => name)).toEqual([]);
    const ofAnyCpu = all.flatMap(([name, { cpus }]) => (cpus === undefined ? [name] : []));
    const servers = ['postgres', 'nats', 'redis'];
    const loadGenerator = file === 'docker-compose.yml' ? ['k6'] : [];
    expect(ofAnyCpu).toEqual([...servers, ...loadGenerator]);
  });
});

describe('docker-compose.yml', () => {
  test('has no missing and no circular dependencies', () => {
    const started = new Set<string>();
    const remaining = new Set(Object.keys(services));
    for (let progress = true; progress; ) {
      progress = false;
      for (const name of remaining) {
        const needs = Object.keys(services[name]?.depends_on ?? {});
        if (needs.every((need) => started.has(need))) {
          started.add(name);
          remaining.delete(name);
          progress = true;
        }
      }
    }
    expect([...remaining]).toEqual([]);
  });

  test('waits for the health only of services with a health check', () => {
    const waits = Object.values(services).flatMap(({ depends_on = {} }) =>
      Object.entries(depends_on).filter(([, { condition }]) => condition === 'service_healthy'),
    );
    const unhealthy = waits.filter(([name]) => {
      // The image of a process contains its health check.
      return services[name]?.healthcheck === undefined && !services[name]?.build?.args;
    });
    expect(waits.length).toBeGreaterThan(5);
    expect(unhealthy).toEqual([]);
  });

  test('starts everything but tools, dashboards and load without a profile', () => {
    const optional = Object.entries(services).filter(([, { profiles }]) => profiles);
    expect(optional.map(([name]) => name).toSorted()).toEqual([
      'admin',
      'backup',
      'k6',
      'load-check',
      'load-prepare',
      'observability',
      'restore',
      'retention',
    ]);
  });

  test.each(topology)(
    'sets only existing settings of $name, and no address that has a default',
    (each) => {
      const service = services[each.name];
      const secret = parseEnv(readFileSync(join(folder, each.name, 'process.env'), 'utf8'));
      const configured = Object.keys({ ...service?.environment, ...secret });
      expect(configured).toEqual(expect.arrayContaining(['DATABASE_URL', 'CALLER_PRIVATE_KEY']));
      expect(configured.filter(processOfUrlSetting)).toEqual([]);
      const supported = settingsOf(each);
      expect(configured.filter((name) => !supported.has(name))).toEqual([]);
    },
  );

  test.each(topology)('starts the processes that $name calls as a client before it', (each) => {
    const waits = Object.keys(services[each.name]?.depends_on ?? {});
    expect(waits).toEqual(expect.arrayContaining([...each.callsApi]));
  });

  test.each(topology)(
    'migrates $name before it starts, as the role that owns its schema',
    (each) => {
      const job = services[`migrate-${each.name}`];
      expect(services[each.name]?.depends_on?.[`migrate-${each.name}`]?.condition).toBe(
        'service_completed_successfully',
      );
      expect(job?.command).toContain('src/migrate.ts');
      expect(job?.command).toContain(`--env-file=/run/event-api/${each.name}-owner/process.env`);
      const file = join(folder, `${each.name}-owner/process.env`);
      const owner = parseEnv(readFileSync(file, 'utf8'));
      expect(URL.parse(owner.MIGRATION_DATABASE_URL ?? '')?.username).toBe(`${each.name}_owner`);
    },
  );

  test.each([
    ...topology,
    { name: 'payment-sandbox', folder: 'payment-sandbox' },
    { name: 'identity-sandbox', folder: 'identity-sandbox' },
  ])('builds the image of $name once, also for its migration', ({ name, folder }) => {
    const { args, target } = imageOf(name, folder);
    const using = Object.entries(services).filter(
      ([service]) => service.replace(/^migrate-/, '') === name,
    );
    expect(using.length).toBeGreaterThan(0);
    for (const [, { image, build }] of using) {
      expect(image).toBe(`event-api-${name}:\${TAG:-local}`);
      expect(build).toMatchObject({ dockerfile: 'deploy/Dockerfile', args });
      expect(build?.target ?? 'process').toBe(target);
    }
  });

  test('signs in demo operators with one click, at the identity sandbox', () => {
    const { console, 'identity-sandbox': sandbox } = services;
    expect(console?.environment).toMatchObject({
      DEMO_SIGN_INS: '1',
      NODE_ENV: 'development',
      OIDC_ISSUER: sandbox?.environment?.ISSUER_URL,
      OIDC_CLIENT_ID: sandboxClientId,
    });
    const { CONSOLE_URL } = console?.environment ?? {};
    expect(sandbox?.environment?.REDIRECT_URL).toBe(`${CONSOLE_URL}/api/sign-in/callback`);
    const secretOf = (name: string) =>
      parseEnv(readFileSync(join(folder, name, 'process.env'), 'utf8'));
    expect(secretOf('identity-sandbox').CLIENT_SECRET).toBe(secretOf('console').OIDC_CLIENT_SECRET);
  });

  test('takes a backup every night in the way of the backup that an operator takes', () => {
    const { 'backup-schedule': schedule, backup } = services;
    const [command, ...options] = (schedule?.command ?? []).map((each) =>
      each.replace(/\$\{\w+:-(.*)\}/, '$1'),
    );
    expect(command).toBe('schedule');
    const at = options.find((option) => option.startsWith('--at='))?.slice('--at='.length);
    expect(parseTimeOfDay(at ?? '')).toBeGreaterThan(0);
    expect(schedule?.profiles).toBeUndefined();
    expect(schedule?.entrypoint).toEqual(backup?.entrypoint);
    expect(schedule?.volumes).toEqual(backup?.volumes);
    expect(schedule?.user).toBe(backup?.user);
    expect(schedule?.healthcheck).toBeDefined();
  });

  test('deletes old audit entries as the role that acts as every owner, and only by a setting', () => {
    const { retention } = services;
    expect(retention?.command).toContain('--env-file=/run/event-api/owner/process.env');
    const owner = parseEnv(readFileSync(join(folder, 'owner/process.env'), 'utf8'));
    expect(URL.parse(owner.MIGRATION_DATABASE_URL ?? '')?.username).toBe('event_api_owner');
    expect(retention?.environment?.AUDIT_RETENTION_DAYS).toMatch(/^\$\{AUDIT_RETENTION_DAYS:-\}$/);
  });

  test('runs everything else of this repository from the image of the tools', () => {
    const others = Object.entries(services).filter(([, { build }]) => build && !build.args);
    expect(others.map(([name]) => name).toSorted()).toEqual([
      'admin',
      'backup',
      'backup-schedule',
      'init',
      'load-check',
      'load-prepare',
      'provision',
      'restore',
      'retention',
    ]);
    expect(others.filter(([, { build }]) => build?.target !== 'tools')).toEqual([]);
  });

  test('mounts the secrets of a container only, except in init, which creates all', () => {
    const whole = Object.entries(services).filter(([, { volumes = [] }]) =>
      volumes.some((volume) =>
        typeof volume === 'string' ? volume.startsWith('secrets:') : !volume.volume?.subpath,
      ),
    );
    expect(whole.map(([name]) => name)).toEqual(['init']);
    const seen = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.flatMap((volume) =>
        typeof volume === 'string' ? [] : [volume.volume?.subpath ?? ''],
      ),
    );
    expect(seen.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  });

  test('runs the containers of the platform without capabilities, read-only', () => {
    const own = Object.values(services).filter(({ build }) => build);
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter((each) => !each.read_only || each.cap_drop?.[0] !== 'ALL')).toEqual([]);
  });

  test('mounts only files that exist', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.flatMap((volume) =>
        typeof volume === 'string' && volume.startsWith('./') ? [volume.split(':')[0] ?? ''] : [],
      ),
    );
    expect(mounted.length).toBeGreaterThan(0);
    expect(mounted.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('initialise', () => {
  test('changes no file of an earlier run', () => {
    const files = [
      'admin/caller-keys.json',
      'catalog/process.env',
      'nats/nats.conf',
      'postgres/password',
    ];
    const before = files.map((file) => readFileSync(join(folder, file), 'utf8'));
    initialise(folder);
    expect(files.map((file) => readFileSync(join(folder, file), 'utf8'))).toEqual(before);
  });

  test('makes the folder with all secrets readable by its owner only', () => {
    expect(statSync(join(folder, 'store')).mode & 0o077).toBe(0);
    expect(statSync(join(folder, 'store/secrets.json')).mode & 0o077).toBe(0);
  });

  test('gives operators their own key and no other', () => {
    const keys = JSON.parse(readFileSync(join(folder, 'admin/caller-keys.json'), 'utf8'));
    expect(Object.keys(keys)).toEqual(['admin']);
  });

  test('gives each process a different key, role and password', () => {
    const envs = topology.map(({ name }) =>
      parseEnv(readFileSync(join(folder, name, 'process.env'), 'utf8')),
    );
    for (const setting of ['CALLER_PRIVATE_KEY', 'DATABASE_URL']) {
      expect(new Set(envs.map((env) => env[setting])).size).toBe(topology.length);
    }
    expect(new Set(envs.flatMap((env) => env.NATS_URL ?? [])).size).toBe(busUsers.length);
  });
});
