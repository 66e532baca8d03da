import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlState } from '../src/core/error-reason.ts';
import { apiErrorFromDatabase } from '../src/db/errors.ts';
import { statement } from '../src/db/statement.ts';
import { createLatch } from '../testing/latch.ts';
import { addOne, type Bank, createBank, pidOf } from './bank.ts';

let bank: Bank;
beforeAll(async () => {
  bank = await createBank();
});
afterAll(() => bank?.close());

describe('a transaction', () => {
  test('runs statements and the entity manager on one connection, and commits both together', async () => {
    const db = await bank.open(4);
    const [id] = await bank.accounts('one');
    const pids = await db.transaction(async (tx) => {
      await tx.query(addOne, [id]);
      const [row] = await tx.em.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
      expect(await bank.balanceOf(id)).toBe(0);
      return [await pidOf(tx), row?.pid];
    });
    expect(pids[0]).toBe(pids[1]);
    expect(await bank.balanceOf(id)).toBe(1);
  });

  test('rolls back and releases the connection when the work fails', async () => {
    const db = await bank.open(1);
    const [id] = await bank.accounts('one');
    const work = db.transaction(async (tx) => {
      await tx.query(addOne, [id]);
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await bank.balanceOf(id)).toBe(0);
    await db.transaction((tx) => tx.query(addOne, [id]));
    expect(await bank.balanceOf(id)).toBe(1);
  });

  test('uses a separate connection for each concurrent transaction', async () => {
    const db = await bank.open(4);
    const all = createLatch(4);
    const pids = await Promise.all(
      Array.from({ length: 4 }, () =>
        db.transaction(async (tx) => {
          const before = await pidOf(tx);
          await all.arrive();
          expect(await pidOf(tx)).toBe(before);
          return before;
        }),
      ),
    );
    expect(new Set(pids).size).toBe(4);
  });

  test('is retried after a deadlock, so that both sides commit', async () => {
    const db = await bank.open(2);
    const [a, b] = await bank.accounts('a', 'b');
    const bothHoldOne = createLatch(2);
    const states: (string | null)[] = [];
    const transfer = (first: string, second: string) => {
      let runs = 0;
      return db.transaction(async (tx) => {
        runs += 1;
        await tx.query(addOne, [first]);
        if (runs === 1) await bothHoldOne.arrive();
        await tx.query(addOne, [second]).catch((error: unknown) => {
          states.push(sqlState(error));
          throw error;
        });
      });
    };
    await Promise.all([transfer(a, b), transfer(b, a)]);
    // The retry can lock its first row before the other side wakes up, which deadlocks again: one
    // or more failures.
    expect(new Set(states)).toEqual(new Set(['40P01']));
    expect([await bank.balanceOf(a), await bank.balanceOf(b)]).toEqual([2, 2]);
  });

  test('fails after three deadlocks or serialization failures', async () => {
    const db = await bank.open(1);
    let runs = 0;
    const work = db.transaction(async (tx) => {
      runs += 1;
      await tx.em.execute("do $$ begin raise exception 'again' using errcode = '40001'; end $$");
    });
    const error: unknown = await work.catch((failure) => failure);
    expect(sqlState(error)).toBe('40001');
    expect(apiErrorFromDatabase(error)?.code).toBe(503);
    expect(runs).toBe(3);
  });

  test('runs once when it fails for any other reason', async () => {
    const db = await bank.open(1);
    let runs = 0;
    const work = db.transaction(async (tx) => {
      runs += 1;
      await tx.em.execute('select 1 / 0');
    });
    expect(sqlState(await work.catch((failure) => failure))).toBe('22012');
    expect(runs).toBe(1);
  });
});

describe('statements of a transaction that are sent together', () => {
  const divide = statement<{ result: number }>('test_divide', 'select 1 / $1::integer as result');

  test('run in the order of the calls', async () => {
    const db = await bank.open(1);
    const [id] = await bank.accounts('one');
    const read = statement<{ balance: number }>(
      'test_balance',
      'select balance from account where id = $1',
    );
    const results = await db.transaction((tx) =>
      Promise.all([tx.query(read, [id]), tx.query(addOne, [id]), tx.query(read, [id])]),
    );
    expect(results).toEqual([[{ balance: 0 }], [], [{ balance: 1 }]]);
  });

  test('fail with the error of the first one that fails', async () => {
    const db = await bank.open(1);
    const [id] = await bank.accounts('one');
    const work = db.transaction(async (tx) => {
      const failing = tx.query(divide, [0]);
      failing.catch(() => {});
      await tx.query(addOne, [id]);
      await failing;
    });
    expect(sqlState(await work.catch((error) => error))).toBe('22012');
    expect(await bank.balanceOf(id)).toBe(0);
  });

  test('commit with the statement that is sent with the commit, and pass on its rows before', async () => {
    const db = await bank.open(1);
    const [id] = await bank.accounts('one');
    const received: unknown[] = [];
    await db.transaction(async (tx) => {
      await tx.query(addOne, [id]);
      tx.send(divide, [1], (rows) => received.push(...rows));
      expect(received).toEqual([]);
    });
    expect(received).toEqual([{ result: 1 }]);
    expect(await bank.balanceOf(id)).toBe(1);
  });

  test('roll back, and fail once, when the statement that is sent with the commit fails', async () => {
    const db = await bank.open(1);
    const [id] = await bank.accounts('one');
    let runs = 0;
    const work = db.transaction(async (tx) => {
      runs += 1;
      await tx.query(addOne, [id]);
      tx.send(divide, [0], () => {});
    });
    expect(sqlState(await work.catch((error) => error))).toBe('22012');
    expect([runs, await bank.balanceOf(id)]).toEqual([1, 0]);
    await db.transaction((tx) => tx.query(addOne, [id]));
    expect(await bank.balanceOf(id)).toBe(1);
  });

  test.each(['fails', 'commits'])(
    'are rejected without an effect if they follow the end of one that %s',
    async (ending) => {
      const db = await bank.open(1);
      const [id] = await bank.accounts('one');
      let late: () => Promise<unknown> = async () => {};
      const work = db.transaction(async (tx) => {
        late = () => tx.query(addOne, [id]);
        await tx.query(divide, [ending === 'fails' ? 0 : 1]);
      });
      await work.catch(() => {});
      await expect(late()).rejects.toThrow('the transaction has ended');
      expect(await bank.balanceOf(id)).toBe(0);
    },
  );

  test('fail with the error of a statement sent before the one that reports the failed transaction', async () => {
    const db = await bank.open(1);
    const [id] = await bank.accounts('one');
    const work = db.transaction(async (tx) => {
      tx.send(divide, [0], () => {});
      await tx.query(addOne, [id]);
    });
    expect(sqlState(await work.catch((error) => error))).toBe('22012');
  });
});

describe('a prepared statement whose table was altered', () => {
  /** A table, a statement that reads it, and a change of the type of its result. */
  async function widening() {
    const table = `t_${randomUUID().replaceAll('-', '')}`;
    await bank.sql(`create table ${table} as select 1::integer as value`);
    return {
      read: statement<{ value: unknown }>(`test_read_${table}`, `select value from ${table}`),
      widen: () => bank.sql(`alter table ${table} alter column value type text`),
    };
  }

  test('works outside a transaction, on any number of connections with a plan', async () => {
    const db = await bank.open(4);
    const { read, widen } = await widening();
    const all = createLatch(4);
    await Promise.all(
      Array.from({ length: 4 }, () =>
        db.transaction(async (tx) => {
          expect(await tx.query(read)).toEqual([{ value: 1 }]);
          await all.arrive();
        }),
      ),
    );
    await widen();
    expect(await db.query(read)).toEqual([{ value: '1' }]);
    for (let i = 0; i < 4; i++) expect(await db.query(read)).toEqual([{ value: '1' }]);
  });

  test('works inside a transaction, on any number of connections with a plan', async () => {
    const db = await bank.open(4);
    const { read, widen } = await widening();
    const all = createLatch(4);
    await Promise.all(
      Array.from({ length: 4 }, () =>
        db.transaction(async (tx) => {
          await tx.query(read);
          await all.arrive();
        }),
      ),
    );
    await widen();
    let runs = 0;
    const rows = await db.transaction((tx) => {
      runs += 1;
      return tx.query(read);
    });
    expect(rows).toEqual([{ value: '1' }]);
    expect(runs).toBe(2);
  });
});
