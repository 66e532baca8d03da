import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import {
  createIdempotencyHarness,
  type IdempotencyHarness,
  newKey,
} from './idempotency-harness.ts';

let world: IdempotencyHarness;
const start = async (intervalMs: number) => {
  world = await createIdempotencyHarness({ intervalMs });
};
afterEach(() => world?.close());

/** Rows of `age` with stored responses. */
const insertKeys = (count: number, age: string) =>
  world.database.sql(
    `insert into test.idempotency_key
       (business_unit_id, operation, key, request_hash, id_seed, lease_until, created_at, response_status,
        response_body)
     select 'unit_1', 'createThing', 'old-' || $2 || n, 'h', 's', now(), now() - $2::interval, 201, repeat('x', 200)
     from generate_series(1, $1) n`,
    [count, age],
  );

const count = async (): Promise<number> =>
  (
    await world.database.sql<{ n: number }>('select count(*)::int as n from test.idempotency_key')
  )[0]?.n ?? -1;

describe('expired keys', () => {
  test('are all deleted at once while requests with keys succeed', async () => {
    // Before the deadline there are at most twelve cleanups, too few to delete one batch each.
    await start(5000);
    await insertKeys(100_000, '25 hours');
    await insertKeys(10, '23 hours');
    let requests = 0;
    const deadline = performance.now() + 60_000;
    while ((await count()) > 10 + requests && performance.now() < deadline) {
      const key = newKey();
      expect((await world.post(key)).status).toBe(201);
      expect((await world.post(key)).headers['idempotent-replayed']).toBe('true');
      requests += 1;
    }
    expect(requests).toBeGreaterThan(0);
    expect(await count()).toBe(10 + requests);
    expect(await world.metrics()).toMatch(/^idempotency_cleanup_failures_total\S* 0$/m);
  });

  test('are deleted beside a row that another connection holds', async () => {
    await start(200);
    const holder = await world.database.session();
    // The cleanup may delete the row before it is locked. Then new rows give another chance.
    await eventually(async () => {
      await eventually(async () => expect(await count()).toBe(0));
      await insertKeys(3000, '25 hours');
      await holder.sql('begin');
      const lock = `select 1 from test.idempotency_key where key = 'old-25 hours1' for update`;
      const locked = (await holder.sql(lock)) as { rows: unknown[] };
      if (locked.rows.length === 0) await holder.sql('rollback');
      expect(locked.rows).toHaveLength(1);
    });
    await eventually(async () => expect(await count()).toBe(1));
    await holder.sql('commit');
    await holder.end();
    await eventually(async () => expect(await count()).toBe(0));
  });

  test('cause a log line and a count when their deletion fails, and are deleted by a later attempt', async () => {
    await start(200);
    await world.database.sql('alter table test.idempotency_key rename to hidden');
    await eventually(async () => {
      expect(await world.metrics()).toMatch(/^idempotency_cleanup_failures_total\S* [1-9]/m);
    });
    const line = world.logLines.find((each) => each.includes('failed to delete expired'));
    expect(line).toContain('does not exist');
    await world.database.sql('alter table test.hidden rename to idempotency_key');
    await insertKeys(5, '25 hours');
    await eventually(async () => expect(await count()).toBe(0));
  });
});
