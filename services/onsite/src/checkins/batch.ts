import type { Database } from '@event-api/platform/db/database';
import { announceChanges } from '@event-api/platform/messaging/changes/write';
import { createBatchQueue } from '@event-api/platform/service/batch-queue';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { timeouts } from '../timeouts.ts';
import {
  type CheckinRow,
  type DoorLookup,
  type DoorLookupResult,
  doorKey,
  findCheckinsByIds,
  findExistingCheckins,
  loadDoors,
} from './checkins.queries.ts';
import { insertCheckins, type NewCheckin } from './insert.ts';

export interface CheckinResult {
  checkin: CheckinRow;
  /** True when an earlier request has checked in this registration at this door. */
  alreadyCheckedIn: boolean;
}

/** Batches the reads and writes of scans. Source: docs/algorithms/check-in.md. */
export interface CheckinQueues {
  /**
   * Reads the projected badge and the gates of a door. Errors: 503 when the queue of the event is
   * full.
   */
  read(lookup: DoorLookup): Promise<DoorLookupResult>;
  /**
   * Writes a check-in. Exactly one check-in per registration and door is the first, in any number
   * of concurrent requests and processes; an undone one does not count. Errors: 503 when the queue
   * is full; errors of the database, after which a retry is safe.
   * Reports: `checkin.created`, in the statement that writes it.
   */
  write(checkin: NewCheckin): Promise<CheckinResult>;
}

/** What check-ins need of the database. */
type CheckinDatabase = Pick<Database, 'query' | 'committed'>;

export function createCheckinQueues(db: CheckinDatabase, metrics: Metrics): CheckinQueues {
  const measureBatch = metrics.histogram('onsite.checkins.batch.size');
  const reads = createBatchQueue({
    name: 'doors',
    groupOf: eventOf,
    run: (batch: readonly DoorLookup[]) => loadDoors(db, batch),
  });
  const writes = createBatchQueue({
    name: 'checkins',
    groupOf: eventOf,
    run: (batch: readonly NewCheckin[]) => writeBatch(db, batch),
    onBatch: (size) => measureBatch(size, {}),
  });
  metrics.observe('onsite.checkins.queued', () => reads.waiting() + writes.waiting());
  return { read: reads.submit, write: writes.submit };
}

/** Events take turns, so that the queue of one event does not delay the doors of another. */
const eventOf = ({ eventId }: Pick<NewCheckin, 'eventId'>): string => eventId;

async function writeBatch(
  db: CheckinDatabase,
  batch: readonly NewCheckin[],
  attempt = 1,
): Promise<CheckinResult[]> {
  const inserted = await insertCheckins(db, batch);
  if (inserted.length > 0) await announceChanges(db);
  const insertedById = new Map(inserted.map((row) => [row.id, row]));
  const duplicates = batch.filter(({ id }) => !insertedById.has(id));
  const existing = await findExisting(db, duplicates);
  const undone = duplicates.filter((requested) => !existing.has(requested));
  if (undone.length > 0 && attempt === timeouts.insertAttempts) {
    throw new Error('failed to write or find a check-in');
  }
  const repeated = undone.length > 0 ? await writeBatch(db, undone, attempt + 1) : [];
  const repeatedById = new Map(undone.map(({ id }, index) => [id, repeated[index]]));
  return batch.map((requested) => {
    const first = insertedById.get(requested.id);
    if (first) return { checkin: first, alreadyCheckedIn: false };
    const checkin = existing.get(requested);
    const result = checkin ? { checkin, alreadyCheckedIn: true } : repeatedById.get(requested.id);
    if (!result) throw new Error('failed to write or find a check-in');
    return result;
  });
}

/**
 * The check-in of each request that was not inserted: the one at its door, or the one that an
 * earlier attempt of the request has written and that is undone. A request has none if the check-in
 * at its door was undone after the insert.
 */
async function findExisting(
  db: CheckinDatabase,
  duplicates: readonly NewCheckin[],
): Promise<Map<NewCheckin, CheckinRow>> {
  if (duplicates.length === 0) return new Map();
  const atDoors = new Map(
    (await findExistingCheckins(db, duplicates)).map((row) => [doorKey(row), row]),
  );
  const missing = duplicates.filter((requested) => !atDoors.has(doorKey(requested)));
  const own = missing.length > 0 ? await findCheckinsByIds(db, missing) : [];
  const ownById = new Map(own.map((row) => [row.id, row]));
  const found = new Map<NewCheckin, CheckinRow>();
  for (const requested of duplicates) {
    const row = atDoors.get(doorKey(requested)) ?? ownById.get(requested.id);
    if (row) found.set(requested, row);
  }
  return found;
}
