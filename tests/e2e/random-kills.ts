import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@event-api/platform/testing/eventually';
import type { TestResponse } from '@event-api/platform/testing/http-client';
import type { BusFixture } from './fixtures/bus.ts';

/** Kills commerce and registration at random times, and starts them again, while `work` runs. */
export async function whileKilling<Result>(
  bus: BusFixture,
  next: () => number,
  work: () => Promise<Result>,
): Promise<Result> {
  let isDone = false;
  const kill = async () => {
    while (!isDone) {
      await delay(1500 + next() * 1500);
      const service = next() < 0.6 ? 'commerce' : 'registration';
      await bus.processes.stop(service, 'SIGKILL');
      await bus.processes.restart(service);
    }
  };
  const killing = kill();
  try {
    return await work();
  } finally {
    isDone = true;
    await killing;
  }
}

/** A process is killed again and again meanwhile, and a busy machine starts it slowly. */
const retryForMs = 180_000;

/** Retries while a process restarts. */
export const retryWhileDown = <Reply extends { status: number }>(
  request: () => Promise<Reply>,
): Promise<Reply> =>
  eventually(async () => {
    const reply = await request();
    if (reply.status >= 500) throw new Error(`status ${reply.status}`);
    return reply;
  }, retryForMs);

/** Retries until the request is decided: done, or refused for a reason that stays. */
export const untilDefinite = (request: () => Promise<TestResponse>): Promise<TestResponse> =>
  retryWhileDown(async () => {
    const reply = await request();
    return reply.body?.error?.status === 'ABORTED' || reply.status === 429
      ? { ...reply, status: 503 }
      : reply;
  });

/** Waits until commerce has finished all orders, payments, refunds and changes. */
export const untilFinished = (bus: BusFixture): Promise<void> =>
  eventually(async () => {
    const rows = await bus.database.sql(
      `select id, status from commerce.customer_order
         where status in ('held', 'awaiting_payment') or intent is not null or (status = 'refunded' and revoked_at is null)
           or (status = 'expired' and settlement_id is not null)
       union all select id, state from commerce.settlement where state = 'received'
       union all select id, state from commerce.refund where state = 'pending'
       union all select id, state from commerce.order_change where state = 'executing'`,
    );
    if (rows.length > 0) throw new Error(`unfinished: ${JSON.stringify(rows.slice(0, 5))}`);
  }, 120_000);
