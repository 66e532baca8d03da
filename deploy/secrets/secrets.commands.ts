import { contentsOf, providedNames } from './contents.ts';
import {
  type CredentialName,
  credentialKinds,
  generateSecret,
  selectCredentials,
} from './credentials.ts';
import { type SecretManifest, secretManifests } from './manifests.ts';
import { decideAssignments, describeRejection, postgresServers } from './postgres-servers.rules.ts';
import { decideStep, type RotationStep } from './secrets.rules.ts';
import {
  completeStore,
  credentialOf,
  readStore,
  type SecretStore,
  type ServerAddresses,
  updateStore,
} from './store.ts';

/** A mistake of the operator, reported in one line. */
export class SecretsError extends Error {}

/**
 * Creates the missing secrets in `folder` and never changes an existing one. Addresses can be
 * changed; `postgresOf` assigns PostgreSQL servers to processes, each `<process>=<address>`. Errors:
 * SecretsError, and nothing is changed.
 */
export const createSecrets = (
  folder: string,
  options: {
    addresses?: Partial<Omit<ServerAddresses, 'postgresOf'>>;
    postgresOf?: readonly string[];
    paymentProvider?: 'stripe' | 'sandbox';
  },
): SecretStore =>
  updateStore(folder, (existing) => {
    const { postgresOf: words = [], ...others } = options;
    const store = completeStore(existing, others);
    const decision = decideAssignments(store.addresses, words);
    if (decision.outcome !== 'accepted') throw new SecretsError(describeRejection(decision));
    return { ...store, addresses: { ...store.addresses, postgresOf: decision.postgresOf } };
  });

/** Stores a value that another organization generates. Errors: SecretsError. */
export function provideSecret(folder: string, name: string, value: string): void {
  if (!(providedNames as readonly string[]).includes(name)) {
    throw new SecretsError(
      `${name} is generated; only ${providedNames.join(' and ')} are provided`,
    );
  }
  if (value === '') throw new SecretsError(`${name} is empty: write the value to stdin`);
  updateStore(folder, (existing) =>
    completeStore(existing ?? missingStore(folder), { provided: { [name]: value } }),
  );
}

/** The Secrets of Kubernetes, those of the given readers or all. Errors: SecretsError. */
export function printSecrets(
  folder: string,
  readers: readonly string[],
  namespace?: string,
): SecretManifest[] {
  const store = readStore(folder) ?? missingStore(folder);
  const all = contentsOf(completeStore(store));
  const unknown = readers.filter((reader) => !(reader in all));
  if (unknown.length > 0) {
    throw new SecretsError(`no secrets of ${unknown.join()}: ${Object.keys(all).join(', ')}`);
  }
  const chosen = Object.entries(all).filter(
    ([reader]) => readers.length === 0 || readers.includes(reader),
  );
  for (const [reader, { settings }] of chosen) {
    const missing = Object.keys(settings).filter((name) => settings[name] === '');
    if (missing.length > 0) {
      const command = missing.map((name) => `provide ${name}`).join(', ');
      throw new SecretsError(`event-api-${reader} lacks ${missing.join(' and ')}: run ${command}`);
    }
  }
  return secretManifests(Object.fromEntries(chosen), namespace);
}

/**
 * Takes a step of the rotation of the selected credentials: all of them or, if one is out of order,
 * none. Returns the credentials that changed. Errors: SecretsError.
 */
export function rotateSecrets(
  folder: string,
  step: RotationStep,
  selectors: readonly string[],
): CredentialName[] {
  const names = [...new Set(selectors.flatMap(selectedBy))];
  const changed: CredentialName[] = [];
  updateStore(folder, (existing) => {
    const store = completeStore(existing ?? missingStore(folder));
    const credentials = { ...store.credentials };
    for (const name of names) {
      const decision = decideStep(credentialOf(store, name), step, generateSecret(name));
      if (decision.outcome === 'out_of_order') {
        throw new SecretsError(
          `${name}: ${decision.missing} must be rolled out before ${step}; nothing was changed`,
        );
      }
      if (decision.outcome === 'unchanged') continue;
      credentials[name] = decision.credential;
      changed.push(name);
    }
    return { ...store, credentials };
  });
  return changed;
}

function selectedBy(selector: string): CredentialName[] {
  const names = selectCredentials(selector);
  if (names.length > 0) return names;
  const kinds = credentialKinds.join(', ');
  throw new SecretsError(
    `${selector} names no credential: all, a kind (${kinds}), a process, or one of the list`,
  );
}

/** Each credential with the phase of its rotation, one per line. Contains no secret. */
export function listSecrets(folder: string): string {
  const { credentials, addresses } = completeStore(readStore(folder) ?? missingStore(folder));
  const servers = postgresServers(addresses).map(({ process }) => process ?? 'postgres');
  const isUsed = (name: string) =>
    !name.endsWith('/superuser') || servers.some((server) => name === `${server}/superuser`);
  return Object.entries(credentials)
    .filter(([name]) => isUsed(name))
    .map(([name, { phase }]) => `${name.padEnd(28)} ${phase}\n`)
    .join('');
}

function missingStore(folder: string): never {
  throw new SecretsError(`${folder} contains no secrets: run create`);
}
