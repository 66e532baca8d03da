import { newId } from '@event-api/platform/core/ids';
import { expect, test } from 'vitest';
import { replaceRegistrations } from '../src/refunds/cancelled-seats.queries.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

/** Stores a cancelled seat: what is paid back for it, or null before that is decided. */
const insertSeat = (orderId: string, registrationId: string, refundAmount: number | null) =>
  database.sql(
    `insert into commerce.cancelled_seat (registration_id, order_id, business_unit_id, event_id, cancelled_at, decided_at,
       refund_amount, last_attempt_at)
     values ($2, $1, 'unit_1', 'evt_1', now(), case when $3::int is not null then now() end, coalesce($3, 0), now())`,
    [orderId, registrationId, refundAmount],
  );

const seatsOf = (orderId: string) =>
  database.sql(
    `select registration_id as id, case when decided_at is not null then refund_amount::int end as refund from commerce.cancelled_seat where order_id = $1 order by 1`,
    [orderId],
  );

const replace = (orderId: string, replaced: [string, string][]) =>
  db.transaction((tx) => replaceRegistrations(tx, orderId, new Map(replaced)));

test('what was decided about a seat follows its new registration, also if that is cancelled already', async () => {
  const id = newId('ord');
  const [former, fresh, other] = [newId('reg'), newId('reg'), newId('reg')];
  await insertSeat(id, former, 400);
  await insertSeat(id, fresh, null);
  await insertSeat(id, other, 100);
  await replace(id, [[former, fresh]]);
  expect(await seatsOf(id)).toEqual([
    { id: fresh, refund: 400 },
    { id: other, refund: 100 },
  ]);
});

test('the cancellation of a new registration stays to be decided if nothing was decided before', async () => {
  const id = newId('ord');
  const [former, fresh] = [newId('reg'), newId('reg')];
  await insertSeat(id, fresh, null);
  await replace(id, [[former, fresh]]);
  expect(await seatsOf(id)).toEqual([{ id: fresh, refund: null }]);
});
