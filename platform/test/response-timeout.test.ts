import pg, { type PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitResponseTime } from '../src/db/response-timeout.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { collectGarbage, oldBytes } from '../testing/heap.ts';
import { postgresUrl } from '../testing/servers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
});
afterAll(() => database?.drop());

const clients: pg.Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.end().catch(() => {}))));

async function connect(timeoutMs: number | null): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  clients.push(client);
  await client.connect();
  if (timeoutMs !== null) limitResponseTime(client as unknown as PoolClient, timeoutMs);
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

describe('the rows of a statement', () => {
  /**
   * The bytes that 20 statements with about half a megabyte of rows each add to the old generation.
   */
  async function oldBytesOf(client: pg.Client): Promise<number> {
    const rows = "select i, repeat('x', 100) || i as text from generate_series(1, 3000) i";
    await client.query(rows);
    collectGarbage({ type: 'major' });
    let added = 0;
    for (let n = 0; n < 20; n++) {
      const before = oldBytes();
      await client.query(rows);
      // Nothing refers to the result from here.
      await new Promise(setImmediate);
      // What survives two collections is old.
      collectGarbage({ type: 'minor' });
      collectGarbage({ type: 'minor' });
      // Less than nothing if a major collection has run.
      added += Math.max(0, oldBytes() - before);
    }
    return added;
  }

  test('do not become old garbage', async () => {
    expect(await oldBytesOf(await connect(5000))).toBeLessThan(5_000_000);
  });

  test('become old garbage with the promises of pg, which is why they are replaced', async () => {
    expect(await oldBytesOf(await connect(null))).toBeGreaterThan(7_000_000);
  });
});
