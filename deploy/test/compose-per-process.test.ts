import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { topology } from '@event-api/contracts/topology';
import { archiveSettings } from '@event-api/provisioning/backup/archive';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { initialise } from '../compose/init.ts';
import { root } from './image-tree.ts';

interface Service {
  command?: string[];
  entrypoint?: string[];
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
  profiles?: string[];
  mem_limit?: string;
  pids_limit?: number;
  cap_drop?: string[];
  security_opt?: string[];
  ports?: string[];
  user?: string;
  volumes?: (string | { source: string; target: string; volume?: { subpath?: string } })[];
}
type Services = Record<string, Service>;

const file = 'deploy/compose/server-per-process.yaml';
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const names = topology.map(({ name }) => name);

/** The keys of a service whose value replaces that of the first file. */
function replacedKeys(text: string): Map<string, string[]> {
  let service = '';
  const found = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    service = /^ {2}([\w-]+):/.exec(line)?.[1] ?? service;
    const [, key] = /^ {4}(\w+): !override/.exec(line) ?? [];
    if (key) found.set(service, [...(found.get(service) ?? []), key]);
  }
  return found;
}

/** Merges the files as Compose does, as far as these files need it. */
function merged(): Services {
  const text = read(file);
  const overridden = replacedKeys(text);
  const override: Services = parse(text.replaceAll('!override', ''), { merge: true }).services;
  const base: Services = parse(read('docker-compose.yml'), { merge: true }).services;
  const all: Services = { ...base };
  for (const [name, service] of Object.entries(override)) {
    const before = base[name];
    const result: Service = { ...before, ...service };
    const replaces = (key: string) => overridden.get(name)?.includes(key) === true;
    for (const key of ['depends_on', 'environment'] as const)
      if (before?.[key] && service[key] && !replaces(key))
        Object.assign(result, { [key]: { ...before[key], ...service[key] } });
    if (before?.profiles && service.profiles && !replaces('profiles'))
      result.profiles = [...before.profiles, ...service.profiles];
    all[name] = result;
  }
  return all;
}

const services = merged();
const own: Services = parse(read(file).replaceAll('!override', ''), { merge: true }).services;
const folder = mkdtempSync(join(tmpdir(), 'event-api-compose-each-'));
initialise(folder, (own.init?.environment?.POSTGRES_OF ?? '').split(' '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const envOf = (reader: string) =>
  parseEnv(readFileSync(join(folder, reader, 'process.env'), 'utf8'));

const isInactive = ({ profiles }: Service) => profiles?.includes('one-server') === true;

describe(file, () => {
  test('is valid against the Compose schema', () => {
    const schema = JSON.parse(read('deploy/test/schemas/compose-spec.json'));
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    const validate = ajv.compile({ ...schema, $schema: undefined });
    validate(parse(read(file).replaceAll('!override', ''), { merge: true, uniqueKeys: true }));
    expect(validate.errors).toBeNull();
  });

  test('starts nothing of the one server, and nothing that is started waits for it', () => {
    const inactive = Object.keys(services).filter((name) => isInactive(services[name] ?? {}));
    expect(inactive).toEqual(['postgres', 'backup-schedule', 'backup', 'restore']);
    const waiting = Object.entries(services).filter(
      ([name, { depends_on = {} }]) =>
        !inactive.includes(name) && inactive.some((other) => other in depends_on),
    );
    expect(waiting.map(([name]) => name)).toEqual([]);
  });

  test('has no missing and no circular dependencies', () => {
    const remaining = new Set(Object.keys(services));
    for (let before = -1; before !== remaining.size; ) {
      before = remaining.size;
      for (const name of [...remaining]) {
        const needs = Object.keys(services[name]?.depends_on ?? {});
        if (needs.every((need) => need in services && !remaining.has(need))) remaining.delete(name);
      }
    }
    expect([...remaining]).toEqual([]);
  });

  test('limits every container and drops its capabilities, and publishes no port', () => {
    const added = Object.entries(own).filter(([name]) =>
      /^(postgres|provision|backup|restore)-/.test(name),
    );
    // backup-schedule is that of the one server.
    const containers = added.filter(([name]) => name !== 'backup-schedule');
    expect(containers).toHaveLength(4 * names.length);
    for (const [name, each] of containers) {
      expect([name, each]).toEqual([
        name,
        expect.objectContaining({
          mem_limit: expect.any(String),
          pids_limit: expect.any(Number),
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
        }),
      ]);
      expect(each.ports).toBeUndefined();
    }
  });
});

describe.each(names)('the server of %s in Compose', (name) => {
  const server = services[`postgres-${name}`];
  const backup = services[`backup-${name}`];
  const restore = services[`restore-${name}`];
  const subpathOf = (service: Service | undefined): string | undefined =>
    service?.volumes?.flatMap((volume) =>
      typeof volume === 'string' ? [] : [volume.volume?.subpath],
    )[0];

  test('has its own superuser and volume, and the process its address', () => {
    expect(subpathOf(server)).toBe(`postgres-${name}`);
    expect(existsSync(join(folder, `postgres-${name}`, 'password'))).toBe(true);
    expect(server?.volumes).toContain(`postgres-${name}:/var/lib/postgresql`);
    expect(new URL(envOf(name).DATABASE_URL ?? '').hostname).toBe(`postgres-${name}`);
    const password = readFileSync(join(folder, `postgres-${name}`, 'password'), 'utf8');
    expect(new URL(envOf(`provision-${name}`).PROVISION_DATABASE_URL ?? '').password).toBe(
      password,
    );
  });

  test('is provisioned before the migration of the process', () => {
    expect(subpathOf(services[`provision-${name}`])).toBe(`provision-${name}`);
    expect(services[`migrate-${name}`]?.depends_on).toMatchObject({
      [`provision-${name}`]: { condition: 'service_completed_successfully' },
    });
  });

  test('archives its log to the folder of its backups, and both commands use its data', () => {
    const settings = Object.fromEntries(
      (server?.command ?? [])
        .filter((word) => word.includes('='))
        .map((word) => word.replaceAll('$$', '$').split(/=(.*)/s, 2)),
    );
    // The shell of the server replaces the variable.
    const text = JSON.stringify(archiveSettings('/run/backups/SERVER'));
    expect(settings).toMatchObject(JSON.parse(text.replaceAll('SERVER', '$SERVER')));
    expect(server?.environment?.SERVER).toBe(name);
    for (const service of [backup, restore]) {
      expect(service?.entrypoint).toContain(`--backups=/run/backups/${name}`);
      expect(service?.entrypoint).toContain(`--data=${server?.environment?.PGDATA}`);
      expect(service?.volumes?.join()).toContain(`postgres-${name}:/var/lib/postgresql`);
      expect(service?.user).toBe('999:999');
    }
    expect(subpathOf(backup)).toBe(`provision-${name}`);
    expect(backup?.command?.[0]).toBe('schedule');
  });

  test('has connections for its process', () => {
    const [, most] = /max_connections=(\d+)/.exec(server?.command?.join(' ') ?? '') ?? [];
    const { DATABASE_POOL_MAX = '10' } = services[name]?.environment ?? {};
    expect(Number(most)).toBeGreaterThanOrEqual(Number(DATABASE_POOL_MAX) + 1 + 20);
  });
});
