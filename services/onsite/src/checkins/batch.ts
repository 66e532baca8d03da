import type { Database } from '@event-api/platform/db/database';
import { announceChanges } from '@event-api/platform/messaging/changes/write';
import { createBatchQueue } from '@event-api/platform/service/batch-queue';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { insertCheckins, type NewCheckin } from './insert.ts';
import {
  type CheckinRow,
  type DoorLookup,
  type DoorLookupResult,
  findExistingCheckins,
  loadDoors,
} from './queries.ts';

export interface CheckinResult {
  checkin: CheckinRow;
  /** True when an earlier request has checked in this registration at this door. */
  alreadyCheckedIn: boolean;
}

/** Batches the reads and writes of scans. Source: docs/algorithms/check-in.md. */
export interface CheckinQueues {
  /** Reads the projected badge and the gates of a door. Errors: 503 when the queue of the event is full. */
  read(lookup: DoorLookup): Promise<DoorLookupResult>;
  /**
   * Writes a check-in. Exactly one check-in per registration and door is the first, in any number of concurrent
   * requests and processes. Errors: 503 when the queue is full; errors of the database, after which a retry is safe.
   * Reports: `checkin.created`, in the statement that writes it.
   */
  write(checkin: NewCheckin): Promise<CheckinResult>;
}

/** What check-ins need of the database. */
type CheckinDatabase = Pick<Database, 'query' | 'committed' | 'omitsChanges'>;

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
): Promise<CheckinResult[]> {
  const inserted = await insertCheckins(db, batch);
  if (inserted.length > 0) await announceChanges(db);
  const insertedById = new Map(inserted.map((row) => [row.id, row]));
  const duplicates = batch.filter(({ id }) => !insertedById.has(id));
  const existingByDoor = await findExistingByDoor(db, duplicates);
  return batch.map((requested) => {
    const first = insertedById.get(requested.id);
    const checkin = first ?? existingByDoor.get(doorKey(requested));
    if (!checkin) throw new Error('failed to write or find a check-in');
    return { checkin, alreadyCheckedIn: !first };
  });
}

async function findExistingByDoor(
  db: CheckinDatabase,
  duplicates: readonly NewCheckin[],
): Promise<Map<string, CheckinRow>> {
  if (duplicates.length === 0) return new Map();
  const rows = await findExistingCheckins(db, duplicates);
  return new Map(rows.map((row) => [doorKey(row), row]));
}

const doorKey = (row: Pick<NewCheckin, 'registrationId' | 'subjectType' | 'subjectId'>): string =>
  `${row.registrationId} ${row.subjectType} ${row.subjectId}`;
