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
