import type { ScanResult } from '@event-api/contracts/http/checkin-batch';
import type { SubjectType } from '@event-api/contracts/http/checkins';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db, Tx } from '@event-api/platform/db/database';
import { initialVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import type { z } from 'zod';
import {
  type CheckinKey,
  type CheckinRow,
  columns,
  type DoorLookup,
  insertedColumns,
} from '../checkins.queries.ts';
import type { ScanSource } from '../source.ts';

export type StoredResult = z.input<typeof ScanResult>;

/** A valid scan with its door, its time and its identity. */
export interface ParsedScan extends DoorLookup {
  scanId: string;
  decision: 'admitted' | 'refused';
  scannedAt: Date;
  occurredAt: Date;
  clockUncertaintyMs: number;
  rosterCursor: string | null;
  /** A hash of badge, door and decision, without the badge code itself. */
  identity: string;
}

interface StoredScan {
  scanId: string;
  identity: string;
  result: StoredResult;
}

/**
 * Finds the scan of each id in `x` by its primary key. Without `offset` a plan could read all scans
 * of the event instead.
 */
const scanOfId = (columns: string) => `lateral (
     select ${columns} from onsite.scan
     where (business_unit_id = $1) is true and event_id = $2 and scan_id = x.scan_id offset 0
   )`;

const storedScans = statement<StoredScan>(
  'scans_stored',
  `select s.scan_id as "scanId", s.identity, s.result
   from unnest($3::text[]) x(scan_id) cross join ${scanOfId('scan_id, identity, result')} s`,
);

/** Returns those of these scans that were reported before, with their results. */
export const findStoredScans = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  scanIds: readonly string[],
): Promise<StoredScan[]> => db.query(storedScans, [businessUnitId, eventId, scanIds]);

// In the order of the primary key, so that two batches cannot deadlock. A parallel batch with the
// same id waits here.
const insertScansSql = statement<{ scanId: string }>(
  'scans_insert',
  `insert into onsite.scan (business_unit_id, event_id, source, scan_id, identity, subject_type, subject_id, decision, scanned_at,
     occurred_at, roster_cursor)
   select $1, $2, $3, x.* from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[],
     $10::timestamptz[], $11::text[]) x
   order by 4 on conflict do nothing returning scan_id as "scanId"`,
);

/** Inserts scans without their results and returns the ids of those that did not exist. */
export async function insertScans(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  source: ScanSource,
  scans: readonly ParsedScan[],
): Promise<Set<string>> {
  const rows = await tx.query(insertScansSql, [
    businessUnitId,
    eventId,
    source.id,
    scans.map(({ scanId }) => scanId),
    scans.map(({ identity }) => identity),
    scans.map(({ subjectType }) => subjectType),
    scans.map(({ subjectId }) => subjectId),
    scans.map(({ decision }) => decision),
    scans.map(({ scannedAt }) => scannedAt),
    scans.map(({ occurredAt }) => occurredAt),
    scans.map(({ rosterCursor }) => rosterCursor),
  ]);
  return new Set(rows.map(({ scanId }) => scanId));
}

const setResults = statement(
  'scans_results',
  `update onsite.scan s set result = x.result::jsonb
   from unnest($3::text[], $4::text[]) x(scan_id, result) cross join ${scanOfId('ctid')} o
   where s.ctid = o.ctid and (s.business_unit_id = $1) is true`,
);

/** Stores the results of scans that this transaction has inserted. */
export const storeResults = (
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  results: readonly StoredResult[],
): Promise<unknown> =>
  tx.query(setResults, [
    businessUnitId,
    eventId,
    results.map(({ scanId }) => scanId),
    results.map((result) => JSON.stringify(result)),
  ]);

/** A check-in with what decides whether another scan contests it. */
export interface ExistingCheckin extends CheckinRow {
  source: string | null;
  scanId: string | null;
  clockUncertaintyMs: number;
}

const existingColumns = `${columns}, c.source, c.scan_id as "scanId", c.clock_uncertainty_ms as "clockUncertaintyMs"`;

// In the order of `checkin_once`; `lateral` forces one index lookup per door. The lock orders the
// changes of one check-in; inserts do not wait for it.
const lockExisting = statement<ExistingCheckin>(
  'checkins_of_doors',
  `select c.* from (
     select distinct * from unnest($3::text[], $4::text[], $5::text[]) u(registration, type, subject) order by 1, 2, 3
   ) x cross join lateral (
     select ${existingColumns} from onsite.checkin c
     where c.registration_id = x.registration and c.subject_type = x.type and c.subject_id = x.subject
       and (c.business_unit_id = $1) is true and (c.event_id = $2) is true
     order by c.insertion_order for no key update
   ) c`,
);

/** Locks and returns all check-ins of these registrations at these doors, also undone ones. */
export const lockCheckinsAt = (
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  doors: readonly Omit<CheckinKey, keyof EventScope>[],
): Promise<ExistingCheckin[]> =>
  tx.query(lockExisting, [
    businessUnitId,
    eventId,
    doors.map(({ registrationId }) => registrationId),
    doors.map(({ subjectType }) => subjectType),
    doors.map(({ subjectId }) => subjectId),
  ]);

const clockVersion = statement<{ version: number }>(
  'checkin_clock_version',
  `select ${initialVersionSql} as version`,
);

/** A version above those of all earlier changes of the check-ins that `tx` has locked. */
export async function readClockVersion(tx: Tx): Promise<number> {
  const [row] = await tx.query(clockVersion);
  return row?.version ?? 0;
}

/** A check-in that a device has reported. */
export interface ReportedCheckin {
  id: string;
  registrationId: string;
  subjectType: SubjectType;
  subjectId: string;
  scanId: string;
  scannedAt: Date;
  occurredAt: Date;
  clockUncertaintyMs: number;
  overruled: boolean;
  isUnconfirmed: boolean;
  codeHash: string;
}

const insertReportedSql = statement<CheckinRow & { version: number }>(
  'checkins_insert_reported',
  `insert into onsite.checkin as c (business_unit_id, event_id, source, device_id, method, version, id, registration_id,
     subject_type, subject_id, scan_id, scanned_at, checked_in_at, clock_uncertainty_ms, overruled, is_unconfirmed, code_hash)
   select $1, $2, $3, $4, 'scan', ${initialVersionSql}, x.* from unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
     $10::timestamptz[], $11::timestamptz[], $12::int[], $13::boolean[], $14::boolean[],
     $15::text[])
     x(id, registration_id, subject_type, subject_id, scan_id, scanned_at, occurred_at, uncertainty, overruled, unconfirmed, code_hash)
   order by x.registration_id, x.subject_type, x.subject_id
   on conflict do nothing returning ${insertedColumns}, c.version`,
);

/**
 * Inserts check-ins in the order of `checkin_once` and returns those that are the first at their
 * door.
 */
export const insertReported = (
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  source: ScanSource,
  checkins: readonly ReportedCheckin[],
): Promise<(CheckinRow & { version: number })[]> =>
  tx.query(insertReportedSql, [
    businessUnitId,
    eventId,
    source.id,
    source.deviceId,
    checkins.map(({ id }) => id),
    checkins.map(({ registrationId }) => registrationId),
    checkins.map(({ subjectType }) => subjectType),
    checkins.map(({ subjectId }) => subjectId),
    checkins.map(({ scanId }) => scanId),
    checkins.map(({ scannedAt }) => scannedAt),
    checkins.map(({ occurredAt }) => occurredAt),
    checkins.map(({ clockUncertaintyMs }) => clockUncertaintyMs),
    checkins.map(({ overruled }) => overruled),
    checkins.map(({ isUnconfirmed }) => isUnconfirmed),
    checkins.map(({ codeHash }) => codeHash),
  ]);

const removedDoors = statement<{ subjectType: SubjectType; subjectId: string }>(
  'doors_removed',
  `select x.type as "subjectType", x.id as "subjectId" from unnest($3::text[], $4::text[]) x(type, id)
   where exists (select 1 from onsite.session s where s.business_unit_id = $1 and s.event_id = $2 and s.id = x.id
       and x.type = 'session')
     or exists (select 1 from onsite.deleted_door d where d.business_unit_id = $1 and d.event_id = $2
       and d.subject_type = x.type and d.subject_id = x.id)`,
);

/**
 * Returns those of these doors that were on the program once: deleted ones, and sessions that a
 * date move has cleared.
 */
export async function findRemovedDoors(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  doors: readonly { subjectType: SubjectType; subjectId: string }[],
): Promise<{ subjectType: SubjectType; subjectId: string }[]> {
  if (doors.length === 0) return [];
  const types = doors.map(({ subjectType }) => subjectType);
  return db.query(removedDoors, [
    businessUnitId,
    eventId,
    types,
    doors.map(({ subjectId }) => subjectId),
  ]);
}

/** The scans of a door that are no check-ins. */
export interface ScanCounts {
  subjectType: SubjectType;
  subjectId: string;
  contested: number;
  refused: number;
}

// After the rows of `checkin_count` and in one order, so that two batches cannot deadlock.
const countScansSql = statement(
  'scans_count',
  `insert into onsite.scan_count as k (business_unit_id, event_id, part, subject_type, subject_id, contested, refused)
   select $1, $2, pg_backend_pid() % 16, x.* from unnest($3::text[], $4::text[], $5::int[], $6::int[])
     x(subject_type, subject_id, contested, refused)
   order by x.subject_type, x.subject_id
   on conflict (event_id, subject_type, subject_id, part) do update
   set contested = k.contested + excluded.contested, refused = k.refused + excluded.refused
   where k.business_unit_id = $1`,
);

/** Adds scans to the counts of their doors. */
export async function countScans(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  counts: readonly ScanCounts[],
): Promise<void> {
  if (counts.length === 0) return;
  await tx.query(countScansSql, [
    businessUnitId,
    eventId,
    counts.map(({ subjectType }) => subjectType),
    counts.map(({ subjectId }) => subjectId),
    counts.map(({ contested }) => contested),
    counts.map(({ refused }) => refused),
  ]);
}
