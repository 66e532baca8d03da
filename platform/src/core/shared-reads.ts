import { boundedCache } from './bounded-cache.ts';

/** The last read of a key, and the one that waits. */
interface LastRead<Value> {
  beganAt: number;
  /** How long it took; null while it runs. */
  readMs: number | null;
  ended: Promise<void>;
  next: Promise<Value> | null;
}

/** The interval after a read that took this time, in milliseconds. */
export type ReadInterval = (readMs: number) => number;

/**
 * Twenty times as long as the read took, and `maxMs` at most: the reads of a key take a twentieth
 * of the time, and nobody waits long for the value of a quick one.
 */
export const longerForSlowReads =
  (maxMs: number): ReadInterval =>
  (readMs) =>
    Math.min(maxMs, 20 * readMs);

/**
 * Shares reads among callers that want the same value at a time. Per key, one read runs at a time
 * and at most one begins in the interval. A caller never gets what was read before its call: it
 * waits for the next read if one runs or has run in the interval, so that a page which reads again
 * after a change shows the change. A failure is that of all callers of this read.
 */
export function createSharedReads<Value>(options: {
  intervalMs: ReadInterval;
  /** The keys that are remembered. A key beyond them is read more often. */
  maxKeys: number;
}): (key: string, read: () => Promise<Value>) => Promise<Value> {
  const { intervalMs, maxKeys } = options;
  const lastReads = boundedCache<string, LastRead<Value>>(maxKeys);

  function begin(key: string, read: () => Promise<Value>): Promise<Value> {
    const beganAt = performance.now();
    const value = read();
    const end = () => {
      last.readMs = performance.now() - beganAt;
    };
    const last: LastRead<Value> = {
      beganAt,
      readMs: null,
      ended: value.then(end, end),
      next: null,
    };
    lastReads.set(key, last);
    return value;
  }

  return (key, read) => {
    const last = lastReads.get(key);
    if (!last) return begin(key, read);
    if (last.next) return last.next;
    const leftMs = () => last.beganAt + intervalMs(last.readMs ?? 0) - performance.now();
    if (last.readMs !== null && leftMs() <= 0) return begin(key, read);
    last.next = last.ended.then(() => wait(leftMs())).then(() => begin(key, read));
    return last.next;
  };
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
