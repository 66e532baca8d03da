import { waitUntil } from '@event-api/local-servers/probe';
import type { Dependencies } from '@event-api/platform/telemetry/dependencies';

const TIMEOUT_MS = 20_000;

type States = ReturnType<Dependencies['states']>;

/**
 * Waits until every process can use its servers. Processes become ready without NATS and Redis,
 * because a running platform serves requests while these are down; one that starts without them is
 * not what its user wanted.
 * Errors: a process cannot use a server, with its reason.
 */
export async function waitForDependencies(
  internalUrls: Record<string, string>,
  signal: AbortSignal,
): Promise<void> {
  let missing = ['the processes do not say whether they can use their servers'];
  const areAllUp = async () => {
    const found = await Promise.all(
      Object.entries(internalUrls).map(async ([name, url]) =>
        describeMissing(name, await readStates(url)),
      ),
    );
    missing = found.flat();
    return missing.length === 0;
  };
  if (await waitUntil(areAllUp, TIMEOUT_MS, signal)) return;
  if (!signal.aborted) throw new Error(missing.join('\n'));
}

async function readStates(url: string): Promise<States> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) });
  // A process of an earlier release does not say.
  return ((await response.json()) as { dependencies?: States }).dependencies ?? {};
}

const describeMissing = (name: string, states: States): string[] =>
  Object.entries(states).flatMap(([dependency, state]) => {
    if (state === 'up') return [];
    const reason = state === 'pending' ? 'no response' : state.reason;
    return `${name} cannot use ${dependency}: ${reason}`;
  });
