import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { watchMachine } from '../faults/machine.ts';
import { type FailedRequest, unexplainedFailures } from '../history/responses.ts';

/** Does not let this process do anything else. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('a time in which the process does not run explains the failures in it, and no others', async () => {
  const ending = new AbortController();
  const { stalls, done } = watchMachine(ending.signal);
  await delay(1);
  const sentAt = performance.now();
  block(700);
  await delay(1);
  ending.abort();
  await done;
  const [stall] = stalls;
  expect(stalls).toHaveLength(1);
  const failed: FailedRequest = {
    operation: 'register',
    owner: 'registration',
    status: 503,
    sentAt,
    respondedAt: performance.now(),
  };
  expect(unexplainedFailures([failed], stalls)).toEqual([]);
  const earlier = { ...failed, sentAt: sentAt - 900, respondedAt: (stall?.beganAt ?? 0) - 1 };
  expect(unexplainedFailures([earlier], stalls)).toEqual([earlier]);
});
