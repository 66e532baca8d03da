import { connection } from '../api/connection.ts';
import type { Device, Pairing } from '../api/device.ts';
import { readDevice } from '../api/device-request.ts';
import { countUnsent, unsentCount } from '../store/scans.ts';
import { readUnrecorded } from '../store/unrecorded.ts';
import { reportDevice } from './report-device.ts';
import { blocked, contestedCount, nothingBlocked, rejected, sendScans } from './send-scans.ts';
import { showRosterAge, syncRoster } from './sync-roster.ts';

const sendIntervalMs = 5000;
const rosterIntervalMs = 30_000;

/**
 * Sends scans, reads the roster and the doors, and reports the state of the device while the page
 * is shown, until the returned function is called: at once after the connection came back,
 * otherwise every few seconds. Calls `onEnded` when the token is not valid any more, and `onDevice`
 * with the device as the platform has it.
 */
export function startBackground(
  pairing: Pairing,
  { onEnded, onDevice }: { onEnded: () => void; onDevice: (device: Device) => void },
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isRunning = false;
  let isWanted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rosterDueAt = 0;

  const pass = async (): Promise<void> => {
    // Another page of this device may have stored some.
    await countUnsent();
    const unsentBefore = unsentCount.get();
    const isRosterDue = performance.now() >= rosterDueAt;
    if (unsentBefore > 0) {
      const outcome = await sendScans(pairing, { retries: isRosterDue });
      if (outcome === 'unauthorized') return end();
    }
    if (connection.get() !== 'online') return;
    if (isRosterDue) {
      const outcome = await syncRoster(pairing, signal);
      if (outcome === 'unauthorized') return end();
      if (outcome === 'current') rosterDueAt = performance.now() + rosterIntervalMs;
      const device = await readDevice(pairing.token);
      if (device && !signal.aborted) onDevice(device);
    }
    if (isRosterDue || unsentCount.get() !== unsentBefore) await reportDevice(pairing);
  };
  const end = () => {
    if (!signal.aborted) onEnded();
  };
  const run = async () => {
    clearTimeout(timer);
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    while (isWanted && !signal.aborted) {
      isWanted = false;
      // A full disk, or a later version of the page that closes the database: the next pass tries
      // again.
      if (!document.hidden) await pass().catch(console.error);
    }
    isRunning = false;
    if (!signal.aborted) timer = setTimeout(() => void run(), sendIntervalMs);
  };
  const runNow = () => void run();
  const stopWatching = [
    connection.subscribe(() => {
      if (connection.get() !== 'online') return;
      rosterDueAt = 0;
      runNow();
    }),
    unsentCount.subscribe(() => {
      if (connection.get() === 'online') runNow();
    }),
  ];
  const events = [
    [window, 'online'],
    [document, 'visibilitychange'],
  ] as const;
  for (const [target, name] of events) target.addEventListener(name, runNow);
  contestedCount.set(0);
  blocked.set(nothingBlocked);
  rejected.set(new Map());
  readUnrecorded();
  showRosterAge(pairing).catch(console.error).finally(runNow);

  return () => {
    stopping.abort();
    clearTimeout(timer);
    for (const stop of stopWatching) stop();
    for (const [target, name] of events) target.removeEventListener(name, runNow);
  };
}
