import type { CheckinNotice } from '@event-api/contracts/http/checkins';
import type { Badge } from '@event-api/rules/checkin-decision';
import type { CheckinRow } from '../checkins.queries.ts';
import { checkinView } from '../checkins.view.ts';
import { firstOf } from './clock.ts';
import type { ExistingCheckin, ParsedScan, StoredResult } from './offline.queries.ts';
import type { ScanDecision } from './offline.rules.ts';

/** A scan that was decided, with what its result says about it. */
export interface DecidedScan {
  scan: ParsedScan;
  badge: Badge | null;
  notice: CheckinNotice | null;
  /** See `compareWithRosters`. */
  rosterWasCurrent: boolean | null;
  decision: ScanDecision;
  /** The check-in that the scan wrote or that was there before; null without one. */
  checkin: CheckinRow | ExistingCheckin | null;
}

/** The result of a scan as the response contains it and the platform stores it. */
export function resultOf(decided: DecidedScan): StoredResult {
  const { scan, rosterWasCurrent, decision, notice } = decided;
  const { scanId } = scan;
  const judged = { scanId, rosterWasCurrent };
  const { outcome } = decision;
  switch (outcome) {
    case 'recorded':
      return { ...judged, result: outcome, checkin: viewOf(decided), notice };
    case 'already':
      return { ...judged, result: outcome, checkin: viewOf(decided) };
    case 'overruled':
      return { ...judged, result: outcome, checkin: viewOf(decided), reason: decision.reason };
    case 'contested':
      return { ...judged, ...contestOf(decided) };
    case 'logged':
      return { ...judged, result: outcome, wouldAdmit: decision.wouldAdmit };
    case 'invalid':
      return { scanId, result: outcome, reason: decision.reason, issues: [] };
    case 'retry':
      return { scanId, result: outcome };
  }
}

function viewOf({ checkin, badge }: DecidedScan) {
  if (!checkin) throw new Error('a scan without its check-in');
  return checkinView(checkin, badge ?? undefined);
}

/** What a scan says that lets in a person whom another device has let in. */
function contestOf(decided: DecidedScan) {
  const other = decided.checkin as ExistingCheckin;
  const { scanId, id: checkinId, source, checkedInAt, clockUncertaintyMs } = other;
  return {
    result: 'contested' as const,
    checkin: viewOf(decided),
    other: { scanId, checkinId, source, occurredAt: checkedInAt.toISOString() },
    first: firstOf(decided.scan, { occurredAt: checkedInAt, clockUncertaintyMs }),
  };
}

/** The result of a scan whose id another scan has. */
export const reusedId = (scanId: string): StoredResult => ({
  scanId,
  result: 'invalid',
  reason: 'SCAN_ID_REUSED',
  issues: [],
});
