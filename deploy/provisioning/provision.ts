import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg';

export interface ProvisionedUrls<Schema extends string> {
  /** Address for the role that owns every schema and runs the migrations. */
  owner: string;
  /** An address for each schema. Its role reads and writes the rows of this schema only. */
  app: Record<Schema, string>;
}

const OWNER = 'event_api_owner';
/** Key of the advisory lock; arbitrary, but the same in every version. */
const LOCK = 4_027_181_533;
const ATTEMPTS = 10;
const SCRAM_ITERATIONS = 4096;

const appRole = (schema: string) => `${schema}_app`;

/**
 * The addresses that `provision` returns, without a connection. Each password is derived from the password in
 * `databaseUrl` and the role's name, so none has to be stored.
 */
export function provisionedUrls<Schema extends string>(
  databaseUrl: string,
  schemas: readonly Schema[],
): ProvisionedUrls<Schema> {
  const as = (role: string) => {
    const url = new URL(databaseUrl);
    url.username = role;
    url.password = passwordOf(role, databaseUrl);
    return url.href;
  };
  const app = Object.fromEntries(schemas.map((schema) => [schema, as(appRole(schema))]));
  return { owner: as(OWNER), app: app as Record<Schema, string> };
}

/**
 * Creates these schemas, each with a role, in the database of `databaseUrl`, whose role must be allowed to create both. Idempotent; concurrent runs are safe, also on other databases of the server.
 * Errors: PostgreSQL's, when the role lacks a privilege.
 */
export async function provision<Schema extends string>(
  databaseUrl: string,
  schemas: readonly Schema[],
): Promise<ProvisionedUrls<Schema>> {
  for (let attempt = 1; ; attempt++) {
    try {
      await provisionOnce(databaseUrl, schemas);
      return provisionedUrls(databaseUrl, schemas);
    } catch (error) {
      // The advisory lock covers one database, but roles belong to the whole server.
      if (attempt === ATTEMPTS || !isCollision(error)) throw error;
      await wait(attempt * 20);
    }
  }
}

async function provisionOnce(databaseUrl: string, schemas: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await ensureRole(client, OWNER, databaseUrl);
    await actAsOwner(client);
    await client.query('revoke all on schema public from public');
    for (const schema of schemas) await ensureSchema(client, schema, databaseUrl);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

async function ensureRole(client: Client, role: string, databaseUrl: string): Promise<void> {
  const existing = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  const verifier = scramVerifier(passwordOf(role, databaseUrl), role);
  const verb = existing.rowCount === 0 ? 'create' : 'alter';
  await client.query(
    `${verb} role ${escapeIdentifier(role)} login password ${escapeLiteral(verifier)}`,
  );
  await grantOnDatabase(client, 'connect', role);
}

/** Only a superuser creates objects for a role without being its member. */
async function actAsOwner(client: Client): Promise<void> {
  const me = await client.query(
    'select rolsuper from pg_roles where rolname = current_user and not rolsuper',
  );
  if (me.rowCount !== 0) await client.query(`grant ${OWNER} to current_user`);
  // Migrations run "create schema if not exists", which needs this privilege even if the schema exists.
  await grantOnDatabase(client, 'create', OWNER);
}

async function grantOnDatabase(client: Client, right: string, role: string): Promise<void> {
  const database = await client.query<{ name: string }>('select current_database() as name');
  const name = escapeIdentifier(database.rows[0]?.name ?? '');
  await client.query(`grant ${right} on database ${name} to ${escapeIdentifier(role)}`);
}

async function ensureSchema(client: Client, schema: string, databaseUrl: string): Promise<void> {
  const role = appRole(schema);
  const rows = 'select, insert, update, delete';
  const future = `alter default privileges for role ${OWNER} in schema ${schema} grant`;
  await ensureRole(client, role, databaseUrl);
  await client.query(`create schema if not exists ${schema} authorization ${OWNER}`);
  await client.query(`grant usage on schema ${schema} to ${role}`);
  await client.query(`${future} ${rows} on tables to ${role}`);
  await client.query(`${future} usage, select on sequences to ${role}`);
  // For existing tables, such as after a restore.
  await client.query(`grant ${rows} on all tables in schema ${schema} to ${role}`);
  await client.query(`grant usage, select on all sequences in schema ${schema} to ${role}`);
}

function passwordOf(role: string, databaseUrl: string): string {
  const { password } = new URL(databaseUrl);
  const key = password === '' ? 'event-api' : decodeURIComponent(password);
  return createHmac('sha256', key).update(role).digest('base64url');
}

/**
 * The form in which PostgreSQL stores a password. It is sent instead of the password, so that no server log contains the
 * password. The same input always returns the same text.
 */
function scramVerifier(password: string, saltSeed: string): string {
  const salt = createHash('sha256').update(saltSeed).digest().subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

/** Whether concurrent runs created or changed the same role ("tuple concurrently updated"). */
function isCollision(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  if (error.code === 'XX000') return /concurrently (updated|deleted)/.test(error.message);
  return error.code === '23505' || error.code === '42710' || error.code === '40P01';
}
