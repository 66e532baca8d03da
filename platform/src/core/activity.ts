import { activityTimeouts } from './timeouts.ts';

/**
 * Whether this process has had something to do lately: a request of its API, a message, a notice of
 * another process or a commit that is announced. Background checks run less often in a quiet
 * process, because each one would wake the process and the database. Like the event loop it belongs
 * to the whole process.
 */
export interface Activity {
  /** The process has something to do. Ends the long pauses of its background checks. */
  note(): void;
  isQuiet(): boolean;
  /**
   * Calls `listener` when a quiet process has something to do again. Returns a function that
   * removes it.
   */
  onResume(listener: () => void): () => void;
}

/** `now` returns milliseconds. The process counts as active for `quietAfterMs` after its start. */
export function createActivity(now: () => number, quietAfterMs: number): Activity {
  const listeners = new Set<() => void>();
  let activeAt = now();
  const isQuiet = () => now() - activeAt >= quietAfterMs;
  return {
    note() {
      const resumes = isQuiet();
      activeAt = now();
      if (resumes) for (const listener of [...listeners]) listener();
    },
    isQuiet,
    onResume(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The activity of this process. */
export const processActivity = createActivity(
  () => performance.now(),
  activityTimeouts.quietAfterMs,
);
