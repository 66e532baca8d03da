import type { Db } from '@event-api/platform/db/database';
import { unavailable } from '@event-api/platform/errors';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { shareWork } from '@event-api/platform/telemetry/shared-work';
import { currentTrace, type TraceScope } from '@event-api/platform/telemetry/trace-scope';
import { type CheckinRow, findEarlier, insertCheckins, type NewCheckin } from './queries.ts';

export interface CheckinResult {
  checkin: CheckinRow;
  /** Somebody was here before with this badge. */
  alreadyCheckedIn: boolean;
}

export interface CheckinWriter {
  /**
   * Writes a check-in together with whatever else is waiting. Of any number for one registration and
   * door, in any process, exactly one is the first. Errors: 503 when too many wait, and whatever befalls
   * the database: a repeat is then safe.
   */
  write(asked: NewCheckin): Promise<CheckinResult>;
}

interface Waiting {
  asked: NewCheckin;
  trace: TraceScope | null;
  resolve: (result: CheckinResult) => void;
  reject: (error: unknown) => void;
}

const maxBatch = 256;
const maxWaiting = 5000;

/**
 * Nothing waits for a timer: a batch takes all that has come while the one before it was under way, so
 * that batches grow with the load and an idle door answers at once.
 */
export function createCheckinWriter(db: Db, metrics: Metrics): CheckinWriter {
  let waiting: Waiting[] = [];
  const measureBatch = metrics.histogram('onsite.checkins.batch.size');
  metrics.observe('onsite.checkins.waiting', () => waiting.length);
  let isWorking = false;

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      measureBatch(batch.length, {});
      await shareWork(
        spanOf(batch),
        batch.map(({ trace }) => trace),
        () => writeBatch(db, batch),
      );
    }
    isWorking = false;
  }

  return {
    write: (asked) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) return reject(unavailable(new Error('too many wait')));
        waiting.push({ asked, trace: currentTrace(), resolve, reject });
        if (isWorking) return;
        isWorking = true;
        queueMicrotask(() => void work());
      }),
  };
}

const spanOf = (batch: readonly Waiting[]) =>
  ({
    name: 'checkins',
    kind: 'internal',
    attributes: { 'event_api.batch.size': batch.length },
  }) as const;

async function writeBatch(db: Db, batch: readonly Waiting[]): Promise<void> {
  try {
    const made = await insertCheckins(
      db,
      batch.map(({ asked }) => asked),
    );
    const firsts = new Map(made.map((row) => [row.id, row]));
    const repeats = batch.filter(({ asked }) => !firsts.has(asked.id));
    const before = await earlierOf(db, repeats);
    for (const { asked, resolve, reject } of batch) {
      const first = firsts.get(asked.id);
      const checkin = first ?? before.get(doorOf(asked));
      if (checkin) resolve({ checkin, alreadyCheckedIn: !first });
      else reject(new Error('a check-in was neither written nor found'));
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

async function earlierOf(db: Db, repeats: readonly Waiting[]): Promise<Map<string, CheckinRow>> {
  if (repeats.length === 0) return new Map();
  const rows = await findEarlier(
    db,
    repeats.map(({ asked }) => asked),
  );
  return new Map(rows.map((row) => [doorOf(row), row]));
}

const doorOf = (row: Pick<NewCheckin, 'registrationId' | 'subjectType' | 'subjectId'>): string =>
  `${row.registrationId} ${row.subjectType} ${row.subjectId}`;
