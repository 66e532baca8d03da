import type { EventScope } from '@event-api/contracts/internal/scope';
import { statement } from '@event-api/platform/db/statement';
import { eventually } from '@event-api/platform/testing/eventually';
import { expect } from 'vitest';
import type { TestRegistration } from '../harness.ts';

const lockRow = statement(
  'test_lock_event',
  'select event_id from registration.event_lock where event_id = $1 for update',
);

/** Takes an event's lock, as a slow replica would, and returns the function that releases it. */
export async function holdLock(
  { replica, sql }: TestRegistration,
  { businessUnitId, eventId }: EventScope,
): Promise<() => Promise<void>> {
  await sql('insert into registration.event_lock values ($1, $2) on conflict do nothing', [
    eventId,
    businessUnitId,
  ]);
  const { promise: wanted, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: hasLocked } = Promise.withResolvers<void>();
  const transaction = replica(1).db.transaction(async (tx) => {
    await tx.query(lockRow, [eventId]);
    hasLocked();
    await wanted;
  });
  await Promise.race([locked, transaction]);
  return async () => {
    release();
    await transaction;
  };
}

/** Resolves when exactly `count` connections of this database wait for a lock. */
export const someWaitForLock = ({ sql }: TestRegistration, count = 1) =>
  eventually(async () => {
    const rows = await sql(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(count);
  });
