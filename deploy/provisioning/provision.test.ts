import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { Client } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ProvisionedUrls, provisionedUrls } from './database-roles.ts';
import { generateKey, readCallerKey } from './keys.ts';
import { provision } from './provision.ts';
import { ensureSuperuserPassword } from './superuser.ts';

const schemas = ['gateway', 'catalog', 'onsite'] as const;

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function newDatabase(): Promise<string> {
  const name = `provision_${randomBytes(6).toString('hex')}`;
  await query(await postgresUrl(), `create database ${name}`);
  const url = new URL(await postgresUrl());
  url.pathname = `/${name}`;
  return url.href;
}

let databaseUrl: string;
let urls: ProvisionedUrls<(typeof schemas)[number]>;

beforeAll(async () => {
  databaseUrl = await newDatabase();
  urls = await provision(databaseUrl, schemas);
  const create = 'create table catalog.thing (id bigserial primary key, name text)';
  await query(urls.schemaOwner.catalog, create);
});

describe('a service role', () => {
  test('reads and writes the rows of its own schema', async () => {
    await query(urls.app.catalog, `insert into catalog.thing (name) values ('a')`);
    await query(urls.app.catalog, `update catalog.thing set name = 'b'`);
    expect(await query(urls.app.catalog, 'select name from catalog.thing')).toEqual([
      { name: 'b' },
    ]);
  });

  test.each([
    ['cannot drop a table of its own schema', 'drop table catalog.thing'],
    ['cannot create a table in its own schema', 'create table catalog.other (id int)'],
    ['cannot create a table in the public schema', 'create table public.other (id int)'],
    ['cannot create a schema', 'create schema other'],
  ])('%s', async (_name, sql) => {
    await expect(query(urls.app.catalog, sql)).rejects.toMatchObject({ code: '42501' });
  });

  test('cannot read the rows of another schema', async () => {
    await expect(query(urls.app.gateway, 'select * from catalog.thing')).rejects.toMatchObject({
      code: '42501',
    });
  });
});

describe('the owner of a schema', () => {
  test('changes its own schema, for its service', async () => {
    await query(urls.schemaOwner.catalog, 'alter table catalog.thing add column note text');
    await query(urls.schemaOwner.catalog, 'create table catalog.by_owner (id bigserial)');
    await query(urls.schemaOwner.catalog, 'create schema if not exists catalog');
    await query(urls.app.catalog, 'insert into catalog.by_owner default values');
    await query(urls.owner, 'alter table catalog.by_owner add column note text');
  });

  test.each([
    ['read', 'select * from catalog.thing'],
    ['change', 'alter table catalog.thing add column other text'],
    ['drop', 'drop table catalog.thing'],
    ['create a table in', 'create table catalog.foreign_table (id int)'],
  ])('cannot %s another schema', async (_verb, sql) => {
    await expect(query(urls.schemaOwner.onsite, sql)).rejects.toMatchObject({ code: '42501' });
  });

  test('gets what another role has created in it, with the next run', async () => {
    const own = provisionedUrls(databaseUrl, schemas);
    await query(
      own.owner,
      `create table onsite.older (id bigserial);
       create sequence onsite.numbers;
       create view onsite.seen as select id from onsite.older;
       create function onsite.one() returns int language sql as 'select 1'`,
    );
    await provision(databaseUrl, schemas);
    await query(own.schemaOwner.onsite, 'alter table onsite.older add column note text');
    const others = await query(
      databaseUrl,
      `select relname as name from pg_class where relnamespace = 'onsite'::regnamespace and relowner <> 'onsite_owner'::regrole
       union all select proname from pg_proc where pronamespace = 'onsite'::regnamespace and proowner <> 'onsite_owner'::regrole`,
    );
    expect(others).toEqual([]);
  });
});

test('provision is idempotent, also in concurrent runs on several databases', async () => {
  const other = await newDatabase();
  const targets = [databaseUrl, other, databaseUrl, other, databaseUrl, other];
  const results = await Promise.all(targets.map((target) => provision(target, schemas)));
  expect(results[0]).toEqual(urls);
  expect(await query(urls.app.catalog, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('provision works with a role that may create roles and databases but is no superuser', async () => {
  const name = `half_${randomBytes(6).toString('hex')}`;
  const superuser = new URL(await postgresUrl());
  // The same password as the superuser's: passwords derived from another one would break the roles
  // that all tests share.
  await query(
    superuser.href,
    `create role ${name} login createrole createdb password '${superuser.password}'`,
  );
  // On a separate server this role would have created the other roles itself.
  const roles = [...Object.values(urls.app), ...Object.values(urls.schemaOwner)].map(
    (url) => new URL(url).username,
  );
  const all = [new URL(urls.owner).username, ...roles].join(', ');
  await query(superuser.href, `grant ${all} to ${name} with admin option`);
  superuser.username = name;
  await query(superuser.href, `create database ${name}`);
  superuser.pathname = `/${name}`;
  const own = await provision(superuser.href, schemas);
  await query(own.owner, 'create table onsite.thing (id int)');
  expect(await query(own.app.onsite, 'select * from onsite.thing')).toEqual([]);
});

test('provisionedUrls derives the same passwords from the address, one for each role', () => {
  const derived = provisionedUrls(databaseUrl, schemas);
  expect(derived).toEqual(urls);
  const passwords = [derived.owner, ...Object.values(derived.app)].map(
    (url) => new URL(url).password,
  );
  expect(new Set(passwords).size).toBe(1 + schemas.length);
  expect(passwords).not.toContain(new URL(databaseUrl).password);
});

describe('ensureSuperuserPassword', () => {
  const role = `superuser_${randomBytes(6).toString('hex')}`;
  const as = async (password: string) => {
    const url = new URL(await postgresUrl());
    return {
      host: url.hostname,
      port: Number(url.port),
      database: 'postgres',
      user: role,
      password,
    };
  };
  const accepts = async (password: string) => {
    const client = new Client(await as(password));
    await client.connect();
    await client.end();
  };
  beforeAll(async () => query(await postgresUrl(), `create role ${role} login password 'old'`));

  test('keeps a password that is valid', async () => {
    await ensureSuperuserPassword(await as('old'), await as('older'));
    await accepts('old');
  });

  test('replaces the previous password, also in a repeated run', async () => {
    await ensureSuperuserPassword(await as('new'), await as('old'));
    await ensureSuperuserPassword(await as('new'), await as('old'));
    await accepts('new');
    await expect(accepts('old')).rejects.toMatchObject({ code: '28P01' });
  });

  test('fails if neither password is valid', async () => {
    await expect(ensureSuperuserPassword(await as('lost'), await as('old'))).rejects.toMatchObject({
      code: '28P01',
    });
    await accepts('new');
  });
});

test('an operator needs a file with the key of operators only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-operator-'));
  const key = generateKey('admin');
  writeFileSync(join(folder, 'caller-keys.json'), JSON.stringify({ admin: key }));
  chmodSync(folder, 0o500);
  expect(readCallerKey(folder, 'admin')).toEqual(key);
  expect(() => readCallerKey(folder, 'catalog')).toThrow('does not contain the key of catalog');
  expect(readdirSync(folder)).toEqual(['caller-keys.json']);
  rmSync(folder, { recursive: true });
});
