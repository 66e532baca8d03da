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
import { type PostgresServer, postgresServers } from './postgres-servers.rules.ts';
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
      schemas
        .map(schemaOwner)
        .map((holder): [string, SecretContent] => [
          holder,
          { settings: { MIGRATION_DATABASE_URL: databaseUrl(store, holder) }, files: {} },
        ]),
    ),
    owner: { settings: ownerSettings(store), files: {} },
    ...provisionContents(store),
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
    ...(name === 'commerce' && moneySettings(store)),
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
  const { postgres, postgresOf } = store.addresses;
  const schema = schemas.find((each) => [each, schemaOwner(each)].includes(holder));
  const address = (schema && postgresOf[schema]) ?? postgres;
  return withLogin(address, loginOf(roleOf(holder), value), value.secret);
}

/**
 * Addresses for jobs that work on every schema. On a server of one process its owner is enough, so
 * none of these logins is valid on two servers.
 */
function ownerSettings(store: SecretStore): Record<string, string> {
  const servers = postgresServers(store.addresses);
  const own = servers.flatMap(({ process }) => process ?? []);
  const urls = own.map((process) => [process, databaseUrl(store, schemaOwner(process))]);
  return {
    ...(servers.length > own.length && { MIGRATION_DATABASE_URL: databaseUrl(store, 'owner') }),
    ...(own.length > 0 && { MIGRATION_DATABASE_URLS: JSON.stringify(Object.fromEntries(urls)) }),
  };
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

/** The holders of logins at a server. The role of every owner logs in at the shared one only. */
const holdersAt = ({ process, schemas: own }: PostgresServer): string[] => [
  ...(process === undefined ? ['owner'] : []),
  ...own.flatMap((schema) => [schemaOwner(schema), schema]),
];

/**
 * The verifier of every login at a server; null for a login whose password is not accepted, or that
 * belongs to another server.
 */
function databaseLogins(store: SecretStore, server: PostgresServer): Record<string, string | null> {
  const here = holdersAt(server);
  const logins = holdersOf('database').flatMap((holder) => {
    const role = roleOf(holder);
    const values = here.includes(holder) ? accepted(store, `${holder}/database`) : [];
    const verifiers = values.map((value) => {
      const login = loginOf(role, value);
      return [login, scramVerifier(value.secret, login)];
    });
    return [[role, null], [secondLogin(role), null], ...verifiers];
  });
  return Object.fromEntries(logins);
}

const superuserOf = ({ process }: PostgresServer): CredentialName =>
  `${process ?? 'postgres'}/superuser`;

/** What the provisioning of each server needs. That of the shared one also prepares the stream. */
function provisionContents(store: SecretStore): Record<string, SecretContent> {
  const servers = postgresServers(store.addresses).map((server) => {
    const reader = server.process === undefined ? 'provision' : `provision-${server.process}`;
    return [reader, { settings: provisionSettings(store, server), files: {} }] as const;
  });
  const { provision, ...own } = Object.fromEntries<SecretContent>(servers);
  const settings = { ...provision?.settings, NATS_URL: natsUrl(store, STREAM_ADMIN) };
  return { provision: { settings, files: {} }, ...own };
}

function provisionSettings(store: SecretStore, server: PostgresServer): Record<string, string> {
  const credential = credentialOf(store, superuserOf(server));
  const urlOf = ({ secret }: SecretValue) => {
    const { username } = new URL(server.address);
    return withLogin(server.address, username, secret);
  };
  return {
    PROVISION_DATABASE_URL: urlOf(credential.value),
    ...(credential.phase === 'using' && {
      PREVIOUS_PROVISION_DATABASE_URL: urlOf(credential.previous),
    }),
    DATABASE_LOGINS: JSON.stringify(databaseLogins(store, server)),
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

/** The keys of the secrets of payment accounts, and the one that signs digests of the journal. */
const moneySettings = (store: SecretStore) => ({
  PAYMENT_SECRETS_KEYS: listOfAccepted(store, 'commerce/payment-secrets'),
  LEDGER_SIGNING_KEY: used(store, 'commerce/ledger-signing').secret,
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

const superuserFiles = (store: SecretStore, server: PostgresServer): Record<string, string> => ({
  username: new URL(server.address).username,
  password: used(store, superuserOf(server)).secret,
});

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
  return {
    ...Object.fromEntries(
      postgresServers(store.addresses).map((server) => [
        server.name,
        { settings: {}, files: superuserFiles(store, server) },
      ]),
    ),
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
