import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessName } from '@event-api/contracts/topology';
import type { ServiceAddresses } from '@event-api/test-support/replicas';

const CHECK_EVERY_MS = 300;
const RESPONSE_MS = 700;
/** Checks in a row that fail before a replica is withdrawn. */
const FAILURES = 2;

/**
 * Admits a replica while it is ready, as a load balancer does. Connections to a replica that cannot
 * be reached any more are closed: no response would arrive on them. Ends with `signal`.
 */
export function admitReachable(options: {
  addresses: ServiceAddresses;
  name: ProcessName;
  replica: { apiUrl: string; internalUrl: string };
  signal: AbortSignal;
}): void {
  const { addresses, name, replica, signal } = options;
  addresses.admit(name, replica);
  const check = async () => {
    let isAdmitted = true;
    for (let failures = 0; !signal.aborted; ) {
      await delay(CHECK_EVERY_MS, undefined, { signal }).catch(() => {});
      failures = (await isReady(replica.internalUrl)) ? 0 : failures + 1;
      if (isAdmitted && failures >= FAILURES) {
        addresses.sever(name, replica);
        isAdmitted = false;
      } else if (!isAdmitted && failures === 0) {
        addresses.admit(name, replica);
        isAdmitted = true;
      }
    }
  };
  void check();
}

async function isReady(internalUrl: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(RESPONSE_MS);
    const response = await fetch(`${internalUrl}/readyz`, { signal });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
