import type { OverruleReason, ScanIssue } from '@event-api/contracts/http/checkin-batch';
import type { CheckinDecision } from '@event-api/rules/checkin-decision';

/**
 * Whether a door exists for a scan: it is on the program, it was, or it never was or the caller
 * does not list it.
 */
export type DoorState = 'on_program' | 'removed' | 'unknown';

/**
 * What the server would decide now about the badge, without the door: `door` says whether it
 * exists.
 */
export type BadgeVerdict = Exclude<CheckinDecision['outcome'], 'unknown_door'>;

/** What a scan is judged by. */
export interface JudgedScan {
  decision: 'admitted' | 'refused';
  door: DoorState;
  verdict: BadgeVerdict;
  /** Whether registration did not respond to the request for the badge. */
  registrationIsAway: boolean;
}

/** The check-in of the same registration at the same door, as far as it counts for the scan. */
export interface EarlierCheckin {
  isOfSameSource: boolean;
  /** Whether the event refuses the badge because of it. */
  isRefused: boolean;
}

export type ScanDecision =
  | { outcome: 'invalid'; reason: Exclude<ScanIssue, 'MALFORMED_SCAN' | 'SCAN_ID_REUSED'> }
  | { outcome: 'retry' }
  | { outcome: 'logged'; wouldAdmit: boolean }
  | { outcome: 'already' }
  | { outcome: 'contested' }
  | { outcome: 'recorded' }
  | { outcome: 'overruled'; reason: OverruleReason };

/**
 * Decides what a scan of a device becomes; the first rule that applies decides. Whom a device has
 * let in is inside, so an admitted scan of a known badge always has a check-in. Source:
 * docs/algorithms/check-in.md, "Scans of devices".
 */
export function decideScan(scan: JudgedScan, earlier: EarlierCheckin | null): ScanDecision {
  const { decision, door, verdict, registrationIsAway } = scan;
  if (door === 'unknown') return { outcome: 'invalid', reason: 'UNKNOWN_DOOR' };
  if (verdict === 'unknown_badge' && registrationIsAway) return { outcome: 'retry' };
  if (decision === 'refused') {
    const wouldAdmit = verdict === 'admitted' && door === 'on_program' && !earlier?.isRefused;
    return { outcome: 'logged', wouldAdmit };
  }
  if (verdict === 'unknown_badge') return { outcome: 'invalid', reason: 'UNKNOWN_BADGE' };
  if (verdict === 'badge_mismatch') return { outcome: 'invalid', reason: 'NOT_SAME_PERSON' };
  if (earlier) return { outcome: earlier.isOfSameSource ? 'already' : 'contested' };
  if (door === 'removed') return { outcome: 'overruled', reason: 'DOOR_GONE' };
  if (verdict === 'admitted') return { outcome: 'recorded' };
  return { outcome: 'overruled', reason: overruleReasons[verdict] };
}

const overruleReasons = {
  badge_replaced: 'BADGE_REPLACED',
  event_cancelled: 'EVENT_CANCELLED',
  not_confirmed: 'NOT_CONFIRMED',
  gate_closed: 'GATE_CLOSED',
  admission_closed: 'ADMISSION_CLOSED',
} as const satisfies Partial<Record<BadgeVerdict, OverruleReason>>;
