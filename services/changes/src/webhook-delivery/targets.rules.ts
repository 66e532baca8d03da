import type { FeedEntry, Lane, Progress } from './progress.rules.ts';

/** The most requests at a time, of an endpoint, of the endpoints of a unit, and of a process. */
const maxPerEndpoint = 8;
const maxPerUnit = 64;
export const maxPerProcess = 256;

/** The failures of an endpoint since its last success. */
export interface Health {
  /** Deliveries that have failed at their first attempt. */
  failures: number;
  failingSince: Date | null;
  /** While set, only one delivery is tried, at this time. */
  backoffUntil: Date | null;
  /** The attempts of this back-off that have failed. */
  backoffAttempts: number;
}

export const healthy: Health = {
  failures: 0,
  failingSince: null,
  backoffUntil: null,
  backoffAttempts: 0,
};

export interface Ping {
  id: string;
  attempts: number;
  at: Date;
  until: Date;
}

export interface Replay {
  id: string;
  /** The changes from here to `toSequence` are still to be delivered. */
  sequence: number;
  toSequence: number;
  attempts: number;
  nextAt: Date;
}

/** An endpoint with everything on which its deliveries depend. */
export interface EndpointState {
  status: 'pending' | 'enabled';
  health: Health;
  ping: Ping | null;
  replay: Replay | null;
  progress: Progress;
}

/** What to send next. The change of a lane or of a replay must still be read. */
export type Target =
  | { kind: 'ping'; ping: Ping }
  | { kind: 'lane'; lane: Lane }
  | { kind: 'change'; change: FeedEntry }
  | { kind: 'replay'; replay: Replay };

/** The running requests of an endpoint. */
export interface InFlight {
  size: number;
  /** The objects of the changes in flight. */
  objects: ReadonlySet<string>;
  hasPing: boolean;
  hasReplay: boolean;
}

/**
 * How many more requests an endpoint may begin while `free` requests of the process are free. Its
 * share shrinks as the process fills, and a unit has at most a quarter of the process, so that slow
 * endpoints leave room for the others.
 */
export function decideAllowance({
  free,
  usedByUnit,
  inFlight,
}: {
  free: number;
  usedByUnit: number;
  inFlight: number;
}): number {
  const share = Math.min(maxPerEndpoint, Math.max(1, Math.floor(free / 16)));
  return Math.max(0, Math.min(free, maxPerUnit - usedByUnit, share - inFlight));
}

/**
 * Decides what to send next, at most `allowance` requests. At most one request of an object is in
 * flight.
 */
export function decideTargets(
  { status, health, ping, replay, progress }: EndpointState,
  inFlight: InFlight,
  { now, allowance }: { now: Date; allowance: number },
): Target[] {
  const targets: Target[] = [];
  if (ping && ping.at <= now && !inFlight.hasPing) targets.push({ kind: 'ping', ping });
  if (status === 'enabled') {
    if (health.backoffUntil === null) {
      if (replay && replay.nextAt <= now && !inFlight.hasReplay)
        targets.push({ kind: 'replay', replay });
      targets.push(...dueTargets(progress, inFlight, now));
    } else if (health.backoffUntil <= now && inFlight.size === 0) {
      targets.push(...decideProbe(progress, replay, now));
    }
  }
  return targets.slice(0, allowance);
}

/** The due lanes, oldest first, then the first change of each other object. */
function dueTargets({ lanes, window }: Progress, { objects }: InFlight, now: Date): Target[] {
  const due = [...lanes.values()].filter(
    (lane) => lane.nextAt <= now && !objects.has(lane.objectId),
  );
  const targets: Target[] = due.toSorted(bySequence).map((lane) => ({ kind: 'lane', lane }));
  const before = new Set(objects);
  for (const change of window) {
    if (!before.has(change.objectId)) targets.push({ kind: 'change', change });
    before.add(change.objectId);
  }
  return targets;
}

/**
 * The delivery that is tried while the endpoint backs off: the oldest one that is due. One that has
 * failed often is not due for hours, and must not keep the others back.
 */
function decideProbe({ lanes, window }: Progress, replay: Replay | null, now: Date): Target[] {
  const all = [...lanes.values()];
  const due = all.filter(({ nextAt }) => nextAt <= now).toSorted(bySequence);
  const [soonest] = all.toSorted((a, b) => a.nextAt.getTime() - b.nextAt.getTime());
  const lane = due[0] ?? soonest;
  const [change] = window;
  if (change && (!lane || change.sequence < lane.sequence || due.length === 0))
    return [{ kind: 'change', change }];
  if (lane) return [{ kind: 'lane', lane }];
  return replay ? [{ kind: 'replay', replay }] : [];
}

const bySequence = (a: Lane, b: Lane) => a.sequence - b.sequence;

/** The earliest time at which something becomes due by itself; null if nothing waits for a time. */
export function decideWakeAt({
  status,
  health,
  ping,
  replay,
  progress,
}: EndpointState): Date | null {
  const times = ping ? [ping.at] : [];
  const { lanes, window } = progress;
  if (status === 'enabled') {
    if (health.backoffUntil === null) {
      for (const { nextAt } of lanes.values()) times.push(nextAt);
      if (replay) times.push(replay.nextAt);
    } else if (lanes.size > 0 || window.length > 0 || replay) times.push(health.backoffUntil);
  }
  return times.reduce<Date | null>((first, at) => (first && first <= at ? first : at), null);
}
