import { setTimeout as delay } from 'node:timers/promises';
import type { DrillEnvironment } from './environment.ts';

/** The seats of a ticket type or group, or the units of an add-on, from registration's database. */
export interface SeatSample {
  id: string;
  capacity: number | null;
  taken: number;
  /** Of the capacity, with the timeline of the database, which a restore changes. */
  version: string;
}

/**
 * Whether seats were oversold between two samples. After a reduction of the capacity more seats may
 * be taken than the capacity, but their number must not grow. Between two versions the capacity may
 * have been higher for a moment, and a restore brings back seats that were cancelled.
 */
export function hasOversold(before: SeatSample | undefined, now: SeatSample): boolean {
  if (now.capacity === null || before?.capacity === null) return false;
  if (before && before.version !== now.version) return false;
  return now.taken > Math.max(now.capacity, before?.taken ?? 0);
}

const EVERY_MS = 200;

const version = (table: string) =>
  `${table}.version || '-' || (select timeline_id from pg_control_checkpoint()) as version`;

const samplesQuery = `select t.id, t.capacity, l.confirmed + l.reserved as taken, ${version('t')}
  from registration.ticket_type_projection t join registration.seat_ledger l on l.ticket_type_id = t.id
  union all select a.id, a.capacity, l.confirmed + l.reserved, ${version('a')}
  from registration.addon_projection a join registration.seat_ledger l on l.ticket_type_id = a.id
  union all select g.id, g.capacity, sum(l.confirmed + l.reserved)::int, ${version('e')}
  from registration.event_projection e
  cross join jsonb_to_recordset(e.capacity_groups) as g(id text, capacity int)
  join registration.ticket_type_projection t on t.event_id = e.id and t.capacity_group_id = g.id
  join registration.seat_ledger l on l.ticket_type_id = t.id group by g.id, g.capacity, e.version`;

/**
 * Samples all seats every 200 ms until `signal` is aborted. Samples fail while the database is
 * unavailable and are skipped.
 */
export function watchSeats({ sql }: DrillEnvironment, signal: AbortSignal) {
  const oversold: { before: SeatSample | undefined; now: SeatSample }[] = [];
  let last = new Map<string, SeatSample>();
  let sampleCount = 0;
  const watch = async () => {
    while (!signal.aborted) {
      const samples = await sql<SeatSample>(samplesQuery).catch(() => null);
      if (samples) {
        sampleCount += 1;
        for (const now of samples) {
          const before = last.get(now.id);
          if (hasOversold(before, now)) oversold.push({ before, now });
        }
        last = new Map(samples.map((sample) => [sample.id, sample]));
      }
      await delay(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  };
  return { oversold, sampleCount: () => sampleCount, done: watch() };
}
