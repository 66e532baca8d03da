import {
  callerIssuers,
  containerUrl,
  type ProcessName,
  processNamed,
  processNames,
  schemas,
  topology,
} from '@event-api/contracts/topology';
import { appRole, OWNER, ownerRole, secondLogin } from '@event-api/provisioning/database-roles';
import { type Ed25519Jwk, toPublicJwk } from '@event-api/provisioning/keys';
import { scramVerifier } from '@event-api/provisioning/scram';
import { type NatsLogin, natsAuthorization, natsConfig, STREAM_ADMIN } from '../servers/nats.ts';
import { redisConfig, redisUsers } from '../servers/redis.ts';
import { type CredentialName, holdersOf, schemaOwner } from './credentials.ts';
import { acceptedValues, type SecretValue } from './secrets.rules.ts';
import { credentialOf, type SecretStore } from './store.ts';

/** What one process, job or server may read: settings for its environment, and files. */
export interface SecretContent {
  settings: Record<string, string>;
  files: Record<string, string>;
}

/** Values that Stripe generates. Commerce needs them in production. */
export const providedNames = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS'] as const;

/** The secrets of the platform by their reader. No reader gets a secret that another one uses. */
export function contentsOf(store: SecretStore): Record<string, SecretContent> {
  const processes = topology.map(({ name }): [string, SecretContent] => [
    name,
    { settings: processSettings(store, name), files: {} },
  ]);
  return {
    ...Object.fromEntries(processes),
    ...serverContents(store),
    callers: { settings: { CALLER_PUBLIC_KEYS: publicKeys(store) }, files: {} },
    ...Object.fromEntries(
      ['owner', ...schemas.map(schemaOwner)].map((holder): [string, SecretContent] => [
        holder,
        { settings: { MIGRATION_DATABASE_URL: databaseUrl(store, holder) }, files: {} },
      ]),
    ),
    provision: { settings: provisionSettings(store), files: {} },
    admin: { settings: {}, files: operatorFiles(store) },
    ...(store.paymentProvider === 'stripe'
      ? { payments: { settings: providedSettings(store), files: {} } }
      : {
          'payment-sandbox': { settings: sandboxSettings(store), files: {} },
          'identity-sandbox': { settings: identitySandboxSettings(store), files: {} },
        }),
  };
}

const accepted = (store: SecretStore, name: CredentialName): SecretValue[] =>
  acceptedValues(credentialOf(store, name));
const used = (store: SecretStore, name: CredentialName): SecretValue =>
  credentialOf(store, name).value;

function processSettings(store: SecretStore, name: ProcessName): Record<string, string> {
  const { servers } = processNamed(name);
  return {
    DATABASE_URL: databaseUrl(store, name),
    CALLER_PRIVATE_KEY: used(store, `${name}/caller-key`).secret,
    ...(servers.includes('nats') && { NATS_URL: natsUrl(store, name) }),
    ...(servers.includes('redis') && { REDIS_URL: redisUrl(store, name) }),
    ...(name === 'commerce' && store.paymentProvider === 'sandbox' && sandboxSettings(store)),
    ...(name === 'console' &&
      store.paymentProvider === 'sandbox' && { OIDC_CLIENT_SECRET: clientSecret(store) }),
    ...(name === 'changes' && webhookSettings(store)),
  };
}

/** Address with the login. Passwords are URL-safe. */
function withLogin(address: string, user: string, password: string): string {
  const url = new URL(address);
  url.username = user;
  url.password = password;
  return url.href;
}

function roleOf(holder: string): string {
  if (holder === 'owner') return OWNER;
  const owned = schemas.find((schema) => schemaOwner(schema) === holder);
  return owned === undefined ? appRole(holder) : ownerRole(owned);
}
const loginOf = (role: string, { slot }: SecretValue) => (slot === 'a' ? role : secondLogin(role));

function databaseUrl(store: SecretStore, holder: string): string {
  const value = used(store, `${holder}/database`);
  return withLogin(store.addresses.postgres, loginOf(roleOf(holder), value), value.secret);
}

function natsUrl(store: SecretStore, holder: string): string {
  const value = used(store, `${holder}/nats`);
  return withLogin(store.addresses.nats, loginOf(holder, value), value.secret);
}

const redisUrl = (store: SecretStore, holder: string): string =>
  withLogin(store.addresses.redis, holder, used(store, `${holder}/redis`).secret);

function publicKeys(store: SecretStore): string {
  const keys = callerIssuers.map((issuer) => [
    issuer,
    accepted(store, `${issuer}/caller-key`).map(({ secret }) => toPublicJwk(JSON.parse(secret))),
  ]);
  return JSON.stringify(Object.fromEntries(keys));
}

/** The verifier of every login at PostgreSQL; null for a login whose password is not accepted. */
function databaseLogins(store: SecretStore): Record<string, string | null> {
  const logins = holdersOf('database').flatMap((holder) => {
    const role = roleOf(holder);
    const verifiers = accepted(store, `${holder}/database`).map((value) => {
      const login = loginOf(role, value);
      return [login, scramVerifier(value.secret, login)];
    });
    return [[role, null], [secondLogin(role), null], ...verifiers];
  });
  return Object.fromEntries(logins);
}

function provisionSettings(store: SecretStore): Record<string, string> {
  const credential = credentialOf(store, 'postgres/superuser');
  const urlOf = ({ secret }: SecretValue) => {
    const { username } = new URL(store.addresses.postgres);
    return withLogin(store.addresses.postgres, username, secret);
  };
  return {
    PROVISION_DATABASE_URL: urlOf(credential.value),
    ...(credential.phase === 'using' && {
      PREVIOUS_PROVISION_DATABASE_URL: urlOf(credential.previous),
    }),
    DATABASE_LOGINS: JSON.stringify(databaseLogins(store)),
    NATS_URL: natsUrl(store, STREAM_ADMIN),
  };
}

/** The values that are accepted, the one in use first. */
const listOfAccepted = (store: SecretStore, name: CredentialName): string =>
  accepted(store, name)
    .map(({ secret }) => secret)
    .join();

const sandboxSettings = (store: SecretStore) => ({
  SANDBOX_SECRETS: listOfAccepted(store, 'commerce/payment-sandbox'),
});

/**
 * The secret of the console at the identity sandbox. A real identity provider generates its own.
 */
const clientSecret = (store: SecretStore): string => used(store, 'console/identity-sandbox').secret;

const identitySandboxSettings = (store: SecretStore) => ({ CLIENT_SECRET: clientSecret(store) });

const webhookSettings = (store: SecretStore) => ({
  WEBHOOK_SECRETS_KEYS: listOfAccepted(store, 'changes/webhook-secrets'),
});

const providedSettings = ({ provided }: SecretStore): Record<string, string> =>
  Object.fromEntries(providedNames.map((name) => [name, provided[name] ?? '']));

/** What `npm run admin` reads: the operator's key alone, and the addresses of the platform. */
function operatorFiles(store: SecretStore): Record<string, string> {
  const key: Ed25519Jwk = JSON.parse(used(store, 'admin/caller-key').secret);
  const internalUrls = Object.fromEntries(
    processNames.map((name) => [name, containerUrl(name, 'internal')]),
  );
  const platform = {
    pid: 1,
    baseUrl: containerUrl('gateway', 'api'),
    internalUrls,
    redisUrl: redisUrl(store, 'admin'),
  };
  return {
    'caller-keys.json': JSON.stringify({ admin: key }, null, 2),
    'platform.json': JSON.stringify(platform),
  };
}

/** Configurations of the servers. Each contains the logins that it accepts. */
function serverContents(store: SecretStore): Record<string, SecretContent> {
  const logins = holdersOf('nats').flatMap((role) =>
    accepted(store, `${role}/nats`).map(
      (value): NatsLogin => ({ role, user: loginOf(role, value), password: value.secret }),
    ),
  );
  const users = holdersOf('redis').map((user) => ({
    user,
    passwords: accepted(store, `${user}/redis`).map(({ secret }) => secret),
  }));
  const { username } = new URL(store.addresses.postgres);
  return {
    postgres: {
      settings: {},
      files: { username, password: used(store, 'postgres/superuser').secret },
    },
    nats: {
      settings: {},
      files: {
        'nats.conf': natsConfig({ logins, listen: '0.0.0.0:4222', storeDir: '/data' }),
        'authorization.conf': natsAuthorization(logins),
      },
    },
    redis: {
      settings: {},
      files: {
        'redis.conf': redisConfig('/run/event-api/redis/users.acl'),
        'users.acl': redisUsers(users),
      },
    },
  };
}
