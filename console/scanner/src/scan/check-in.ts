import { hashBadgeCode } from '@event-api/contracts/http/badge-code';
import type { RosterBadge } from '@event-api/contracts/http/roster';
import type { HashedBadge } from '@event-api/rules/checkin-decision';
import { type Response, send } from '../api/client.ts';
import { decisionTime, now } from '../api/clock.ts';
import { connection, observeConnection } from '../api/connection.ts';
import type { Door, Pairing } from '../api/device.ts';
import type { Roster, UnsentScan } from '../store/database.ts';
import { findBadge, findBadges, readRoster } from '../store/roster.ts';
import {
  countAdmission,
  findAdmission,
  isUnsent,
  storeAdmission,
  storeAdmitted,
  storeRefusal,
} from '../store/scans.ts';
import { decideOffline } from './decide-offline.ts';
import { type CheckinResponse, decideVerdict, type Verdict } from './verdict.ts';

/** What is checked in: the code of a badge, or a person who was found by name. */
export type Presented = UnsentScan['shown'];

/** A verdict, with who has decided. */
export type Decided = Verdict & { by: 'platform' | 'device' };

/** How long a scan waits for the platform. Then the device decides. */
const onlineLimits = {
  withBadge: { attempts: 1, timeoutMs: 2500 },
  /** The roster may be older than the badge, so only the platform can let the person in. */
  withoutBadge: { attempts: 3, timeoutMs: 5000 },
};
const pauseMs = 300;

/**
 * Checks a badge in at a door. The platform decides while it responds, otherwise the roster of the
 * device. The platform may have recorded a scan whose response was lost: it then recognizes the
 * decision that this device reports later as the same check-in. Resolves with `undecided` only for
 * a device without a roster.
 */
export async function checkIn(
  pairing: Pairing,
  door: Door,
  presented: Presented,
  method: 'scan' | 'manual',
): Promise<Decided> {
  const decided = await decide(pairing, door, presented, method);
  if (decided.kind === 'admitted') countAdmission(door);
  return decided;
}

async function decide(
  pairing: Pairing,
  door: Door,
  presented: Presented,
  method: 'scan' | 'manual',
): Promise<Decided> {
  const { id: eventId } = pairing.device.event;
  const stored = await readRoster();
  const roster = stored?.eventId === eventId ? stored : null;
  const badge = roster && (await findPresented(presented));
  const isOwn = badge !== null && (await hasUnsentAdmission(door, badge));
  if (!roster || (!isOwn && (!badge || connection.get() === 'online'))) {
    const verdict = await decideOnline(pairing, door, presented, method, badge);
    if (!roster || verdict.kind !== 'undecided') return { ...verdict, by: 'platform' };
  }
  const verdict = await decideHere(pairing, door, { shown: presented, badge, roster });
  return { ...verdict, by: 'device' };
}

/**
 * Whether an admission waits to be sent: the platform would take a second scan of the badge for the
 * first one.
 */
async function hasUnsentAdmission(door: Door, { registrationId }: RosterBadge): Promise<boolean> {
  const earlier = await findAdmission(door, registrationId);
  return typeof earlier?.scanId === 'string' && (await isUnsent(earlier.scanId));
}

async function decideOnline(
  { token, device }: Pairing,
  door: Door,
  presented: Presented,
  method: 'scan' | 'manual',
  badge: RosterBadge | null,
): Promise<Verdict> {
  const { attempts, timeoutMs } = badge ? onlineLimits.withBadge : onlineLimits.withoutBadge;
  const idempotencyKey = crypto.randomUUID();
  const { subjectType, subjectId } = door;
  const body = {
    ...presented,
    subjectType,
    ...(subjectType !== 'event' && { subjectId }),
    method,
  };
  let response: Response = { status: null };
  for (let attempt = 1; attempt <= attempts; attempt++) {
    response = await send({
      method: 'POST',
      path: `/v1/events/${encodeURIComponent(device.event.id)}/checkins`,
      bearer: token,
      body,
      idempotencyKey,
      timeoutMs,
    });
    if (decideVerdict(response).kind !== 'undecided' || !navigator.onLine) break;
    if (attempt < attempts) await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt));
  }
  observeConnection(response.status);
  const verdict = decideVerdict(response);
  if (response.status !== null && (verdict.kind === 'admitted' || verdict.kind === 'already')) {
    const { checkin } = response.body as CheckinResponse;
    // The platform has decided: a full disk must not change that.
    await remember(device.event.id, door, { checkin, presented, badge, verdict }).catch(
      console.error,
    );
  }
  return verdict;
}

/** Remembers whom the platform has let in, for the time without a connection. */
async function remember(
  eventId: string,
  door: Door,
  {
    checkin,
    presented,
    badge,
    verdict,
  }: {
    checkin: CheckinResponse['checkin'];
    presented: Presented;
    badge: RosterBadge | null;
    verdict: { registrationId: string };
  },
): Promise<void> {
  const { codeHash = badge?.codeHash ?? null } = await presentedBadgeOf(presented);
  await storeAdmission(door, verdict.registrationId, {
    ...{ eventId, at: checkin.checkedInAt, scanId: null, checkinId: checkin.id },
    // Which of the former badges was let in makes no difference.
    codeHash: checkin.badgeReplaced ? (badge?.replacedCodeHashes.at(-1) ?? null) : codeHash,
  });
}

/** Decides with the roster, and stores the decision before the door shows it. */
async function decideHere(
  { device }: Pairing,
  door: Door,
  { shown, badge, roster }: { shown: Presented; badge: RosterBadge | null; roster: Roster },
): Promise<Verdict> {
  const earlier = badge ? await findAdmission(door, badge.registrationId) : undefined;
  const moment = now();
  const at = decisionTime(moment);
  const presented = await presentedBadgeOf(shown);
  const verdict = decideOffline(presented, { badge, roster, door, earlier, at });
  if (verdict.kind === 'already') return verdict;
  const { subjectType, subjectId, name } = door;
  const scan: UnsentScan = {
    scanId: crypto.randomUUID(),
    eventId: device.event.id,
    eventName: device.event.name,
    shown,
    door: { subjectType, subjectId, name },
    decision: verdict.kind === 'admitted' ? 'admitted' : 'refused',
    rosterCursor: roster.cursor,
    moment,
  };
  if (verdict.kind !== 'admitted') {
    await storeRefusal(scan);
    return verdict;
  }
  const { registrationId } = verdict;
  const { codeHash = badge?.codeHash ?? null } = presented;
  const other = await storeAdmitted(scan, { registrationId, codeHash });
  return other
    ? { ...verdict, kind: 'already', checkedInAt: other.at, badgeReplaced: false }
    : verdict;
}

const presentedBadgeOf = async (presented: Presented): Promise<HashedBadge> =>
  'checkinCode' in presented ? { codeHash: await hashBadgeCode(presented.checkinCode) } : presented;

async function findPresented(presented: Presented): Promise<RosterBadge | null> {
  if ('checkinCode' in presented) return findBadge(await hashBadgeCode(presented.checkinCode));
  const [found] = await findBadges((badge) => badge.registrationId === presented.registrationId, 1);
  return found ?? null;
}
