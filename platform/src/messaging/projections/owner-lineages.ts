import type { Origin } from '@event-api/contracts/messages/snapshot';
import { projectionTimeouts } from '../../core/timeouts.ts';
import type { OriginStates } from './origins.ts';
import type { Projection } from './projection.ts';
import type { OwnerLineage, SnapshotClient } from './snapshot-client.ts';

/** Reads the lineages of the owners of the projections. */
export interface OwnerLineages {
  /** Errors: 503 when an owner does not respond. */
  read(): Promise<Partial<Record<Origin, string>>>;
  /** The same with null for an owner that does not respond. Never fails. */
  tryRead(): Promise<Partial<Record<Origin, string | null>>>;
  /** The same for these origins, with the lineages before. Never fails. */
  tryReadWithPrevious(of: readonly Origin[]): Promise<Partial<Record<Origin, OwnerLineage | null>>>;
  /**
   * Requests the lineages of unconfirmed origins again once per second, in the background. Returns
   * a response once, when it has arrived.
   */
  poll(states: OriginStates): Partial<Record<Origin, string | null>> | null;
}

export function createOwnerLineages(options: {
  projections: readonly Projection[];
  snapshotClients: Partial<Record<Origin, SnapshotClient>>;
  signal: AbortSignal;
}): OwnerLineages {
  const origins = [...new Set(options.projections.map(({ type }) => type.origin))];
  let arrived: Partial<Record<Origin, string | null>> | null = null;
  let isRunning = false;
  let requestedAt = performance.now();

  async function readOf(origin: Origin): Promise<OwnerLineage> {
    const client = options.snapshotClients[origin];
    if (!client) throw new Error(`no snapshot client for ${origin}`);
    return client.lineage(options.signal);
  }

  async function readEach<Value>(
    of: readonly Origin[],
    read: (origin: Origin) => Promise<Value>,
  ): Promise<Partial<Record<Origin, Value>>> {
    const entries = of.map(async (origin) => [origin, await read(origin)] as const);
    return Object.fromEntries(await Promise.all(entries)) as Partial<Record<Origin, Value>>;
  }

  const lineageOf = async (origin: Origin): Promise<string> => (await readOf(origin)).lineage;
  const tryReadOf = (origin: Origin): Promise<string | null> => lineageOf(origin).catch(() => null);

  async function request(of: readonly Origin[]): Promise<void> {
    isRunning = true;
    arrived = await readEach(of, tryReadOf);
    isRunning = false;
    requestedAt = performance.now();
  }

  return {
    read: () => readEach(origins, lineageOf),
    tryRead: () => readEach(origins, tryReadOf),
    tryReadWithPrevious: (of) => readEach(of, (origin) => readOf(origin).catch(() => null)),
    poll(states) {
      const open = origins.filter((origin) => states[origin]?.status !== 'confirmed');
      const response = arrived;
      arrived = null;
      const isDue =
        performance.now() - requestedAt > projectionTimeouts.lineageRetryIntervalMs && !isRunning;
      if (open.length > 0 && isDue) void request(open);
      return response;
    },
  };
}
