import type { Db } from '@event-api/platform/db/database';
import { createBatchQueue } from '@event-api/platform/service/batch-queue';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import {
  type CheckinRow,
  type DoorLookup,
  type DoorLookupResult,
  findExistingCheckins,
  insertCheckins,
  loadDoors,
  type NewCheckin,
} from './queries.ts';

export interface CheckinResult {
  checkin: CheckinRow;
  /** Somebody was here before with this badge. */
  alreadyCheckedIn: boolean;
}

/** What scans have in common: many are read and written at a time. Source: docs/algorithms/check-in.md. */
export interface CheckinQueues {
  /** Reads what is known here of a badge and a door. Errors: 503 when too many wait. */
  read(lookup: DoorLookup): Promise<DoorLookupResult>;
  /**
   * Writes a check-in. Of any number for one registration and door, in any process, exactly one is the
   * first. Errors: 503 when too many wait, and whatever befalls the database: a repeat is then safe.
   */
  write(checkin: NewCheckin): Promise<CheckinResult>;
}

export function createCheckinQueues(db: Db, metrics: Metrics): CheckinQueues {
  const measureBatch = metrics.histogram('onsite.checkins.batch.size');
  const reads = createBatchQueue({
    name: 'doors',
    run: (batch: readonly DoorLookup[]) => loadDoors(db, batch),
  });
  const writes = createBatchQueue({
    name: 'checkins',
    run: (batch: readonly NewCheckin[]) => writeBatch(db, batch),
    onBatch: (size) => measureBatch(size, {}),
  });
  metrics.observe('onsite.checkins.waiting', () => reads.waiting() + writes.waiting());
  return { read: reads.submit, write: writes.submit };
}

async function writeBatch(db: Db, batch: readonly NewCheckin[]): Promise<CheckinResult[]> {
  const inserted = await insertCheckins(db, batch);
  const insertedById = new Map(inserted.map((row) => [row.id, row]));
  const duplicates = batch.filter(({ id }) => !insertedById.has(id));
  const existingByDoor = await findExistingByDoor(db, duplicates);
  return batch.map((requested) => {
    const first = insertedById.get(requested.id);
    const checkin = first ?? existingByDoor.get(doorKey(requested));
    if (!checkin) throw new Error('a check-in was neither written nor found');
    return { checkin, alreadyCheckedIn: !first };
  });
}

async function findExistingByDoor(
  db: Db,
  duplicates: readonly NewCheckin[],
): Promise<Map<string, CheckinRow>> {
  if (duplicates.length === 0) return new Map();
  const rows = await findExistingCheckins(db, duplicates);
  return new Map(rows.map((row) => [doorKey(row), row]));
}

const doorKey = (row: Pick<NewCheckin, 'registrationId' | 'subjectType' | 'subjectId'>): string =>
  `${row.registrationId} ${row.subjectType} ${row.subjectId}`;
