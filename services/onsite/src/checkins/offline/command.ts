import type { createCheckinBatch } from '@event-api/contracts/http/checkin-batch';
import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Database } from '@event-api/platform/db/database';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import type { z } from 'zod';
import { sourceOf } from '../source.ts';
import { type ProjectionTrust, restsOnUnconfirmed } from '../trust.rules.ts';
import { type JudgeDeps, type Judgement, judgeScans } from './judge.ts';
import type { ParsedScan, StoredResult } from './offline.queries.ts';
import { decideScan } from './offline.rules.ts';
import { parseScan } from './parse.ts';
import { recordScans, type ScanToRecord, storedResults } from './record.ts';
import { compareWithRosters } from './roster-state.ts';

export interface BatchDeps extends JudgeDeps {
  db: Database;
}

export interface BatchRequest {
  caller: Caller;
  /** When the head of the request arrived. */
  receivedAt: Date;
  trust: ProjectionTrust;
}

/**
 * Records the scans of a device and returns their results in the order of the scans. A scan that
 * was reported before gets its stored result. Everything that is new is recorded in one
 * transaction, so a batch can be sent again after any failure.
 * Reports: `checkin.created`, `checkin.overruled`, `checkin.contested`. Errors: 503. Source:
 * docs/algorithms/check-in.md.
 */
export async function reportScans(
  deps: BatchDeps,
  scope: EventScope,
  { sentAt, scans }: z.output<typeof createCheckinBatch.schema.body>,
  request: BatchRequest,
): Promise<StoredResult[]> {
  const { caller, receivedAt, trust } = request;
  const results = new Map<string, StoredResult>();
  const valid: ParsedScan[] = [];
  for (const sent of scans) {
    const parse = parseScan(sent, { ...scope, sentAt, receivedAt });
    if (parse.outcome === 'valid') valid.push(parse.scan);
    else results.set(sent.scanId, malformed(sent.scanId, parse.issues));
  }
  const add = (found: ReadonlyMap<string, StoredResult>) => {
    for (const [scanId, result] of found) results.set(scanId, result);
  };
  add(
    await storedResults(
      deps.db,
      scope,
      valid.map((scan) => ({ scan })),
    ),
  );
  const fresh = valid.filter(({ scanId }) => !results.has(scanId));
  const judged = await judgeScans(deps, scope, fresh, { doors: caller.doors, trust });
  const compared = await compareWithRosters(
    deps.db,
    scope,
    judged.map(({ scan, badge }) => ({
      registrationId: badge?.id ?? null,
      rosterCursor: scan.rosterCursor,
    })),
  );
  const toRecord: ScanToRecord[] = [];
  for (const [index, judgement] of judged.entries()) {
    const unstored = unstoredResult(judgement);
    if (unstored) results.set(unstored.scanId, unstored);
    else {
      const isUnconfirmed = restsOnUnconfirmed(trust, judgement.decidedBy);
      const rosterWasCurrent = compared[index] ?? null;
      toRecord.push({ ...scanToRecord(judgement), isUnconfirmed, rosterWasCurrent });
    }
  }
  if (toRecord.length > 0) {
    const source = sourceOf(caller);
    add(await recordScans(deps.db, scope, source, toRecord));
  }
  return scans.map(({ scanId }) => {
    const result = results.get(scanId);
    if (!result) throw new Error('a scan without a result');
    return result;
  });
}

const malformed = (scanId: string, issues: readonly FieldIssue[]): StoredResult => ({
  scanId,
  result: 'invalid',
  reason: 'MALFORMED_SCAN',
  issues: [...issues],
});

const judgedOf = ({ scan, door, verdict, decidedBy }: Judgement) => ({
  decision: scan.decision,
  door,
  verdict,
  registrationIsAway: decidedBy === 'fallback',
});

/**
 * The result of a scan that is not stored: the device sends it again, or its door makes no sense
 * for it.
 */
function unstoredResult(judgement: Judgement): StoredResult | null {
  const { scanId } = judgement.scan;
  const decision = decideScan(judgedOf(judgement), null);
  if (decision.outcome === 'retry') return { scanId, result: 'retry' };
  if (decision.outcome !== 'invalid' || decision.reason !== 'UNKNOWN_DOOR') return null;
  return { scanId, result: 'invalid', reason: decision.reason, issues: [] };
}

const scanToRecord = (judgement: Judgement) => {
  const { scan, badge, event, notice } = judgement;
  return { scan, badge, event, notice, judged: judgedOf(judgement) };
};
