import type { Owner } from '@event-api/contracts/operation';
import { timeouts } from '../timeouts.ts';

/**
 * Whether a process accepts requests. One that cannot be reached, or is slow, does not. Never
 * rejects.
 */
export type IsReady = (owner: Owner) => Promise<boolean>;

/** Reads `GET /readyz` of the internal listeners. */
export const createIsReady =
  (internalUrls: Partial<Record<Owner, string>>): IsReady =>
  async (owner) => {
    try {
      const url = new URL('/readyz', internalUrls[owner]);
      const response = await fetch(url, { signal: AbortSignal.timeout(timeouts.readinessMs) });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  };
