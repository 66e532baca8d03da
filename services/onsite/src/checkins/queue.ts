import { createBatcher } from '@event-api/platform/batcher';
import type { Db } from '@event-api/platform/db/database';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import {
  type AtDoor,
  type CheckinRow,
  type DoorQuestion,
  findEarlier,
  insertCheckins,
  type NewCheckin,
  readDoors,
} from './queries.ts';

export interface CheckinResult {
  checkin: CheckinRow;
  /** Somebody was here before with this badge. */
  alreadyCheckedIn: boolean;
}

/** What scans have in common: many are read and written at a time. Source: docs/algorithms/check-in.md. */
export interface DoorQueues {
  /** Reads what is known here of a badge and a door. Errors: 503 when too many wait. */
  read(asked: DoorQuestion): Promise<AtDoor>;
  /**
   * Writes a check-in. Of any number for one registration and door, in any process, exactly one is the
   * first. Errors: 503 when too many wait, and whatever befalls the database: a repeat is then safe.
   */
  write(asked: NewCheckin): Promise<CheckinResult>;
}

export function createDoorQueues(db: Db, metrics: Metrics): DoorQueues {
  const measureBatch = metrics.histogram('onsite.checkins.batch.size');
  const reads = createBatcher({
    name: 'doors',
    run: (batch: readonly DoorQuestion[]) => readDoors(db, batch),
  });
  const writes = createBatcher({
    name: 'checkins',
    run: (batch: readonly NewCheckin[]) => writeBatch(db, batch),
    onBatch: (size) => measureBatch(size, {}),
  });
  metrics.observe('onsite.checkins.waiting', () => reads.waiting() + writes.waiting());
  return { read: reads.ask, write: writes.ask };
}

async function writeBatch(db: Db, batch: readonly NewCheckin[]): Promise<CheckinResult[]> {
  const made = await insertCheckins(db, batch);
  const firsts = new Map(made.map((row) => [row.id, row]));
  const repeats = batch.filter(({ id }) => !firsts.has(id));
  const before = await earlierOf(db, repeats);
  return batch.map((asked) => {
    const first = firsts.get(asked.id);
    const checkin = first ?? before.get(doorOf(asked));
    if (!checkin) throw new Error('a check-in was neither written nor found');
    return { checkin, alreadyCheckedIn: !first };
  });
}

async function earlierOf(db: Db, repeats: readonly NewCheckin[]): Promise<Map<string, CheckinRow>> {
  if (repeats.length === 0) return new Map();
  const rows = await findEarlier(db, repeats);
  return new Map(rows.map((row) => [doorOf(row), row]));
}

const doorOf = (row: Pick<NewCheckin, 'registrationId' | 'subjectType' | 'subjectId'>): string =>
  `${row.registrationId} ${row.subjectType} ${row.subjectId}`;
