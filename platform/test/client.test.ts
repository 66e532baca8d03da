import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceClient } from '../src/db/client.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { postgresUrl } from '../testing/servers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
});
afterAll(() => database?.drop());

const clients: pg.Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.end().catch(() => {}))));

async function connect(query_timeout: number): Promise<pg.Client> {
  const options = { connectionString: database.url, pipeline: true, query_timeout };
  const client: pg.Client = new ServiceClient(options);
  client.on('error', () => {});
  clients.push(client);
  await client.connect();
  return client;
}

const nap = 'select pg_sleep(30)';

describe('a statement', () => {
  test('returns its result, to a promise and to a callback', async () => {
    const client = await connect(5000);
    expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
    expect((await client.query('select $1::int as n', [2])).rows).toEqual([{ n: 2 }]);
    const rows = new Promise((resolve) => {
      client.query('select 3 as n', (_error: Error | null, result: pg.QueryResult) =>
        resolve(result.rows),
      );
    });
    expect(await rows).toEqual([{ n: 3 }]);
  });

  test('fails with the stack trace of its caller', async () => {
    const client = await connect(5000);
    async function theCaller() {
      await client.query('select 1 / 0');
    }
    const error = await theCaller().catch((failure: Error) => failure);
    expect(error).toMatchObject({ code: '22012', stack: expect.stringContaining('theCaller') });
    expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
  });

  test('fails once when the server does not respond in time, and the connection is closed', async () => {
    const client = await connect(50);
    await expect(client.query(nap)).rejects.toThrow('Query read timeout');
    await expect(client.query('select 1')).rejects.toThrow(/not queryable|terminated/);
    const failures: unknown[] = [];
    const other = await connect(50);
    const ended = new Promise((resolve) => other.once('end', resolve));
    other.query(nap, (error: Error | null) => void failures.push(error?.message));
    await ended;
    expect(failures).toEqual(['Query read timeout']);
  });
});
