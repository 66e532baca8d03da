import type { getRoster } from '@event-api/contracts/http/roster';
import type { z } from 'zod';
import { send } from '../api/client.ts';
import { now } from '../api/clock.ts';
import type { Pairing } from '../api/device.ts';
import { observable } from '../api/observable.ts';
import type { Roster } from '../store/database.ts';
import type { CheckinChange } from '../store/merge-admission.ts';
import { clearRoster, type RosterChange, readRoster, storeRoster } from '../store/roster.ts';

type RosterPage = z.output<(typeof getRoster)['schema']['response'][200]>;

/** When the stored roster was as the platform has it, in milliseconds; null without a roster. */
export const rosterReadAt = observable<number | null>(null);

/** Ends a pass that makes no progress. The roster of the largest event has 200 pages. */
const maxPages = 2000;

/** What came of a pass. `unauthorized` means that the token is not valid any more. */
export type Outcome = 'current' | 'unreachable' | 'unauthorized';

/**
 * Reads what has changed since the stored roster, or the whole roster of another event. Until a
 * whole one has arrived, the device decides with the former one of its event. After `signal`
 * nothing is stored: the device may be paired with another event.
 */
export async function syncRoster(pairing: Pairing, signal: AbortSignal): Promise<Outcome> {
  const { device } = pairing;
  const stored = await readRoster();
  if (stored && stored.eventId !== device.event.id) await clearRoster();
  const isUsable = stored?.eventId === device.event.id && stored.hasNames === device.showNames;
  const result = await readChanges(pairing, isUsable ? stored : null, signal);
  if (result !== 'expired') return result;
  const whole = await readChanges(pairing, null, signal);
  return whole === 'expired' ? 'unreachable' : whole;
}

/** Shows the age of the stored roster after the page was opened. */
export async function showRosterAge({ device }: Pairing): Promise<void> {
  rosterReadAt.set(null);
  const stored = await readRoster();
  rosterReadAt.set(stored?.eventId === device.event.id ? stored.readAt : null);
}

async function readChanges(
  { token, device }: Pairing,
  base: Roster | null,
  signal: AbortSignal,
): Promise<Outcome | 'expired'> {
  const badges: RosterChange[] = [];
  const checkins: CheckinChange[] = [];
  let cursor = base?.cursor ?? null;
  let sources = base?.sources ?? [];
  let doors = base?.doors ?? [];
  for (let page = 0; page < maxPages; page++) {
    const query = new URLSearchParams({
      ...(cursor !== null && { cursor }),
      ...(device.showNames && { include: 'names' }),
    });
    const response = await send({
      path: `/v1/events/${encodeURIComponent(device.event.id)}/checkins/roster?${query}`,
      bearer: token,
      timeoutMs: pageTimeoutMs,
    });
    if (response.status === 401) return 'unauthorized';
    if (signal.aborted) return 'unreachable';
    // Another release may not read the cursor of this one.
    if (response.status === 412 || (response.status === 400 && base)) return 'expired';
    if (response.status !== 200) return 'unreachable';
    const body = response.body as RosterPage;
    badges.push(...body.badges);
    checkins.push(...body.checkins);
    cursor = body.nextCursor;
    sources = body.sources ?? sources;
    doors = body.doors ?? doors;
    if (!body.hasMore) {
      const readAt = now().wallMs;
      const roster: Roster = {
        eventId: device.event.id,
        hasNames: device.showNames,
        cursor,
        event: body.event,
        sources,
        doors,
        readAt,
      };
      await storeRoster(roster, { badges, checkins }, base === null);
      rosterReadAt.set(readAt);
      return 'current';
    }
  }
  return 'unreachable';
}

/** A page has up to 5,000 badges and comes over a slow network, too. */
const pageTimeoutMs = 30_000;
