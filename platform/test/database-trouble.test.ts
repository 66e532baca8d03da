import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlState } from '../src/core/error-reason.ts';
import { apiErrorFromDatabase } from '../src/db/errors.ts';
import { statement } from '../src/db/statement.ts';
import { eventually } from '../testing/eventually.ts';
import { createLatch } from '../testing/latch.ts';
import { startTcpProxy } from '../testing/tcp-proxy.ts';
import { addOne, type Bank, createBank, ownPid, pidOf } from './bank.ts';

let bank: Bank;
beforeAll(async () => {
  bank = await createBank();
});
afterAll(() => bank?.close());

const nap = statement('test_nap', 'select pg_sleep($1)');
const kill = (pid: number | undefined) => bank.sql('select pg_terminate_backend($1)', [pid]);

describe('a lost connection', () => {
  test('is replaced without an error when it was idle', async () => {
    const db = await bank.open(1);
    const [before] = await db.query(ownPid);
    await kill(before?.pid);
    const [after] = await eventually(() => db.query(ownPid));
    expect(after?.pid).not.toBe(before?.pid);
  });

  test('causes a 503 for the running statement only', async () => {
    const db = await bank.open(1);
    const [pid] = await db.query(ownPid);
    const sleeping = db.query(nap, [3]).catch((failure: unknown) => failure);
    await eventually(async () => {
      const busy = "select 1 from pg_stat_activity where pid = $1 and state = 'active'";
      expect(await bank.sql(busy, [pid?.pid])).toHaveLength(1);
    });
    await kill(pid?.pid);
    expect(apiErrorFromDatabase(await sleeping)?.code).toBe(503);
    expect(await db.query(ownPid)).toHaveLength(1);
  });

  test('causes a 503 for the open transaction, and the process keeps running', async () => {
    const db = await bank.open(1);
    const [id] = await bank.accounts('one');
    const work = db.transaction(async (tx) => {
      await tx.query(addOne, [id]);
      const pid = await pidOf(tx);
      await kill(pid);
      await eventually(async () =>
        expect(await bank.sql('select 1 from pg_stat_activity where pid = $1', [pid])).toEqual([]),
      );
      await tx.query(addOne, [id]);
    });
    expect(apiErrorFromDatabase(await work.catch((failure) => failure))?.code).toBe(503);
    expect(await bank.balanceOf(id)).toBe(0);
    await db.transaction((tx) => tx.query(addOne, [id]));
    expect(await bank.balanceOf(id)).toBe(1);
  });
});

describe('a server that has moved while its connections stayed open', () => {
  test('costs the requests of that moment their time limit, and none of those after', async () => {
    const proxy = await startTcpProxy(bank.url);
    const db = await bank.open(4, proxy.url);
    try {
      // Four connections, of which each request would use another one.
      await Promise.all(Array.from({ length: 4 }, () => db.query(nap, [0.2])));
      expect(db.pool()).toMatchObject({ idle: 4 });
      proxy.abandon();
      const lost = await db.query(ownPid).catch((failure: unknown) => failure);
      expect(apiErrorFromDatabase(lost)?.code).toBe(503);
      const begun = performance.now();
      for (let request = 0; request < 4; request++) {
        expect(await db.query(ownPid)).toHaveLength(1);
        await db.transaction(pidOf);
      }
      expect(performance.now() - begun).toBeLessThan(2000);
    } finally {
      await proxy.close();
    }
  });

  test('is noticed by both sides within seconds, also without a request', async () => {
    const db = await bank.open(1);
    const shown = statement<{ idle: string; unacknowledged: string }>(
      'test_keep_alive',
      `select current_setting('tcp_keepalives_idle') as idle,
        current_setting('tcp_user_timeout') as unacknowledged`,
    );
    expect(await db.query(shown)).toEqual([{ idle: '5', unacknowledged: '11000' }]);
  });
});

describe.concurrent('a busy database', () => {
  test('causes a 503 after about two seconds without a free connection, for reads and transactions', async () => {
    const db = await bank.open(1);
    const release = createLatch(2);
    const held = createLatch(2);
    const holder = db.transaction(async () => {
      void held.arrive();
      await release.arrive();
    });
    await held.arrive();
    // A pool that waits longer does so each time.
    await eventually(async () => {
      const begun = performance.now();
      const refused = await Promise.all([
        db.query(ownPid).catch((failure: unknown) => failure),
        db.transaction(pidOf).catch((failure: unknown) => failure),
      ]);
      const seconds = (performance.now() - begun) / 1000;
      expect(refused.map((error) => apiErrorFromDatabase(error)?.code)).toEqual([503, 503]);
      expect(seconds).toBeGreaterThan(1.5);
      expect(seconds).toBeLessThan(4);
    });
    await release.arrive();
    await holder;
    expect(await db.query(ownPid)).toHaveLength(1);
  });

  test('causes a 503 after about two seconds for a locked row', async () => {
    const db = await bank.open(2);
    const [id] = await bank.accounts('one');
    const release = createLatch(2);
    const locked = createLatch(2);
    const holder = db.transaction(async (tx) => {
      await tx.query(addOne, [id]);
      await locked.arrive();
      await release.arrive();
    });
    await locked.arrive();
    const refused = await db
      .transaction((tx) => tx.query(addOne, [id]))
      .catch((failure) => failure);
    await release.arrive();
    await holder;
    expect(sqlState(refused)).toBe('55P03');
    expect(apiErrorFromDatabase(refused)?.code).toBe(503);
  });

  test('causes a 504 when a statement takes more than three seconds', async () => {
    const db = await bank.open(1);
    const refused = await db.query(nap, [6]).catch((failure) => failure);
    expect(apiErrorFromDatabase(refused)?.code).toBe(504);
    expect(await db.query(ownPid)).toHaveLength(1);
  });
});
