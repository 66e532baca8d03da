import type { Owner } from '@event-api/contracts/operation';
import { timeouts } from '../timeouts.ts';
import { missingOf } from './missing.rules.ts';

/** What a process says about itself. */
export interface Readiness {
  /** Whether it accepts requests. */
  isReady: boolean;
  /** The servers that it does not reach, such as `nats`. */
  missing: string[];
}

/**
 * Asks a process. One that cannot be reached, or is slow, is not ready, and nothing is known to be
 * missing. Never rejects.
 */
export type ReadReadiness = (owner: Owner) => Promise<Readiness>;

/** Reads `GET /readyz` of the internal listeners. */
export const createReadReadiness =
  (internalUrls: Partial<Record<Owner, string>>): ReadReadiness =>
  async (owner) => {
    try {
      const url = new URL('/readyz', internalUrls[owner]);
      const response = await fetch(url, { signal: AbortSignal.timeout(timeouts.readinessMs) });
      return { isReady: response.ok, missing: missingOf(await response.json()) };
    } catch {
      return { isReady: false, missing: [] };
    }
  };
