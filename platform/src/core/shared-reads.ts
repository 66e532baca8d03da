import { boundedCache } from './bounded-cache.ts';

/** The last read of a key, and the one that waits. */
interface LastRead<Value> {
  beganAt: number;
  isRunning: boolean;
  ended: Promise<void>;
  next: Promise<Value> | null;
}

/**
 * Shares reads among callers that want the same value at a time. Per key, one read runs at a time and at most one begins in
 * `intervalMs`. A caller never gets what was read before its call: it waits for the next read if one runs or has run in the
 * interval, so that a page which reads again after a change shows the change. A failure is that of all callers of this read.
 */
export function createSharedReads<Value>(options: {
  intervalMs: number;
  /** The keys that are remembered. A key beyond them is read more often. */
  maxKeys: number;
}): (key: string, read: () => Promise<Value>) => Promise<Value> {
  const { intervalMs, maxKeys } = options;
  const lastReads = boundedCache<string, LastRead<Value>>(maxKeys);

  function begin(key: string, read: () => Promise<Value>): Promise<Value> {
    const value = read();
    const end = () => {
      last.isRunning = false;
    };
    const last: LastRead<Value> = {
      beganAt: performance.now(),
      isRunning: true,
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
    const leftMs = () => last.beganAt + intervalMs - performance.now();
    if (!last.isRunning && leftMs() <= 0) return begin(key, read);
    last.next = last.ended.then(() => wait(leftMs())).then(() => begin(key, read));
    return last.next;
  };
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
