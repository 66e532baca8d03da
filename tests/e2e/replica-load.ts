import { eventually } from '@event-api/platform/testing/eventually';
import { expect } from 'vitest';
import { type BackgroundLoad, startLoad } from './background-load.ts';
import type { ReplicasFixture } from './fixtures/replicas.ts';

/** Starts a load with one key per client, so that no rate limit applies. */
export async function newLoad(
  platform: ReplicasFixture,
  options: { clients: number; restMs: number },
): Promise<BackgroundLoad> {
  const units = await Promise.all(Array.from({ length: options.clients }, platform.bus.newUnit));
  const clients = units.map(({ at }) => at(platform.url));
  return startLoad(clients, options.restMs);
}

/** Waits for this many further responses, which then include requests sent after the call. */
export async function waitForMoreResponses(load: BackgroundLoad, count: number): Promise<void> {
  const enough = load.responseCount() + count;
  await eventually(() => expect(load.responseCount()).toBeGreaterThan(enough));
}

/**
 * Errors: a request of the load has failed. The message contains the last warnings of the
 * processes, which name the causes.
 */
export function expectNoFaults({ faults }: BackgroundLoad, { bus }: ReplicasFixture): void {
  const warnings = bus.logLines().filter((line) => /"level":"(warn|error)"/.test(line));
  expect(faults, warnings.slice(-40).join('\n')).toEqual([]);
}
