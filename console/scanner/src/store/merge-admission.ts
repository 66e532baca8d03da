import type { RosterCheckin, UndoneCheckin } from '@event-api/contracts/http/roster';
import type { Admission } from './database.ts';

export type CheckinChange = RosterCheckin | UndoneCheckin;

/**
 * What the device remembers about a person at a door after the roster has said what is there now;
 * null for nobody inside. An admission that the platform does not have yet stays, and so does a
 * later check-in than the one that was undone.
 */
export function mergeAdmission(
  current: Admission | null,
  change: CheckinChange,
  { eventId, isUnsent }: { eventId: string; isUnsent: boolean },
): Admission | null {
  if (isUnsent) return current;
  if ('removed' in change) {
    const { checkinId = null } = current ?? {};
    return checkinId !== null && checkinId !== change.checkinId ? current : null;
  }
  const { checkinId, checkedInAt: at, codeHash } = change;
  return { eventId, at, scanId: null, checkinId, codeHash };
}
