import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { overlays } from '../kubernetes/render.ts';
import { credentialNames } from '../secrets/credentials.ts';
import type { SecretManifest } from '../secrets/manifests.ts';
import {
  createSecrets,
  listSecrets,
  printSecrets,
  provideSecret,
  rotateSecrets,
} from '../secrets/secrets.commands.ts';
import { manifestsOf } from './manifests.ts';

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-secrets-'));
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const storeIn = (folder: string) => readFileSync(join(folder, 'secrets.json'), 'utf8');
const printed = (folder: string) => JSON.stringify(printSecrets(folder, []));

/** The decoded data of the Secrets by name. */
const dataOf = (secrets: readonly SecretManifest[]): Record<string, Record<string, string>> =>
  Object.fromEntries(
    secrets.map(({ metadata, data }) => [
      metadata.name,
      Object.fromEntries(
        Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
      ),
    ]),
  );

interface SecretReference {
  name: string;
  /** Undefined: the whole Secret is mounted. */
  key?: string;
}

/** Every Secret that these manifests refer to, in any place. */
function referencesIn(manifests: unknown): SecretReference[] {
  const found: SecretReference[] = [];
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const { secretKeyRef, secretRef, secret, secretName, ...rest } = value as Partial<
      Record<string, unknown> & {
        secretKeyRef: SecretReference;
        secretRef: SecretReference;
        secret: { secretName?: string; name?: string; items?: { key: string }[] };
        secretName: string;
      }
    >;
    if (secretKeyRef) found.push(secretKeyRef);
    if (secretRef) found.push(secretRef);
    for (const name of [secretName, secret?.secretName]) if (name) found.push({ name });
    for (const { key } of secret?.items ?? []) found.push({ name: secret?.name ?? '', key });
    for (const child of Object.values(rest)) visit(child);
  };
  visit(manifests);
  return found;
}

/** Certificates come from cert-manager, from the organization's own authority or from Apple. */
const issuedElsewhere = [
  'event-api-tls',
  'event-api-oidc',
  'event-api-wallet',
  'event-console-tls',
];

describe.each(overlays)('the secrets of overlay %s', (overlay) => {
  let secrets: SecretManifest[];
  beforeAll(() => {
    const folder = newFolder();
    createSecrets(folder, { paymentProvider: overlay === 'kind' ? 'sandbox' : 'stripe' });
    if (overlay === 'production') {
      provideSecret(folder, 'STRIPE_SECRET_KEY', 'sk_of_stripe');
      provideSecret(folder, 'STRIPE_WEBHOOK_SECRETS', 'whsec_of_stripe');
    }
    // During a rotation a Secret has its optional keys.
    rotateSecrets(folder, 'accept', ['all']);
    rotateSecrets(folder, 'use', ['all']);
    secrets = printSecrets(folder, []);
  });

  test('contain every key that a manifest refers to', () => {
    const data = dataOf(secrets);
    const references = referencesIn(manifestsOf(overlay)).filter(
      ({ name }) => !issuedElsewhere.includes(name),
    );
    expect(references.length).toBeGreaterThan(20);
    expect(
      references.filter(({ name, key }) =>
        key === undefined ? data[name] === undefined : !data[name]?.[key],
      ),
    ).toEqual([]);
  });
});

test('the check finds a reference in every place of a manifest', () => {
  const places = {
    env: [{ valueFrom: { secretKeyRef: { name: 'one', key: 'A' } } }],
    envFrom: [{ secretRef: { name: 'two' } }],
    volumes: [
      { secret: { secretName: 'three' } },
      { projected: { sources: [{ secret: { name: 'four', items: [{ key: 'B' }] } }] } },
    ],
    tls: [{ secretName: 'five' }],
  };
  const names = referencesIn(places).map(({ name, key }) => [name, key]);
  expect(names).toEqual([
    ['one', 'A'],
    ['two', undefined],
    ['three', undefined],
    ['four', 'B'],
    ['five', undefined],
  ]);
});

describe('the secrets command', () => {
  test('creates missing secrets and keeps existing ones', () => {
    const folder = newFolder();
    createSecrets(folder, { paymentProvider: 'sandbox' });
    const first = printed(folder);
    createSecrets(folder, {});
    expect(printed(folder)).toBe(first);

    const store = JSON.parse(storeIn(folder));
    delete store.credentials['onsite/database'];
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify(store));
    createSecrets(folder, {});
    const again = JSON.parse(storeIn(folder));
    expect(again.credentials['onsite/database']).toBeDefined();
    expect(again.credentials).toMatchObject(store.credentials);
  });

  test('stores them in a file that only its owner can read', () => {
    const folder = newFolder();
    createSecrets(folder, {});
    expect(statSync(join(folder, 'secrets.json')).mode & 0o077).toBe(0);
  });

  test('gives each process its own secrets and none of another one', () => {
    const folder = newFolder();
    createSecrets(folder, { paymentProvider: 'sandbox' });
    const data = dataOf(printSecrets(folder, []));
    const { credentials } = JSON.parse(storeIn(folder));
    const secretOf = (name: string): string => {
      const { secret } = credentials[name].value;
      return name.endsWith('/caller-key') ? JSON.parse(secret).d : secret;
    };
    const names = topology.map(({ name }) => name);
    const readers = [...names, ...names.map((name) => `${name}-owner`), 'owner', 'admin'];
    for (const reader of readers) {
      const own = JSON.stringify(data[`event-api-${reader}`]);
      const found = credentialNames.filter((name) => own.includes(secretOf(name)));
      expect(found.length, reader).toBeGreaterThan(0);
      expect(found.map((name) => name.split('/')[0])).toEqual(found.map(() => reader));
    }
    expect(JSON.stringify(data['event-api-callers'])).not.toContain('\\"d\\"');
    const passwords = Object.keys(credentials).map(secretOf);
    expect(new Set(passwords).size).toBe(passwords.length);
  });

  test('prints nothing while a value of Stripe is missing, and says which', () => {
    const folder = newFolder();
    createSecrets(folder, {});
    provideSecret(folder, 'STRIPE_SECRET_KEY', 'sk_of_stripe');
    expect(() => printSecrets(folder, [])).toThrow('lacks STRIPE_WEBHOOK_SECRETS');
    expect(printSecrets(folder, ['catalog', 'callers'])).toHaveLength(2);
  });

  test('changes no credential if a step of one is out of order', () => {
    const folder = newFolder();
    createSecrets(folder, {});
    rotateSecrets(folder, 'accept', ['catalog/database']);
    const before = storeIn(folder);
    expect(() => rotateSecrets(folder, 'use', ['catalog'])).toThrow(
      'catalog/caller-key: accept must be rolled out before use',
    );
    expect(storeIn(folder)).toBe(before);
  });

  test('repeats a step without another secret', () => {
    const folder = newFolder();
    createSecrets(folder, {});
    expect(rotateSecrets(folder, 'accept', ['all']).toSorted()).toEqual(
      [...credentialNames].toSorted(),
    );
    const before = storeIn(folder);
    expect(rotateSecrets(folder, 'accept', ['all'])).toEqual([]);
    expect(storeIn(folder)).toBe(before);
  });

  test.each([
    [() => printSecrets(newFolder(), []), 'contains no secrets'],
    [() => rotateSecrets(newFolder(), 'accept', ['moon']), 'moon names no credential'],
    [() => provideSecret(newFolder(), 'DATABASE_URL', 'x'), 'DATABASE_URL is generated'],
  ])('rejects a mistake %#', (act, message) => {
    expect(act).toThrow(message);
  });
});

describe('with a PostgreSQL server for some processes', () => {
  const own = 'postgres://root@pg-commerce:6432/shop?sslmode=verify-full';
  const each = 'each=postgres://postgres@postgres-{process}/app';
  const createWith = (...postgresOf: string[]) => {
    const folder = newFolder();
    createSecrets(folder, { paymentProvider: 'sandbox', postgresOf });
    return folder;
  };
  const read = (folder: string) => dataOf(printSecrets(folder, []));
  const at = (url: string | undefined) => {
    const { host, pathname, search, username } = new URL(url ?? '');
    return `${username} at ${host}${pathname}${search}`;
  };
  const loginsOf = (secret: Record<string, string> | undefined): Record<string, string | null> =>
    JSON.parse(secret?.DATABASE_LOGINS ?? '{}');
  const valid = (logins: Record<string, string | null>) =>
    Object.keys(logins).filter((login) => logins[login] !== null);

  test('gives the process, its owner and its superuser the address of their server', () => {
    const data = read(createWith(`commerce=${own}`));
    const here = 'pg-commerce:6432/shop?sslmode=verify-full';
    expect(at(data['event-api-commerce']?.DATABASE_URL)).toBe(`commerce_app at ${here}`);
    expect(at(data['event-api-commerce-owner']?.MIGRATION_DATABASE_URL)).toBe(
      `commerce_owner at ${here}`,
    );
    const provision = data['event-api-provision-commerce'] ?? {};
    expect(at(provision.PROVISION_DATABASE_URL)).toBe(`root at ${here}`);
    expect(provision.NATS_URL).toBeUndefined();
    expect(data['event-api-postgres-commerce']).toMatchObject({ username: 'root' });
    expect(at(data['event-api-catalog']?.DATABASE_URL)).toBe(
      'catalog_app at postgres:5432/postgres',
    );
  });

  test('makes each login valid on one server, and no secret is that of two servers', () => {
    const data = read(createWith(`commerce=${own}`));
    const shared = loginsOf(data['event-api-provision']);
    const commerce = loginsOf(data['event-api-provision-commerce']);
    expect(valid(commerce)).toEqual(['commerce_owner', 'commerce_app']);
    expect(shared).toMatchObject({ commerce_owner: null, commerce_app: null });
    expect(valid(shared)).toContain('event_api_owner');
    expect(valid(shared).filter((login) => valid(commerce).includes(login))).toEqual([]);
    const passwords = ['event-api-postgres', 'event-api-postgres-commerce'].map(
      (name) => data[name]?.password,
    );
    expect(new Set(passwords).size).toBe(2);
  });

  test('gives jobs that work on every schema an address for each server', () => {
    const some = read(createWith(`commerce=${own}`))['event-api-owner'] ?? {};
    expect(at(some.MIGRATION_DATABASE_URL)).toBe('event_api_owner at postgres:5432/postgres');
    const urls: Record<string, string> = JSON.parse(some.MIGRATION_DATABASE_URLS ?? '');
    expect(Object.keys(urls)).toEqual(['commerce']);
    expect(at(urls.commerce)).toContain('commerce_owner at pg-commerce');
    const all = read(createWith(each))['event-api-owner'] ?? {};
    expect(Object.keys(all)).toEqual(['MIGRATION_DATABASE_URLS']);
    expect(Object.keys(JSON.parse(all.MIGRATION_DATABASE_URLS ?? ''))).toEqual(
      topology.map(({ name }) => name),
    );
  });

  test('prints nothing of the shared server when no process is left there', () => {
    const data = read(createWith(each));
    expect(data['event-api-postgres']).toBeUndefined();
    expect(Object.keys(data['event-api-provision'] ?? {})).toEqual(['NATS_URL']);
    expect(new Set(topology.map(({ name }) => data[`event-api-${name}`]?.DATABASE_URL)).size).toBe(
      topology.length,
    );
  });

  test('lets CloudNativePG apply the password of each superuser', () => {
    const secrets = printSecrets(createWith(each), ['postgres-commerce']);
    expect(secrets).toMatchObject([
      {
        type: 'kubernetes.io/basic-auth',
        metadata: { labels: { 'cnpg.io/reload': 'true' } },
      },
    ]);
  });

  test('rotates the superuser of one server alone', () => {
    const folder = createWith(`commerce=${own}`);
    const before = read(folder);
    for (const step of ['accept', 'use'] as const)
      rotateSecrets(folder, step, ['commerce/superuser']);
    const after = read(folder);
    const { PROVISION_DATABASE_URL, PREVIOUS_PROVISION_DATABASE_URL } =
      after['event-api-provision-commerce'] ?? {};
    expect(PREVIOUS_PROVISION_DATABASE_URL).toBe(
      before['event-api-provision-commerce']?.PROVISION_DATABASE_URL,
    );
    expect(PROVISION_DATABASE_URL).not.toBe(PREVIOUS_PROVISION_DATABASE_URL);
    expect(after['event-api-provision']).toEqual(before['event-api-provision']);
  });

  test('keeps the servers in later runs, and lets a process share again', () => {
    const folder = createWith(`commerce=${own}`);
    createSecrets(folder, { addresses: { nats: 'nats://other:4222' } });
    expect(read(folder)['event-api-provision-commerce']).toBeDefined();
    createSecrets(folder, { postgresOf: ['commerce='] });
    expect(read(folder)['event-api-provision-commerce']).toBeUndefined();
    expect(at(read(folder)['event-api-commerce']?.DATABASE_URL)).toContain(' at postgres:5432/');
  });

  test('lists the superusers of the servers in use alone', () => {
    const superusers = (folder: string) =>
      [...listSecrets(folder).matchAll(/^(\w+)\/superuser/gm)].map(([, name]) => name);
    expect(superusers(createWith())).toEqual(['postgres']);
    expect(superusers(createWith(`commerce=${own}`))).toEqual(['postgres', 'commerce']);
    expect(superusers(createWith(each))).not.toContain('postgres');
  });

  test('changes nothing when an assignment is wrong', () => {
    const folder = createWith();
    const before = storeIn(folder);
    expect(() => createSecrets(folder, { postgresOf: [`commerce=${own}`, 'moon=x'] })).toThrow(
      'there is no such process',
    );
    expect(storeIn(folder)).toBe(before);
  });
});
