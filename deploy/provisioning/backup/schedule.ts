import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { currentTime } from './clock.ts';
import type { BackupManifest } from './manifest.ts';

const DAY_MS = 86_400_000;
/** How often the clock is read. A sleep of a day would end late after the machine was suspended. */
const TICK_MS = 30_000;
/** After a failed backup. */
const RETRY_MS = 600_000;
/**
 * From this age on the newest backup is reported as overdue: one was missed, and half a day has
 * passed.
 */
const OVERDUE_MS = 1.5 * DAY_MS;

/** A time of day, in milliseconds since midnight in UTC. Undefined for a text that is none. */
export function parseTimeOfDay(text: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined) return undefined;
  return (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/**
 * Whether a backup is due: none has begun since the last occurrence of the time of day. A missed
 * one is due at once.
 */
export function isDue(facts: {
  newest: Date | undefined;
  now: Date;
  timeOfDayMs: number;
}): boolean {
  const { newest, now, timeOfDayMs } = facts;
  if (newest === undefined) return true;
  const startOfDay = Math.floor((now.getTime() - timeOfDayMs) / DAY_MS) * DAY_MS;
  return newest.getTime() < startOfDay + timeOfDayMs;
}

/** Whether the newest backup is too old, or there is none. */
export const isOverdue = (newest: Date | undefined, now: Date): boolean =>
  newest === undefined || now.getTime() - newest.getTime() > OVERDUE_MS;

/** When the newest backup began. */
export function newestOf(backups: readonly BackupManifest[]): Date | undefined {
  const newest = backups.at(-1);
  return newest && new Date(newest.startedAt);
}

/**
 * Takes a backup whenever one is due, until the process ends. One that fails is retried after ten
 * minutes. One that is interrupted leaves a draft, which the next one removes.
 */
export async function takeDaily(options: {
  timeOfDayMs: number;
  newest: () => Date | undefined;
  take: () => Promise<string>;
  report: (line: string) => void;
  fail: (error: unknown) => void;
}): Promise<never> {
  const { timeOfDayMs, newest, take, report, fail } = options;
  for (;;) {
    let pauseMs = TICK_MS;
    if (isDue({ newest: newest(), now: currentTime(), timeOfDayMs })) {
      try {
        report(await take());
      } catch (error) {
        fail(error);
        pauseMs = RETRY_MS;
      }
    }
    await pause(pauseMs);
  }
}

/**
 * Serves `/readyz`, which is 503 while the newest backup is overdue, and `/metrics` with the time
 * of the newest one for the alert BackupOverdue.
 */
export function serveStatus(port: number, newest: () => Date | undefined): Server {
  return createServer((request, response) => {
    const found = newest();
    if (request.url === '/readyz') {
      response.writeHead(isOverdue(found, currentTime()) ? 503 : 200).end();
    } else if (request.url === '/metrics') {
      response.setHeader('content-type', 'text/plain; version=0.0.4');
      response.end(metricsOf(found));
    } else {
      response.writeHead(404).end();
    }
  }).listen(port);
}

/** The series is missing while there is no backup. */
export const metricsOf = (newest: Date | undefined): string =>
  [
    '# HELP backup_newest_timestamp_seconds When the newest complete backup began, as Unix time',
    '# TYPE backup_newest_timestamp_seconds gauge',
    ...(newest ? [`backup_newest_timestamp_seconds ${newest.getTime() / 1000}`] : []),
    '',
  ].join('\n');
