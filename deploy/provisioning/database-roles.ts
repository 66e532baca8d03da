import { createHmac } from 'node:crypto';
import { scramVerifier } from './scram.ts';

/** The role that owns every schema and runs the migrations. */
export const OWNER = 'event_api_owner';

/** The role that reads and writes the rows of a schema. */
export const appRole = (schema: string): string => `${schema}_app`;

/**
 * Each role has a second login, so that a password is replaced without a moment in which neither
 * the old nor the new one is valid. The second login acts as the role.
 */
export const secondLogin = (role: string): string => `${role}_b`;

/** The verifier of each login; null for a login that must not work. */
export type Logins = Record<string, string | null>;

export interface ProvisionedUrls<Schema extends string> {
  /** Address for the role that owns every schema and runs the migrations. */
  owner: string;
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
  const app = Object.fromEntries(schemas.map((schema) => [schema, as(appRole(schema))]));
  return { owner: as(OWNER), app: app as Record<Schema, string> };
}

/** The logins of `provisionedUrls`. */
export const derivedLogins = (databaseUrl: string, schemas: readonly string[]): Logins =>
  Object.fromEntries(
    [OWNER, ...schemas.map(appRole)].map((role) => [
      role,
      scramVerifier(derivedPassword(role, databaseUrl), role),
    ]),
  );

function derivedPassword(role: string, databaseUrl: string): string {
  const { password } = new URL(databaseUrl);
  const key = password === '' ? 'event-api' : decodeURIComponent(password);
  return createHmac('sha256', key).update(role).digest('base64url');
}
