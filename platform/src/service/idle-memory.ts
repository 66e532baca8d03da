import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Activity, processActivity } from '../core/activity.ts';
import { memoryTimeouts } from '../core/timeouts.ts';

/** A process is idle while its event loop is busy for less than this share of the time. */
const idleUtilization = 0.1;
/** Below this growth since the last collection there is little to free. */
const minGrowth = 1.2;

/**
 * Returns the memory that a start or a storm has left behind: collects all garbage when the process
 * has been idle since the previous check and `activity` is quiet, so that no request waits for the
 * collection or for code to be compiled again after a short pause. V8 itself keeps the garbage of
 * an idle process, because it collects when it allocates. Does not keep the process alive.
 */
export function collectGarbageWhenIdle(
  intervalMs = memoryTimeouts.idleCheckIntervalMs,
  activity: Pick<Activity, 'isQuiet'> = processActivity,
): void {
  const collect = garbageCollector();
  let loop = performance.eventLoopUtilization();
  let usedAfterLast = 0;
  const check = () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, loop);
    loop = now;
    const { heapTotal } = process.memoryUsage();
    const isIdle = utilization <= idleUtilization && activity.isQuiet();
    if (!isIdle || heapTotal < usedAfterLast * minGrowth) return;
    collect();
    usedAfterLast = process.memoryUsage().heapTotal;
  };
  setInterval(check, intervalMs).unref();
}

/** The function `gc` of V8 without the flag on the command line. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  // Contexts of other code must not get the function.
  setFlagsFromString('--no-expose-gc');
  // The thorough kind also compacts and clears caches. The usual one leaves half-empty pages.
  return () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
