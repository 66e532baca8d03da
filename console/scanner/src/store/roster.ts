import type { RosterBadge } from '@event-api/contracts/http/roster';
import { database, type Roster } from './database.ts';
import { type CheckinChange, mergeAdmission } from './merge-admission.ts';
import { admissionKey } from './scans.ts';

/** A badge that has changed, or a registration that the event does not have any more. */
export type RosterChange = RosterBadge | { registrationId: string; removed: true };

/** 4,096 buckets: a badge of a large event is read with about 25 others. */
const bucketLength = 2;
const bucketOf = (codeHash: string): string => codeHash.slice(0, bucketLength);

/** The buckets of a badge. It is found by its code and by the codes of its former badges. */
const bucketsOf = ({ codeHash, replacedCodeHashes }: RosterBadge): Set<string> =>
  new Set([codeHash, ...replacedCodeHashes].map(bucketOf));

const isRemoved = (change: RosterChange): change is { registrationId: string; removed: true } =>
  'removed' in change;

export const readRoster = async (): Promise<Roster | undefined> =>
  (await database()).get('roster', 'current');

/** The badge with this code, or with a former badge that had it. */
export async function findBadge(codeHash: string): Promise<RosterBadge | null> {
  const badges = (await (await database()).get('badges', bucketOf(codeHash))) ?? [];
  return (
    badges.find((badge) => badge.codeHash === codeHash) ??
    badges.find(({ replacedCodeHashes }) => replacedCodeHashes.includes(codeHash)) ??
    null
  );
}

/** The badges for which `matches` is true, each once, at most `limit`. */
export async function findBadges(
  matches: (badge: RosterBadge) => boolean,
  limit: number,
): Promise<RosterBadge[]> {
  const found = new Map<string, RosterBadge>();
  const { store } = (await database()).transaction('badges');
  for await (const { value } of store) {
    for (const badge of value) if (matches(badge)) found.set(badge.registrationId, badge);
    if (found.size >= limit) break;
  }
  return [...found.values()].slice(0, limit);
}

/**
 * Stores the changes of badges and check-ins together with the cursor that they lead to; the badges
 * of a whole roster replace the former ones. A reader finds the badges before or after, and never a
 * part. A later change of a registration or a check-in replaces an earlier one.
 */
export async function storeRoster(
  roster: Roster,
  { badges: changes, checkins }: { badges: RosterChange[]; checkins: CheckinChange[] },
  isWhole: boolean,
): Promise<void> {
  const latest = [...new Map(changes.map((change) => [change.registrationId, change])).values()];
  const removed = new Set(latest.filter(isRemoved).map(({ registrationId }) => registrationId));
  const stores = ['badges', 'roster', 'admissions', 'scans'] as const;
  const transaction = (await database()).transaction(stores, 'readwrite');
  const badges = transaction.objectStore('badges');
  if (isWhole) void badges.clear();
  else if (removed.size > 0) {
    // Only its id is known. It happens seldom, so every bucket is read.
    for await (const cursor of badges) {
      const unchanged = cursor.value.filter(({ registrationId }) => !removed.has(registrationId));
      if (unchanged.length < cursor.value.length) await cursor.update(unchanged);
    }
  }
  for (const [bucket, added] of inBuckets(latest)) {
    const changed = new Set(added.map(({ registrationId }) => registrationId));
    const former = isWhole ? [] : ((await badges.get(bucket)) ?? []);
    const unchanged = former.filter(({ registrationId }) => !changed.has(registrationId));
    void badges.put([...unchanged, ...added], bucket);
  }
  const admissions = transaction.objectStore('admissions');
  const scans = transaction.objectStore('scans');
  const { eventId } = roster;
  for (const change of checkins) {
    const key = admissionKey(change, change.registrationId);
    const current = (await admissions.get(key)) ?? null;
    const scanId = current?.scanId ?? null;
    const isUnsent = scanId !== null && (await scans.getKey(scanId)) !== undefined;
    const next = mergeAdmission(current, change, { eventId, isUnsent });
    if (next === null) void admissions.delete(key);
    else if (next !== current) void admissions.put(next, key);
  }
  void transaction.objectStore('roster').put(roster, 'current');
  await transaction.done;
}

/** The badges among the changes, by the buckets that they belong to. */
function inBuckets(changes: RosterChange[]): Map<string, RosterBadge[]> {
  const buckets = new Map<string, RosterBadge[]>();
  for (const badge of changes) {
    if (isRemoved(badge)) continue;
    for (const bucket of bucketsOf(badge)) {
      const others = buckets.get(bucket);
      if (others) others.push(badge);
      else buckets.set(bucket, [badge]);
    }
  }
  return buckets;
}

/** Deletes the roster: no badge and no name stays on a device that is not paired. */
export async function clearRoster(): Promise<void> {
  const stores = ['badges', 'roster'] as const;
  const transaction = (await database()).transaction(stores, 'readwrite');
  for (const name of stores) void transaction.objectStore(name).clear();
  await transaction.done;
}
