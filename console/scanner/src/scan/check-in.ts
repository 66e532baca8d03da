import { hashBadgeCode } from '@event-api/contracts/http/badge-code';
import type { RosterBadge } from '@event-api/contracts/http/roster';
import { type Response, send } from '../api/client.ts';
import { now } from '../api/clock.ts';
import { connection, observeConnection } from '../api/connection.ts';
import type { Door, Pairing } from '../api/device.ts';
import type { Roster, UnsentScan } from '../store/database.ts';
import { findBadge, findBadges, readRoster } from '../store/roster.ts';
import {
  findAdmission,
  isUnsent,
  storeAdmission,
  storeAdmitted,
  storeRefusal,
} from '../store/scans.ts';
import { decideOffline } from './decide-offline.ts';
import { decideVerdict, type Verdict } from './verdict.ts';

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
  const { id: eventId } = pairing.device.event;
  const stored = await readRoster();
  const roster = stored?.eventId === eventId ? stored : null;
  const badge = roster && (await findPresented(presented));
  const own = badge && (await findUnsentAdmission(door, badge));
  if (own) return { ...own, by: 'device' };
  if (!badge || connection.get() === 'online') {
    const verdict = await decideOnline(pairing, door, presented, method, badge !== null);
    if (!roster || verdict.kind !== 'undecided') return { ...verdict, by: 'platform' };
  }
  return {
    ...(await decideHere(pairing, door, { shown: presented, badge, roster })),
    by: 'device',
  };
}

/**
 * An admission that waits to be sent: the platform would take a second scan of the badge for the
 * first one.
 */
async function findUnsentAdmission(door: Door, badge: RosterBadge): Promise<Verdict | null> {
  const { registrationId, name } = badge;
  const earlier = await findAdmission(door, registrationId);
  if (!earlier?.scanId || !(await isUnsent(earlier.scanId))) return null;
  return { kind: 'already', registrationId, name: name ?? '', checkedInAt: earlier.at };
}

async function decideOnline(
  { token, device }: Pairing,
  door: Door,
  presented: Presented,
  method: 'scan' | 'manual',
  hasBadge: boolean,
): Promise<Verdict> {
  const { attempts, timeoutMs } = hasBadge ? onlineLimits.withBadge : onlineLimits.withoutBadge;
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
  if (verdict.kind === 'admitted' || verdict.kind === 'already') {
    const at =
      verdict.kind === 'already' ? verdict.checkedInAt : new Date(now().wallMs).toISOString();
    const admission = { eventId: device.event.id, at, scanId: null };
    // The platform has decided: a full disk must not change that.
    await storeAdmission(door, verdict.registrationId, admission).catch(console.error);
  }
  return verdict;
}

/** Decides with the roster, and stores the decision before the door shows it. */
async function decideHere(
  { device }: Pairing,
  door: Door,
  { shown, badge, roster }: { shown: Presented; badge: RosterBadge | null; roster: Roster },
): Promise<Verdict> {
  const earlier = badge ? await findAdmission(door, badge.registrationId) : undefined;
  const verdict = decideOffline(await presentedBadgeOf(shown), { badge, roster, door, earlier });
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
    moment: now(),
  };
  if (verdict.kind !== 'admitted') {
    await storeRefusal(scan);
    return verdict;
  }
  const other = await storeAdmitted(scan, verdict.registrationId);
  return other ? { ...verdict, kind: 'already', checkedInAt: other.at } : verdict;
}

const presentedBadgeOf = async (presented: Presented) =>
  'checkinCode' in presented ? { codeHash: await hashBadgeCode(presented.checkinCode) } : presented;

async function findPresented(presented: Presented): Promise<RosterBadge | null> {
  if ('checkinCode' in presented) return findBadge(await hashBadgeCode(presented.checkinCode));
  const [found] = await findBadges((badge) => badge.registrationId === presented.registrationId, 1);
  return found ?? null;
}
