import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg';
import { scramVerifier } from './scram.ts';

/** The schemas, each with its service's role. */
export const schemas = ['gateway', 'catalog', 'registration', 'commerce', 'onsite'] as const;
export type Schema = (typeof schemas)[number];

export interface ProvisionedUrls {
  /** Of the role that owns every schema and runs the migrations. */
  owner: string;
  /** Of the role that each service lives with: rows of its own schema, nothing else. */
  app: Record<Schema, string>;
}

const OWNER = 'event_api_owner';
/** Any number, as long as it is the same in every copy of this code. */
const LOCK = 4_027_181_533;
const ATTEMPTS = 10;

const appRole = (schema: Schema) => `${schema}_app`;

/** The addresses that `provision` answers, without a connection: passwords follow from the one in `databaseUrl`
 *  and the role's name, so that nothing has to be remembered. */
export function provisionedUrls(databaseUrl: string): ProvisionedUrls {
  const as = (role: string) => {
    const url = new URL(databaseUrl);
    url.username = role;
    url.password = passwordOf(role, databaseUrl);
    return url.href;
  };
  const app = schemas.map((schema) => [schema, as(appRole(schema))]);
  return { owner: as(OWNER), app: Object.fromEntries(app) };
}

/** Makes the roles and schemas of the platform in the database of `databaseUrl`, whose role may create both.
 *  Repeating it changes nothing; several runs at once, also on other databases of that server, wait for each other.
 *  Errors: PostgreSQL's, when the role may not do that. */
export async function provision(databaseUrl: string): Promise<ProvisionedUrls> {
  for (let attempt = 1; ; attempt++) {
    try {
      await provisionOnce(databaseUrl);
      return provisionedUrls(databaseUrl);
    } catch (error) {
      // Roles belong to the whole server, and the lock to one database only.
      if (attempt === ATTEMPTS || !isCollision(error)) throw error;
      await wait(attempt * 20);
    }
  }
}

async function provisionOnce(databaseUrl: string): Promise<void> {
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

/** Who is no superuser has to be a member of a role to make things in its name. */
async function actAsOwner(client: Client): Promise<void> {
  const me = await client.query(
    'select rolsuper from pg_roles where rolname = current_user and not rolsuper',
  );
  if (me.rowCount !== 0) await client.query(`grant ${OWNER} to current_user`);
  // Migrations say "create schema if not exists", which asks for this right although the schema is there.
  await grantOnDatabase(client, 'create', OWNER);
}

async function grantOnDatabase(client: Client, right: string, role: string): Promise<void> {
  const database = await client.query<{ name: string }>('select current_database() as name');
  const name = escapeIdentifier(database.rows[0]?.name ?? '');
  await client.query(`grant ${right} on database ${name} to ${escapeIdentifier(role)}`);
}

async function ensureSchema(client: Client, schema: Schema, databaseUrl: string): Promise<void> {
  const role = appRole(schema);
  const rows = 'select, insert, update, delete';
  const future = `alter default privileges for role ${OWNER} in schema ${schema} grant`;
  await ensureRole(client, role, databaseUrl);
  await client.query(`create schema if not exists ${schema} authorization ${OWNER}`);
  await client.query(`grant usage on schema ${schema} to ${role}`);
  await client.query(`${future} ${rows} on tables to ${role}`);
  await client.query(`${future} usage, select on sequences to ${role}`);
  // For tables that were there before, as after a restore.
  await client.query(`grant ${rows} on all tables in schema ${schema} to ${role}`);
  await client.query(`grant usage, select on all sequences in schema ${schema} to ${role}`);
}

function passwordOf(role: string, databaseUrl: string): string {
  const { password } = new URL(databaseUrl);
  const key = password === '' ? 'event-api' : decodeURIComponent(password);
  return createHmac('sha256', key).update(role).digest('base64url');
}

/** Two runs changed the same role at the same time: "tuple concurrently updated", or both created it. */
function isCollision(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  if (error.code === 'XX000') return /concurrently (updated|deleted)/.test(error.message);
  return error.code === '23505' || error.code === '42710' || error.code === '40P01';
}
