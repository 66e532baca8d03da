import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  createPrivateDirectory,
  readTextFile,
  writePrivateFile,
} from '@event-api/provisioning/secret-files';
import { type CredentialName, credentialNames, generateSecret } from './credentials.ts';
import type { PostgresAddresses } from './postgres-servers.rules.ts';
import type { Credential } from './secrets.rules.ts';

/**
 * Addresses of the servers without logins, except that of PostgreSQL: it names the superuser and
 * the database.
 */
export interface ServerAddresses extends PostgresAddresses {
  nats: string;
  redis: string;
}

/** Everything that the platform keeps secret, and what is needed to write it as settings. */
export interface SecretStore {
  addresses: ServerAddresses;
  paymentProvider: 'stripe' | 'sandbox';
  credentials: Record<CredentialName, Credential>;
  /** Values that another organization generates, such as those of Stripe. */
  provided: Record<string, string>;
}

/** The addresses in Compose and in overlay `kind`. */
export const defaultAddresses: ServerAddresses = {
  postgres: 'postgres://postgres@postgres:5432/postgres',
  postgresOf: {},
  nats: 'nats://nats:4222',
  redis: 'redis://redis:6379',
};

const fileIn = (folder: string) => join(folder, 'secrets.json');

/** The store in `folder`; undefined if there is none. */
export function readStore(folder: string): SecretStore | undefined {
  const text = readTextFile(fileIn(folder));
  return text === undefined ? undefined : JSON.parse(text);
}

/** Errors: the store lacks the credential; `completeStore` adds it. */
export function credentialOf({ credentials }: SecretStore, name: CredentialName): Credential {
  const credential = credentials[name];
  if (!credential) throw new Error(`the store has no credential ${name}`);
  return credential;
}

/** A store with every credential. Existing ones keep their values; missing ones are generated. */
export function completeStore(
  existing: SecretStore | undefined,
  options: Partial<Omit<SecretStore, 'credentials' | 'addresses'>> & {
    addresses?: Partial<ServerAddresses>;
  } = {},
): SecretStore {
  const credentials = Object.fromEntries(
    credentialNames.map((name): [string, Credential] => [
      name,
      existing?.credentials[name] ?? {
        phase: 'stable',
        value: { slot: 'a', secret: generateSecret(name) },
      },
    ]),
  );
  return {
    addresses: { ...defaultAddresses, ...existing?.addresses, ...options.addresses },
    paymentProvider: options.paymentProvider ?? existing?.paymentProvider ?? 'stripe',
    credentials,
    provided: { ...existing?.provided, ...options.provided },
  };
}

/**
 * Replaces the store in `folder` with the result of `change`. Atomic; only the owner of the file
 * can read it.
 * Errors: another run changes the store; those of `change`.
 */
export function updateStore(
  folder: string,
  change: (existing: SecretStore | undefined) => SecretStore,
): SecretStore {
  createPrivateDirectory(folder);
  const release = lock(join(folder, 'secrets.lock'));
  try {
    const changed = change(readStore(folder));
    writePrivateFile(fileIn(folder), `${JSON.stringify(changed, null, 2)}\n`);
    return changed;
  } finally {
    release();
  }
}

/** Two runs at the same time would each discard the secrets of the other. */
function lock(file: string): () => void {
  try {
    closeSync(openSync(file, 'wx'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error(`another run changes the secrets; if none is running, delete ${file}`);
  }
  return () => rmSync(file, { force: true });
}
