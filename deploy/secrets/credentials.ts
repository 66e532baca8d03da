import { callerIssuers, schemas, topology } from '@event-api/contracts/topology';
import { generateKey } from '@event-api/provisioning/keys';
import { randomPassword } from '@event-api/provisioning/secret-files';
import { STREAM_ADMIN } from '../servers/nats.ts';

export type CredentialKind =
  | 'caller-key'
  | 'database'
  | 'nats'
  | 'redis'
  | 'superuser'
  | 'payment-sandbox'
  | 'identity-sandbox'
  | 'webhook-secrets'
  | 'payment-secrets'
  | 'ledger-signing';

/** `<holder>/<kind>`: `catalog/database` is the login of catalog at PostgreSQL. */
export type CredentialName = `${string}/${CredentialKind}`;

/** The migration of a schema, which logs in as its owner. */
export function schemaOwner(schema: string): string {
  return `${schema}-owner`;
}

const holders: Record<CredentialKind, readonly string[]> = {
  'caller-key': callerIssuers,
  database: ['owner', ...schemas.map(schemaOwner), ...usersOf('postgres')],
  nats: [STREAM_ADMIN, ...usersOf('nats')],
  redis: ['admin', ...usersOf('redis')],
  // Of the shared server, and of the server of a process that has one.
  superuser: ['postgres', ...schemas],
  'payment-sandbox': ['commerce'],
  'identity-sandbox': ['console'],
  'webhook-secrets': ['changes'],
  'payment-secrets': ['commerce'],
  'ledger-signing': ['commerce'],
};

function usersOf(server: 'postgres' | 'nats' | 'redis'): string[] {
  return topology.filter(({ servers }) => servers.includes(server)).map(({ name }) => name);
}

export const credentialKinds = Object.keys(holders) as CredentialKind[];

/** Every credential of the platform. */
export const credentialNames: readonly CredentialName[] = credentialKinds.flatMap((kind) =>
  holders[kind].map((holder): CredentialName => `${holder}/${kind}`),
);

/** The holders of a kind of credential. */
export const holdersOf = (kind: CredentialKind): readonly string[] => holders[kind];

/**
 * A new secret: a private JWK as JSON for a caller key, otherwise a password of 43 URL-safe
 * characters.
 */
export function generateSecret(name: CredentialName): string {
  const [holder = '', kind] = name.split('/');
  return kind === 'caller-key' ? JSON.stringify(generateKey(holder)) : randomPassword();
}

/**
 * The credentials that `selector` names: `all`, a name, a holder or a kind. Empty if it names none.
 */
export const selectCredentials = (selector: string): CredentialName[] =>
  credentialNames.filter(
    (name) => selector === 'all' || selector === name || name.split('/').includes(selector),
  );
