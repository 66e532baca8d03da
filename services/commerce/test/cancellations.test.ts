import { countActive } from '@event-api/contracts/internal/event-cancellation';
import { createLogger } from '@event-api/platform/core/log';
import type { Db } from '@event-api/platform/db/database';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { eventually } from '@event-api/platform/testing/eventually';
import { beforeEach, expect, test } from 'vitest';
import { startCancellations } from '../src/cancellations/cancellations.job.ts';
import {
  beginCancellations,
  claimCancellations,
} from '../src/cancellations/cancellations.queries.ts';
import { type CancellationDeps, continueCancellation } from '../src/cancellations/continue.ts';
import { createCommerceMetrics } from '../src/metrics.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

/** Registration, which has nothing left of any event. */
const registration = {
  call: async (operation: unknown) =>
    operation === countActive ? { confirmed: 0, pending: 0, waitlisted: 0 } : { left: 0 },
};

const depsWith = (used: Db) =>
  ({
    db: used,
    registration,
    log: createLogger({ service: 'test', level: 'silent' }),
    metrics: createCommerceMetrics(createMetrics('commerce')),
  }) as unknown as CancellationDeps;

/** Cancelled events, each with so many free orders that are paid. */
async function createCancelled(eventIds: readonly string[], orders: number): Promise<void> {
  await database.sql(
    `insert into commerce.event_projection (id, business_unit_id, event_id, version, name, status, currency,
       currency_locked, timezone, cancelled_at, cancellation_refund)
     select id, 'unit_1', id, 1, 'Event', 'published', 'EUR', false, 'UTC', now(), 'none' from unnest($1::text[]) id`,
    [eventIds],
  );
  await database.sql(
    `with o as (insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, hold_expires_at, placed_at, paid_at, last_attempt_at, version)
     select id || n, 'unit_1', id, id || n, 'a@example.com', 'paid', 'EUR', 0, '[]', '{}', now(), now(), now(), now(), 1
     from unnest($1::text[]) id, generate_series(1, $2::int) n
     returning id)
     insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount,
       discount_amount, total_amount, attendees, first_seat, seat_count, registration_ids)
     select id, 0, 'registration_type', 'tt_1', 'Day pass', 1, 0, 0, 0, '[]', 0, 0, '{}' from o`,
    [eventIds, orders],
  );
}

beforeEach(() =>
  database.sql(
    'truncate commerce.customer_order, commerce.order_line, commerce.event_projection, commerce.event_cancellation',
  ),
);

test('an attempt begins no order after its budget, and the next one continues', async () => {
  await createCancelled(['evt_1'], 20);
  await beginCancellations(db);
  const [claimed] = await claimCancellations(db, 1, 10_000);
  if (!claimed) throw new Error('nothing is claimed');
  const late = await continueCancellation(depsWith(db), claimed, 0);
  expect(late).toMatchObject({ registrations: 0, undecidedOrders: 20 });
  const inTime = await continueCancellation(depsWith(db), claimed);
  expect(inTime).toMatchObject({ registrations: 0, undecidedOrders: 0 });
});

test('an event that fails leaves the others of the turn', async () => {
  const others = ['evt_2', 'evt_3', 'evt_4', 'evt_5', 'evt_6'];
  await createCancelled(['evt_1', ...others], 2);
  // More events than a replica continues at the same time, and the first one fails.
  await beginCancellations(db);
  await database.sql(
    `update commerce.event_cancellation set next_attempt_at = '-infinity' where event_id = 'evt_1'`,
  );
  const failing = new Proxy(db, {
    get(target, key, receiver) {
      if (key !== 'query') return Reflect.get(target, key, receiver);
      return async (...args: Parameters<Db['query']>) => {
        if (args[1]?.[0] === 'evt_1') throw new Error('the database has failed');
        return target.query(...args);
      };
    },
  });
  // The next turn would be too late.
  const loop = startCancellations(depsWith(failing), 600_000);
  loop.wake();
  try {
    await eventually(async () => {
      const finished = await database.sql<{ id: string }>(
        'select event_id as id from commerce.event_cancellation where finished_at is not null order by 1',
      );
      expect(finished.map(({ id }) => id)).toEqual(others);
    });
  } finally {
    await loop.stop();
  }
});
