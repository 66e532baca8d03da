import { createHmac } from 'node:crypto';
import { scramVerifier } from './scram.ts';

/**
 * The role that acts as the owner of every schema: for the audit retention, and for the migrations
 * of a platform on one machine.
 */
export const OWNER = 'event_api_owner';

/**
 * The role that owns a schema and its tables, and runs its migrations. It cannot read or change
 * another schema: the migration of one team does not reach the tables of another one.
 */
export const ownerRole = (schema: string): string => `${schema}_owner`;

/** The role that reads and writes the rows of a schema. */
export const appRole = (schema: string): string => `${schema}_app`;

/**
 * Each role has a second login, so that a password is replaced without a moment in which neither
 * the old nor the new one is valid. The second login acts as the role.
 */
export const secondLogin = (role: string): string => `${role}_b`;

/** The verifier of each login; null for a login that must not work. */
export type Logins = Record<string, string | null>;

/** The schemas of a server: those whose owner can log in there. The others are elsewhere. */
export const schemasOf = <Schema extends string>(
  logins: Logins,
  schemas: readonly Schema[],
): Schema[] =>
  schemas.filter((schema) => {
    const owner = ownerRole(schema);
    return [owner, secondLogin(owner)].some((login) => typeof logins[login] === 'string');
  });

export interface ProvisionedUrls<Schema extends string> {
  /** Address for the role that acts as the owner of every schema. */
  owner: string;
  /** An address for each schema. Its role owns this schema only. */
  schemaOwner: Record<Schema, string>;
  /** An address for each schema. Its role reads and writes the rows of this schema only. */
  app: Record<Schema, string>;
}

/**
 * Addresses for a database of one machine. Each password is derived from the password in
 * `databaseUrl` and the role's name, so none has to be stored.
 */
export function provisionedUrls<Schema extends string>(
  databaseUrl: string,
  schemas: readonly Schema[],
): ProvisionedUrls<Schema> {
  const as = (role: string) => {
    const url = new URL(databaseUrl);
    url.username = role;
    url.password = derivedPassword(role, databaseUrl);
    return url.href;
  };
  const ofEach = (roleOf: (schema: string) => string) =>
    Object.fromEntries(schemas.map((schema) => [schema, as(roleOf(schema))])) as Record<
      Schema,
      string
    >;
  return { owner: as(OWNER), schemaOwner: ofEach(ownerRole), app: ofEach(appRole) };
}

/** The logins of `provisionedUrls`. */
export const derivedLogins = (databaseUrl: string, schemas: readonly string[]): Logins =>
  Object.fromEntries(
    [OWNER, ...schemas.map(ownerRole), ...schemas.map(appRole)].map((role) => [
      role,
      scramVerifier(derivedPassword(role, databaseUrl), role),
    ]),
  );

function derivedPassword(role: string, databaseUrl: string): string {
  const { password } = new URL(databaseUrl);
  const key = password === '' ? 'event-api' : decodeURIComponent(password);
  return createHmac('sha256', key).update(role).digest('base64url');
}
