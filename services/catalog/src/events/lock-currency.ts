import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Database } from '@event-api/platform/db/database';
import { eventSource, readCurrency, writeCurrencyLock } from './queries.ts';

/**
 * Keeps the currency of an event as it is for good, and returns it. Every order asks for this, so one
 * that is locked costs a read only: nothing unlocks it or changes the currency any more.
 *
 * Errors: 404. Locks: the event's row, if the currency was not locked. Emits: the event, once.
 */
export async function lockCurrency(
  db: Database,
  { businessUnitId, eventId }: EventScope,
): Promise<string> {
  const { currency, isLocked } = await readCurrency(db, businessUnitId, eventId);
  if (isLocked) return currency;
  return db.transaction(async (tx) => {
    const locked = await writeCurrencyLock(tx, businessUnitId, eventId);
    // Another order was faster, and its lock is committed.
    if (locked === null) return (await readCurrency(tx, businessUnitId, eventId)).currency;
    await eventSource.emit(tx, [eventId]);
    return locked;
  });
}
