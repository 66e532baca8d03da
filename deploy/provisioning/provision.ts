import { setTimeout as wait } from 'node:timers/promises';
import { Client, type ClientConfig, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg';
import {
  appRole,
  derivedLogins,
  type Logins,
  OWNER,
  ownerRole,
  type ProvisionedUrls,
  provisionedUrls,
  secondLogin,
} from './database-roles.ts';

/** Key of the advisory lock; arbitrary, but the same in every version. */
const LOCK = 4_027_181_533;
const ATTEMPTS = 10;

/** The database to provision, as a role that may create roles and schemas. */
export interface ProvisioningTarget {
  connection: ClientConfig;
  schemas: readonly string[];
  /**
   * Exactly these logins work afterwards. One without a verifier whose schema is on another server is
   * not created here, and no longer works if it exists.
   */
  logins: Logins;
}

/**
 * Provisions a database of one machine, with derived passwords. Returns the addresses of the roles.
 */
export async function provision<Schema extends string>(
  databaseUrl: string,
  schemas: readonly Schema[],
): Promise<ProvisionedUrls<Schema>> {
  const logins = derivedLogins(databaseUrl, schemas);
  await provisionDatabase({ connection: { connectionString: databaseUrl }, schemas, logins });
  return provisionedUrls(databaseUrl, schemas);
}

/**
 * Creates the schemas and roles, gives each login its password, and ends the sessions of logins
 * that are no longer allowed. Idempotent; concurrent runs are safe, also on other databases of the
 * server.
 * Errors: PostgreSQL's, when the role lacks a privilege.
 */
export async function provisionDatabase(target: ProvisioningTarget): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await provisionOnce(target);
    } catch (error) {
      // The advisory lock covers one database, but roles belong to the whole server.
      if (attempt === ATTEMPTS || !isCollision(error)) throw error;
      await wait(attempt * 20);
    }
  }
}

/** The oldest version from which an upgrade is tested. */
const MIN_VERSION = 17;

/** Errors: the server is older than `MIN_VERSION`. */
async function requireVersion(client: Client): Promise<void> {
  const { rows } = await client.query('show server_version');
  const version = String(rows[0]?.server_version);
  if (Number.parseInt(version, 10) >= MIN_VERSION) return;
  throw new Error(`PostgreSQL ${version} is too old: it needs ${MIN_VERSION} or later`);
}

async function provisionOnce({ connection, schemas, logins }: ProvisioningTarget): Promise<void> {
  const client = new Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await requireVersion(client);
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await ensureRole(client, OWNER, logins);
    await actAs(client, OWNER);
    await client.query('revoke all on schema public from public');
    for (const schema of schemas) await ensureSchema(client, schema, logins);
    await disableOthers(client, schemas, logins);
    await client.query('commit');
    await endSessions(client, logins);
  } finally {
    await client.end();
  }
}

/** Creates the role and, once a password was replaced, its second login. */
async function ensureRole(client: Client, role: string, logins: Logins): Promise<void> {
  await ensureLogin(client, role, logins[role] ?? null);
  await grantOnDatabase(client, 'connect', role);
  const second = secondLogin(role);
  const verifier = logins[second];
  if (verifier === undefined || (verifier === null && !(await exists(client, second)))) return;
  await ensureLogin(client, second, verifier);
  await client.query(`grant ${escapeIdentifier(role)} to ${escapeIdentifier(second)}`);
  await client.query(`alter role ${escapeIdentifier(second)} set role ${escapeLiteral(role)}`);
}

async function ensureLogin(client: Client, role: string, verifier: string | null): Promise<void> {
  const verb = (await exists(client, role)) ? 'alter' : 'create';
  const login =
    verifier === null ? 'nologin password null' : `login password ${escapeLiteral(verifier)}`;
  await client.query(`${verb} role ${escapeIdentifier(role)} ${login}`);
}

async function exists(client: Client, role: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  return rowCount !== 0;
}

/** Only a superuser creates objects for a role without being its member. */
async function actAs(client: Client, role: string): Promise<void> {
  const me = await client.query(
    'select rolsuper from pg_roles where rolname = current_user and not rolsuper',
  );
  if (me.rowCount !== 0) await client.query(`grant ${role} to current_user`);
  // Migrations run "create schema if not exists", which needs this privilege even if the schema
  // exists.
  await grantOnDatabase(client, 'create', role);
}

async function grantOnDatabase(client: Client, right: string, role: string): Promise<void> {
  const database = await client.query<{ name: string }>('select current_database() as name');
  const name = escapeIdentifier(database.rows[0]?.name ?? '');
  await client.query(`grant ${right} on database ${name} to ${escapeIdentifier(role)}`);
}

async function ensureSchema(client: Client, schema: string, logins: Logins): Promise<void> {
  const role = appRole(schema);
  const owner = ownerRole(schema);
  const rows = 'select, insert, update, delete';
  await ensureRole(client, role, logins);
  await ensureRole(client, owner, logins);
  await actAs(client, owner);
  await client.query(`grant ${owner} to ${OWNER}`);
  await client.query(`create schema if not exists ${schema} authorization ${owner}`);
  await giveTo(client, schema, owner);
  await client.query(`grant usage on schema ${schema} to ${role}`);
  for (const creator of [owner, OWNER]) {
    const future = `alter default privileges for role ${creator} in schema ${schema} grant`;
    await client.query(`${future} ${rows} on tables to ${role}`);
    await client.query(`${future} usage, select on sequences to ${role}`);
  }
  // For existing tables, such as after a restore.
  await client.query(`grant ${rows} on all tables in schema ${schema} to ${role}`);
  await client.query(`grant usage, select on all sequences in schema ${schema} to ${role}`);
  // Its migration does the same for a new table. A restored one has just got the privileges of all
  // tables.
  await client.query(
    `do $$ begin if to_regclass('${schema}.audit_entry') is not null then
       revoke update, delete on ${schema}.audit_entry from ${role};
     end if; end $$`,
  );
}

/**
 * Makes a role the owner of a schema and of all that is in it: another one may have created it. A
 * sequence of a column has the owner of its table.
 */
async function giveTo(client: Client, schema: string, owner: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `with own as (select oid from pg_roles where rolname = $2),
     space as (select oid, nspowner from pg_namespace where nspname = $1)
     select format('alter schema %I owner to %I', $1::text, $2::text) as statement
     from space where nspowner <> (select oid from own)
     union all
     select format('alter %s %I.%I owner to %I',
       case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
       $1::text, relname, $2::text)
     from pg_class, space where relnamespace = space.oid and relkind in ('r', 'p', 'v', 'm', 'S')
     and relowner <> (select oid from own)
     and not exists (select from pg_depend where classid = 'pg_class'::regclass
       and objid = pg_class.oid and relkind = 'S' and deptype in ('a', 'i'))
     union all
     select format('alter routine %s owner to %I', pg_proc.oid::regprocedure, $2::text)
     from pg_proc, space where pronamespace = space.oid and proowner <> (select oid from own)`,
    [schema, owner],
  );
  for (const { statement } of rows) await client.query(statement);
}

/** A process that moved to another server must not write to the one that it left. */
async function disableOthers(
  client: Client,
  schemas: readonly string[],
  logins: Logins,
): Promise<void> {
  const own = [OWNER, ...schemas.map(appRole), ...schemas.map(ownerRole)];
  const handled = [...own, ...own.map(secondLogin)];
  const { rows } = await client.query<{ rolname: string }>(
    'select rolname from pg_roles where rolname = any($1) and rolcanlogin',
    [Object.keys(logins).filter((login) => logins[login] === null && !handled.includes(login))],
  );
  for (const { rolname } of rows) await ensureLogin(client, rolname, null);
}

/** A session outlives its password. A client with a replaced password must not keep its session. */
async function endSessions(client: Client, logins: Logins): Promise<void> {
  const rejected = Object.keys(logins).filter((login) => logins[login] === null);
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where usename = any($1)',
    [rejected],
  );
}

/** Whether concurrent runs created or changed the same role ("tuple concurrently updated"). */
function isCollision(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  if (error.code === 'XX000') return /concurrently (updated|deleted)/.test(error.message);
  return error.code === '23505' || error.code === '42710' || error.code === '40P01';
}
