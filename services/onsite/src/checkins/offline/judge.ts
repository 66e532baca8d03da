import type { CheckinNotice } from '@event-api/contracts/http/checkins';
import type { RosterEvent } from '@event-api/contracts/http/roster';
import { readBadges } from '@event-api/contracts/internal/badges';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { CheckinDecider } from '@event-api/contracts/operator/checkins';
import type { Db } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { type Badge, type Door, decideCheckin } from '@event-api/rules/checkin-decision';
import { type DoorLookupResult, loadDoors } from '../checkins.queries.ts';
import { hashedBadge } from '../code-hash.ts';
import type { Fallbacks } from '../fallback.ts';
import { badgeOf } from '../fetch-badge.ts';
import { mayAdmitAlone, type ProjectionTrust } from '../trust.rules.ts';
import { findRemovedDoors, type ParsedScan } from './offline.queries.ts';
import type { BadgeVerdict, DoorState } from './offline.rules.ts';

export interface JudgeDeps {
  db: Db;
  /** Client of registration's internal operations, with the timeout of a batch. */
  badges: ServiceClient;
  fallbacks: Fallbacks;
}

/** What the server finds out about a scan before it is recorded. */
export interface Judgement {
  scan: ParsedScan;
  door: DoorState;
  verdict: BadgeVerdict;
  /** What would be unusual about its check-in. */
  notice: CheckinNotice | null;
  badge: Badge | null;
  event: RosterEvent;
  /** `fallback`: only projections, because registration did not respond. */
  decidedBy: CheckinDecider;
}

/**
 * Judges scans by the badges and doors as they are now. Badges that the projections do not admit,
 * and all of them if the projections may not admit alone, are read from registration with one
 * request. Without its response the projections decide.
 */
export async function judgeScans(
  { db, badges, fallbacks }: JudgeDeps,
  scope: EventScope,
  scans: readonly ParsedScan[],
  { doors, trust }: { doors: readonly string[] | null; trust: ProjectionTrust },
): Promise<Judgement[]> {
  if (scans.length === 0) return [];
  const found = await loadDoors(db, scans);
  const isRemoved = await removedDoors(db, scope, scans, found);
  const judged = scans.map((scan, index): Judgement => {
    const { badge, door: lookedUp } = found[index] as DoorLookupResult;
    const isListed = doors === null || doors.includes(scan.subjectId);
    const door = !isListed
      ? 'unknown'
      : lookedUp.gates
        ? 'on_program'
        : isRemoved(scan)
          ? 'removed'
          : 'unknown';
    return {
      scan,
      door,
      event: lookedUp.event,
      ...verdictOf(scan, badge, lookedUp),
      decidedBy: 'projections',
    };
  });
  const isDoubtful = ({ door, verdict }: Judgement) =>
    door !== 'unknown' && (verdict !== 'admitted' || !mayAdmitAlone(trust));
  const doubtful = judged.filter(isDoubtful);
  if (doubtful.length === 0) return judged;
  const own = await fetchBadges(badges, scope, doubtful, fallbacks);
  return judged.map((judgement, index) => {
    if (!isDoubtful(judgement)) return judgement;
    if (own === null) return { ...judgement, decidedBy: 'fallback' };
    const { scan } = judgement;
    const { door } = found[index] as DoorLookupResult;
    const verdict = verdictOf(scan, own(scan), door);
    return { ...judgement, ...verdict, decidedBy: 'registration' };
  });
}

/**
 * The verdict on a badge at the time of the scan. A door that does not exist any more has no gates.
 */
function verdictOf(
  scan: ParsedScan,
  badge: Badge | null,
  { gates, event }: Door,
): Pick<Judgement, 'verdict' | 'notice' | 'badge'> {
  const door = { gates: gates ?? [], event };
  const decision = decideCheckin(hashedBadge(scan), badge, door, scan.occurredAt);
  const { outcome } = decision;
  return {
    verdict: outcome === 'unknown_door' ? 'unknown_badge' : outcome,
    notice: outcome === 'admitted' ? decision.notice : null,
    badge,
  };
}

async function removedDoors(
  db: Db,
  scope: EventScope,
  scans: readonly ParsedScan[],
  found: readonly DoorLookupResult[],
): Promise<(scan: ParsedScan) => boolean> {
  const key = ({ subjectType, subjectId }: Pick<ParsedScan, 'subjectType' | 'subjectId'>) =>
    `${subjectType} ${subjectId}`;
  const missing = scans.filter((_, index) => found[index]?.door.gates === null);
  const removed = new Set((await findRemovedDoors(db, scope, missing)).map(key));
  return (scan) => removed.has(key(scan));
}

/** Reads the badges of scans from registration. Returns null if it did not respond. */
async function fetchBadges(
  registration: ServiceClient,
  { businessUnitId, eventId }: EventScope,
  judgements: readonly Judgement[],
  fallbacks: Fallbacks,
): Promise<((scan: ParsedScan) => Badge | null) | null> {
  const ids = judgements.flatMap(({ scan }) => scan.registrationId ?? []);
  const codes = judgements.flatMap(({ scan }) =>
    scan.registrationId === undefined ? (scan.checkinCode ?? []) : [],
  );
  try {
    const { badges } = await registration.call(readBadges, {
      businessUnitId,
      eventId,
      registrationIds: [...new Set(ids)],
      checkinCodes: [...new Set(codes)],
    });
    const byKey = new Map<string, Badge>();
    for (const sent of badges) {
      const { id, checkinCode, replacedCheckinCodes = [] } = sent.registration;
      const badge = badgeOf(sent);
      for (const key of [...replacedCheckinCodes, checkinCode, id]) byKey.set(key, badge);
    }
    return ({ registrationId, checkinCode }) =>
      byKey.get(registrationId ?? checkinCode ?? '') ?? null;
  } catch (error) {
    fallbacks.record(error);
    return null;
  }
}
