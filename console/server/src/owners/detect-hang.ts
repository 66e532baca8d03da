import { isMutation, type Owner } from '@event-api/contracts/operation';
import { withTimeout } from '@event-api/platform/core/deadline';
import { partLate } from '../errors.ts';
import { timeouts } from '../timeouts.ts';
import type { ReadReadiness } from './readiness.ts';
import type { SendRequest } from './send.ts';

/**
 * Ends a read that is slow if its owner is not ready either, so that a page names a part that hangs
 * long before the timeout of the request. A read of an owner that is ready goes on, and so does
 * every change: it may take effect. Slow reads of an owner share a check. Errors: 504, as after the
 * timeout.
 */
export function detectHang(options: {
  send: SendRequest;
  readReadiness: ReadReadiness;
  /** From when on a read is slow. */
  slowReadMs?: number;
}): SendRequest {
  const { send, readReadiness, slowReadMs = timeouts.slowReadMs } = options;
  const running = new Map<Owner, Promise<boolean>>();

  function check(owner: Owner): Promise<boolean> {
    const shared = running.get(owner);
    if (shared) return shared;
    const started = readReadiness(owner)
      .then(({ isReady }) => isReady)
      .finally(() => running.delete(owner));
    running.set(owner, started);
    return started;
  }

  return async (request) => {
    const { operation, isLongPoll = false } = request;
    const sent = send(request);
    if (isLongPoll || isMutation(operation)) return sent;
    const timed = await withTimeout(sent, slowReadMs);
    if (timed.outcome === 'done') return timed.value;
    const { owner } = operation.config;
    const hung = check(owner).then((ready) => {
      if (!ready) throw partLate(owner);
      return sent;
    });
    return Promise.race([sent, hung]);
  };
}
