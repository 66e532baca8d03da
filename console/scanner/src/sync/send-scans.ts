import type { ScanResult } from '@event-api/contracts/http/checkin-batch';
import type { z } from 'zod';
import { send } from '../api/client.ts';
import { type Moment, now, timeOf } from '../api/clock.ts';
import { keyOf, type Pairing } from '../api/device.ts';
import { readDevice } from '../api/device-request.ts';
import { observable } from '../api/observable.ts';
import type { UnsentScan } from '../store/database.ts';
import { ownName } from '../store/own-names.ts';
import { deleteScans, eventsWithUnsent, readUnsent } from '../store/scans.ts';
import { storeUnrecorded, unrecordedOf } from '../store/unrecorded.ts';
import { isRejection, rejectedScans } from './rejected-scans.ts';
import type { Outcome } from './sync-roster.ts';

type Result = z.output<typeof ScanResult>;

/** How many badges other devices have let in, too, since the page was opened. */
export const contestedCount = observable(0);

/** As many as a batch may have. */
const maxScans = 500;
const timeoutMs = 30_000;

/** One scan, as a batch has it. Only the distance between its time and that of the batch counts. */
export function reportOf(scan: UnsentScan, sent: Moment) {
  const { scanId, shown, door, decision, rosterCursor, moment } = scan;
  const { at, uncertaintyMs } = timeOf(moment, sent);
  const { subjectType, subjectId } = door;
  return {
    ...{ scanId, ...shown, subjectType, decision, rosterCursor },
    ...(subjectType !== 'event' && { subjectId }),
    scannedAt: at.toISOString(),
    clockUncertaintyMs: uncertaintyMs,
  };
}

/**
 * Scans that this device may not send, because it is paired with other doors or another event now.
 */
interface Blocked {
  /** Names of doors of the event; null for the door of the event. */
  doors: readonly (string | null)[];
  /** Names of other events. */
  events: readonly string[];
}

export const nothingBlocked: Blocked = { doors: [], events: [] };
export const blocked = observable<Blocked>(nothingBlocked);

/** Scans that the platform does not accept, by their ids, with the causes. They stay stored. */
export const rejected = observable<ReadonlyMap<string, string>>(new Map());

/**
 * Sends the scans of the doors of the device, until none is left or the platform does not respond.
 * A scan is deleted when its result has arrived, so that a lost response or a closed page costs a
 * repetition and no scan. An admission that the platform cannot record is kept for the staff. Scans
 * of a door that the device had before stay until it is paired with that door again. A scan that
 * the platform rejects blocks no other one; `retries` says whether it is sent again. Two pages of
 * one device do not send at the same time.
 */
export function sendScans(pairing: Pairing, { retries }: { retries: boolean }): Promise<Outcome> {
  return navigator.locks.request(ownName('send scans'), { ifAvailable: true }, async (lock) =>
    lock ? sendAll(pairing, retries) : 'unreachable',
  );
}

async function sendAll(pairing: Pairing, retries: boolean): Promise<Outcome> {
  const { event, doors } = pairing.device;
  const former = retries ? new Set(rejected.get().keys()) : new Set<string>();
  const own = new Set(doors.map(keyOf));
  for (;;) {
    const scans = await readUnsent(event.id);
    const sendable = scans.filter(({ door }) => own.has(keyOf(door)));
    const others = scans.filter(({ door }) => !own.has(keyOf(door)));
    blocked.set({
      doors: [...new Set(others.map(({ door }) => door.name))],
      events: await eventsWithUnsent(event.id),
    });
    const next = sendable.filter(({ scanId }) => former.has(scanId) || !rejected.get().has(scanId));
    if (next.length === 0) return 'current';
    // Its response shows how far the clock is off now.
    if (now().offsetMs === null) await readDevice(pairing.token);
    const batch = next.slice(0, maxScans);
    for (const { scanId } of batch) former.delete(scanId);
    const outcome = await sendBatch(pairing, batch);
    if (outcome !== 'sent') return outcome;
  }
}

async function sendBatch(
  { token, device }: Pairing,
  scans: UnsentScan[],
): Promise<Outcome | 'sent'> {
  const sent = now();
  const response = await send({
    method: 'POST',
    path: `/v1/events/${encodeURIComponent(device.event.id)}/checkins/batch`,
    bearer: token,
    body: {
      sentAt: new Date(sent.wallMs).toISOString(),
      scans: scans.map((scan) => reportOf(scan, sent)),
    },
    timeoutMs,
  });
  if (response.status === 401) return 'unauthorized';
  if (response.status !== null && isRejection(response.status)) {
    const places = rejectedScans(response.body, scans.length);
    const causes = [...places].map(
      ([place, cause]) => [scans[place]?.scanId ?? '', cause] as const,
    );
    rejected.set(new Map([...rejected.get(), ...causes]));
    return 'sent';
  }
  if (response.status !== 200) return 'unreachable';
  const { results } = response.body as { results: Result[] };
  const done = results.filter(({ result }) => result !== 'retry');
  const contested = done.filter(({ result }) => result === 'contested').length;
  contestedCount.set(contestedCount.get() + contested);
  // Before the scans are deleted: a page that is closed in between shows them twice and not never.
  storeUnrecorded(unrecordedOf(scans, done));
  await deleteScans(done.map(({ scanId }) => scanId));
  const accepted = new Set(results.map(({ scanId }) => scanId));
  if ([...rejected.get().keys()].some((scanId) => accepted.has(scanId))) {
    rejected.set(new Map([...rejected.get()].filter(([scanId]) => !accepted.has(scanId))));
  }
  // A scan that must be sent again would be in the next batch at once.
  return done.length < scans.length ? 'unreachable' : 'sent';
}
