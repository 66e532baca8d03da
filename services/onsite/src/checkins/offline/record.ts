import type { CheckinNotice } from '@event-api/contracts/http/checkins';
import type { RosterEvent } from '@event-api/contracts/http/roster';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { recordAudit } from '@event-api/platform/audit/write';
import { unavailable } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database, Tx } from '@event-api/platform/db/database';
import { type ObjectChange, writeChanges } from '@event-api/platform/messaging/changes/write';
import { type Badge, decideRepeat } from '@event-api/rules/checkin-decision';
import {
  checkinContested,
  checkinCreated,
  checkinOverruled,
} from '../../changes/record-changes.ts';
import { timeouts } from '../../timeouts.ts';
import { doorKey } from '../checkins.queries.ts';
import { shownCodeHash } from '../code-hash.ts';
import type { ScanSource } from '../source.ts';
import {
  countScans,
  type ExistingCheckin,
  findStoredScans,
  insertReported,
  insertScans,
  lockCheckinsAt,
  type ParsedScan,
  readClockVersion,
  type ScanCounts,
  type StoredResult,
  storeResults,
} from './offline.queries.ts';
import {
  decideScan,
  type EarlierCheckin,
  type JudgedScan,
  type ScanDecision,
} from './offline.rules.ts';
import { type DecidedScan, resultOf, reusedId } from './results.ts';

/** A scan with what the server has found out about it. */
export interface ScanToRecord {
  scan: ParsedScan;
  judged: JudgedScan;
  /** Null if the badge is unknown. */
  badge: Badge | null;
  event: RosterEvent;
  notice: CheckinNotice | null;
  isUnconfirmed: boolean;
  /** See `compareWithRosters`. */
  rosterWasCurrent: boolean | null;
}

interface Recording {
  tx: Tx;
  scope: EventScope;
  source: ScanSource;
  results: Map<string, StoredResult>;
  changes: ObjectChange[];
  /** The check-ins that scans contest, one entry per scan. */
  contestedIds: string[];
}

/** Another request has inserted a check-in that this transaction has not locked. */
class ParallelCheckinError extends Error {}

/**
 * Records scans with their check-ins, counts and changes in one transaction, and returns the
 * results by scan id. A scan that a parallel batch has recorded gets its result. Reports:
 * `checkin.created`, `checkin.overruled`, `checkin.contested`.
 * Errors: 503 if other requests pass the doors again and again.
 *
 * Locks, in this order: the scans by id, then existing check-ins and new ones in the order of
 * `checkin_once`, then the counts. If another request passes one of the doors meanwhile, the
 * transaction begins again: the lock of that check-in would come after those of later doors and of
 * the counts, so that two requests could deadlock.
 */
export async function recordScans(
  db: Pick<Database, 'transaction'>,
  scope: EventScope,
  source: ScanSource,
  scans: readonly ScanToRecord[],
): Promise<Map<string, StoredResult>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction((tx) => recordWith(tx, scope, source, scans));
    } catch (error) {
      if (!(error instanceof ParallelCheckinError)) throw error;
      if (attempt >= timeouts.batchAttempts) throw unavailable(error);
    }
  }
}

async function recordWith(
  tx: Tx,
  scope: EventScope,
  source: ScanSource,
  scans: readonly ScanToRecord[],
): Promise<Map<string, StoredResult>> {
  const recording: Recording = {
    tx,
    scope,
    source,
    results: new Map(),
    changes: [],
    contestedIds: [],
  };
  const inserted = await insertScans(
    tx,
    scope,
    source,
    scans.map(({ scan }) => scan),
  );
  const own = scans.filter(({ scan }) => inserted.has(scan.scanId));
  let pending: readonly ScanToRecord[] = own;
  while (pending.length > 0) pending = await recordOnce(recording, pending);
  const ownResults = own.flatMap(({ scan }) => recording.results.get(scan.scanId) ?? []);
  await storeResults(tx, scope, ownResults);
  await countScans(tx, scope, countsOf(own, recording.results));
  // Scans without a check-in are no change, and are audited nevertheless.
  recordAudit(tx);
  writeChanges(tx, [...recording.changes, ...(await contestedChanges(recording))]);
  const repeated = scans.filter(({ scan }) => !inserted.has(scan.scanId));
  for (const [scanId, result] of await storedResults(tx, scope, repeated)) {
    recording.results.set(scanId, result);
  }
  return recording.results;
}

/**
 * Finds the stored results of scans that were reported before. Another scan with the same id is
 * invalid.
 */
export async function storedResults(
  db: Parameters<typeof findStoredScans>[0],
  scope: EventScope,
  scans: readonly { scan: ParsedScan }[],
): Promise<Map<string, StoredResult>> {
  if (scans.length === 0) return new Map();
  const ids = scans.map(({ scan }) => scan.scanId);
  const stored = new Map((await findStoredScans(db, scope, ids)).map((row) => [row.scanId, row]));
  const results = new Map<string, StoredResult>();
  for (const {
    scan: { scanId, identity },
  } of scans) {
    const row = stored.get(scanId);
    if (row) results.set(scanId, row.identity === identity ? row.result : reusedId(scanId));
  }
  return results;
}

/**
 * Decides the scans with the check-ins at their doors, and inserts those that have none. Returns
 * the scans that have to be decided again, with the check-in that an earlier scan of this batch has
 * just inserted. Errors: ParallelCheckinError.
 */
async function recordOnce(
  recording: Recording,
  scans: readonly ScanToRecord[],
): Promise<ScanToRecord[]> {
  const { tx, scope } = recording;
  const doors = scans.flatMap(doorsOf);
  const existing = doors.length > 0 ? await lockCheckinsAt(tx, scope, doors) : [];
  const byDoor = Map.groupBy(existing, doorKey);
  const first = new Map<string, { entry: ScanToRecord; decision: ScanDecision }>();
  const again: ScanToRecord[] = [];
  for (const entry of scans) {
    const key = keyOf(entry);
    const earlier = earlierOf(byDoor.get(key), entry.scan);
    const decision = decideScan(entry.judged, earlier && stateOf(recording, entry, earlier));
    if (decision.outcome !== 'recorded' && decision.outcome !== 'overruled') {
      settle(recording, entry, decision, earlier);
    } else if (first.has(key)) again.push(entry);
    else first.set(key, { entry, decision });
  }
  await insertFirst(recording, [...first.values()]);
  return again;
}

/** What counts about an earlier check-in. */
function stateOf(
  { source }: Recording,
  { badge, event }: ScanToRecord,
  earlier: ExistingCheckin,
): EarlierCheckin {
  const isRefused = badge !== null && decideRepeat(badge, earlier, event).outcome !== 'already';
  return { isOfSameSource: earlier.source === source.id, isRefused };
}

/**
 * Inserts the check-ins of scans that are the first at their doors. Errors: ParallelCheckinError if
 * one is not.
 */
async function insertFirst(
  recording: Recording,
  firsts: readonly { entry: ScanToRecord; decision: ScanDecision }[],
): Promise<void> {
  if (firsts.length === 0) return;
  const { tx, scope, source, changes } = recording;
  const rows = firsts.map(({ entry, decision }) => checkinOf(entry, decision));
  const inserted = new Map(
    (await insertReported(tx, scope, source, rows)).map((row) => [row.id, row]),
  );
  for (const [index, { entry, decision }] of firsts.entries()) {
    const row = inserted.get(rows[index]?.id ?? '');
    if (!row) throw new ParallelCheckinError('another request has passed the door meanwhile');
    const change = decision.outcome === 'overruled' ? checkinOverruled : checkinCreated;
    changes.push(change({ ...scope, ...row }));
    settle(recording, entry, decision, row);
  }
}

function checkinOf({ scan, badge, isUnconfirmed }: ScanToRecord, decision: ScanDecision) {
  if (!badge) throw new Error('a check-in without a badge');
  const { subjectType, subjectId, scanId, scannedAt, occurredAt, clockUncertaintyMs } = scan;
  return {
    id: newId('chk'),
    registrationId: badge.id,
    codeHash: shownCodeHash(scan, badge),
    ...{ subjectType, subjectId, scanId, scannedAt, occurredAt, clockUncertaintyMs },
    overruled: decision.outcome === 'overruled',
    isUnconfirmed,
  };
}

/**
 * The changes of contested check-ins. The versions are taken while the check-ins are locked, so
 * they grow.
 */
async function contestedChanges({ tx, scope, contestedIds }: Recording): Promise<ObjectChange[]> {
  if (contestedIds.length === 0) return [];
  const version = await readClockVersion(tx);
  return contestedIds.map((id, index) =>
    checkinContested({ ...scope, id, version: version + index }),
  );
}

/** The door of a scan whose result depends on an earlier check-in. */
const doorsOf = ({ judged, scan, badge, event }: ScanToRecord) => {
  const { subjectType, subjectId } = scan;
  const dependsOnEarlier = judged.decision === 'admitted' || event.refuseIfFormerInside;
  return badge && dependsOnEarlier ? [{ registrationId: badge.id, subjectType, subjectId }] : [];
};

const keyOf = ({ scan, badge }: ScanToRecord): string =>
  doorKey({ ...scan, registrationId: badge?.id ?? '' });

/**
 * The check-in that counts for a scan: the one that is not undone, or one that was undone after the
 * scan.
 */
const earlierOf = (
  rows: readonly ExistingCheckin[] = [],
  { occurredAt }: ParsedScan,
): ExistingCheckin | null =>
  rows.find(({ undoneAt }) => undoneAt === null) ??
  rows.findLast(({ undoneAt }) => undoneAt !== null && undoneAt > occurredAt) ??
  null;

function countsOf(
  scans: readonly ScanToRecord[],
  results: ReadonlyMap<string, StoredResult>,
): ScanCounts[] {
  const byDoor = new Map<string, ScanCounts>();
  for (const { scan } of scans) {
    const result = results.get(scan.scanId)?.result;
    if (result !== 'contested' && result !== 'logged') continue;
    const { subjectType, subjectId } = scan;
    const key = `${subjectType} ${subjectId}`;
    const counts = byDoor.get(key) ?? { subjectType, subjectId, contested: 0, refused: 0 };
    counts[result === 'contested' ? 'contested' : 'refused'] += 1;
    byDoor.set(key, counts);
  }
  return [...byDoor.values()];
}

/** Sets the result of a scan. `checkin` is the one that it wrote or that was there before. */
function settle(
  { results, contestedIds }: Recording,
  entry: ScanToRecord,
  decision: ScanDecision,
  checkin: DecidedScan['checkin'],
): void {
  results.set(entry.scan.scanId, resultOf({ ...entry, decision, checkin }));
  if (decision.outcome === 'contested' && checkin) contestedIds.push(checkin.id);
}
