import { newId } from '@event-api/platform/core/ids';
import { openDatabase } from '@event-api/platform/db/database';
import { migrate } from '@event-api/platform/db/migrations';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEvent } from '../src/events/events.commands.ts';
import { catalogOrm } from '../src/orm.ts';
import { createTestEvent } from './fixtures.ts';
import { startCatalog } from './harness.ts';

describe('the migrations', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(await postgresUrl());
  });
  afterAll(() => database?.drop());

  const applied = () =>
    database.sql<{ name: string }>('select name from catalog.mikro_orm_migrations order by name');

  test('are applied once by two concurrent deploys, and a third one applies none', async () => {
    const both = await Promise.all([
      migrate(catalogOrm(database.url)),
      migrate(catalogOrm(database.url)),
    ]);
    const names = both.flat();
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
    expect(await migrate(catalogOrm(database.url))).toEqual([]);
    expect((await applied()).map(({ name }) => name)).toEqual(names.toSorted());
  });

  test('create the tables of the entities', async () => {
    const orm = await MikroORM.init(catalogOrm(database.url));
    try {
      expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
      await database.sql('alter table catalog.event drop column features');
      expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toContain('features');
    } finally {
      await orm.close(true);
    }
  });
});

describe('an unavailable database', () => {
  test('returns a retryable 503 for each operation, and the process stays up but not ready', async () => {
    const catalog = await startCatalog({ databaseUrl: 'postgres://user@127.0.0.1:9/none' });
    try {
      const call = await catalog.as(newId('unit'));
      const requests = [
        call('GET', '/v1/events'),
        call('POST', '/v1/events', { body: { name: 'Summit', timezone: 'UTC' } }),
        call('PATCH', '/v1/events/evt_1', { body: {} }),
        call('GET', '/v1/events/evt_1/ticket-types'),
      ];
      for (const { status, headers, body } of await Promise.all(requests)) {
        expect(status).toBe(503);
        expect(headers['retry-after']).toBe('1');
        expect(body.error).toEqual({
          code: 503,
          status: 'UNAVAILABLE',
          message: 'Temporarily unavailable, please try again',
        });
      }
      const internal = httpClient(catalog.internalUrl);
      expect((await internal('GET', '/healthz')).status).toBe(200);
      expect((await internal('GET', '/readyz')).status).toBe(503);
      expect((await call('POST', '/v1/events', { body: {} })).status).toBe(400);
    } finally {
      await catalog.close();
    }
  });

  test('that comes back is used again, and the process stayed ready', async () => {
    const catalog = await startCatalog();
    try {
      const call = await catalog.as(newId('unit'));
      const internal = httpClient(catalog.internalUrl);
      await eventually(async () => expect((await internal('GET', '/readyz')).status).toBe(200));
      const event = await createTestEvent(call);
      await catalog.sql(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      expect((await internal('GET', '/readyz')).status).toBe(200);
      const response = await eventually(async () => {
        const read = await call('GET', `/v1/events/${event.id}`);
        expect(read.status).toBe(200);
        return read;
      });
      expect(response.body).toEqual(event);
    } finally {
      await catalog.close();
    }
  });
});

describe('a public id that already exists', () => {
  test('is generated again a few times, then the request fails', async () => {
    const database = await createTestDatabase(await postgresUrl());
    await migrate(catalogOrm(database.url));
    const db = await openDatabase(catalogOrm(database.url), 1);
    const caller = {
      issuer: 'gateway',
      audience: 'api',
      businessUnitId: newId('unit'),
      defaultCurrency: 'EUR',
      keyId: '',
      permissions: null,
      events: null,
      doors: null,
      actor: { type: 'key', id: null },
    } as const;
    const create = () => createEvent(db, caller, { name: 'Summit', timezone: 'UTC' });
    await database.sql(`
      create sequence public.tries minvalue -5;
      grant usage on sequence public.tries to public;
      create function public.choose() returns trigger language plpgsql as $$ begin
        if nextval('public.tries') <= 0 then new.public_id := 'summit-000000'; end if;
        return new; end $$;
      create trigger choose before insert on catalog.event for each row execute function public.choose()`);
    /** Gives this number of new events the same id. */
    const alike = (times: number) =>
      database.sql(`alter sequence public.tries restart with ${1 - times}`);
    try {
      await alike(1);
      await create();
      await alike(4);
      expect((await create()).publicId).not.toBe('summit-000000');
      await alike(5);
      await expect(create()).rejects.toMatchObject({ code: '23505' });
      await alike(0);
      expect((await create()).publicId).not.toBe('summit-000000');
      const first = `select count(*)::int from catalog.event where public_id = 'summit-000000'`;
      expect(await database.sql(first)).toEqual([{ count: 1 }]);
    } finally {
      await db.close();
      await database.drop();
    }
  });
});
