import type { Origin, Snapshot } from '@event-api/contracts/messages/snapshot';
import { LRUCache } from 'lru-cache';
import { withTimeout } from '../../core/deadline.ts';
import { notFound, unavailable } from '../../core/errors.ts';
import { projectionTimeouts } from '../../core/timeouts.ts';
import type { Database } from '../../db/database.ts';
import { decodeSnapshot } from './decode.ts';
import type { Projection } from './projection.ts';
import type { SnapshotClient } from './snapshot-client.ts';

/** The record on which a decision depends. */
export interface RecordRef {
  type: string;
  businessUnitId: string;
  id: string;
}

export interface ProjectionRefresher {
  /**
   * Fetches these records from their owners and updates the projections; the caller then decides again. Returns
   * whether a projection was older. `false` does not mean that an earlier decision still holds, because a
   * message may have arrived in between. Errors: 503 when an owner does not respond within `timeoutMs` (default
   * one second).
   */
  refresh(records: readonly RecordRef[], timeoutMs?: number): Promise<boolean>;
  /**
   * Requires that the record exists; without a projection it is fetched from its owner first. A positive result
   * is cached for five seconds: records disappear only when a database is restored.
   * Errors: 404, the same for a record of another business unit and a missing one; 503 as above.
   */
  require(record: RecordRef, timeoutMs?: number): Promise<void>;
  /**
   * Writes a record that its owner has sent in a request or a response. A projection with the same or a newer
   * version stays as it is. Errors: 503 for data that the projection cannot decode.
   */
  store(snapshot: Snapshot): Promise<void>;
}

const maxExisting = 10_000;

interface InFlightRefresh {
  running: Promise<boolean>;
  /** Starts when `running` has ended, for callers that arrived after `running` had started. */
  next: Promise<boolean> | null;
}

/**
 * A request is never rejected because of a projection alone. Before a 400, 404 or 412 that depends on one, the
 * record is fetched from its owner and the decision is made again. One fetch per record runs at a time. Callers
 * that arrive during a fetch share the next one, because the running fetch may return an older version than
 * they have already seen.
 */
export function createProjectionRefresher(options: {
  db: Database;
  projections: readonly Projection[];
  snapshotClients: Partial<Record<Origin, SnapshotClient>>;
}): ProjectionRefresher {
  const { db, projections, snapshotClients } = options;
  const inFlight = new Map<string, InFlightRefresh>();
  const existing = new LRUCache<string, true>({
    max: maxExisting,
    ttl: projectionTimeouts.existsTtlMs,
  });

  function projectionOf(type: string): Projection {
    const projection = projections.find((candidate) => candidate.type.type === type);
    if (!projection) throw new Error(`no projection of ${type}`);
    return projection;
  }

  async function refreshOne({ type, businessUnitId, id }: RecordRef): Promise<boolean> {
    const projection = projectionOf(type);
    const client = snapshotClients[projection.type.origin];
    if (!client) throw new Error(`no snapshot client for ${type}`);
    const received = await client.read(
      type,
      businessUnitId,
      id,
      AbortSignal.timeout(projectionTimeouts.refreshMs),
    );
    return received ? store(projection, received) : false;
  }

  async function store(projection: Projection, received: Snapshot): Promise<boolean> {
    const { snapshot, error } = decodeSnapshot(projection, received);
    if (!snapshot) throw unavailable(new Error(error));
    const before = await projection.versionOf(db, snapshot.aggregateId);
    if (before !== null && before >= snapshot.version) return false;
    await projection.upsert(db, [snapshot]);
    return true;
  }

  function startRefresh(key: string, record: RecordRef): Promise<boolean> {
    const entry: InFlightRefresh = { running: refreshOne(record), next: null };
    inFlight.set(key, entry);
    const end = () => {
      if (!entry.next && inFlight.get(key) === entry) inFlight.delete(key);
    };
    entry.running.then(end, end);
    return entry.running;
  }

  function refreshShared(record: RecordRef): Promise<boolean> {
    const key = keyOf(record);
    const current = inFlight.get(key);
    if (!current) return startRefresh(key, record);
    current.next ??= current.running.catch(() => false).then(() => startRefresh(key, record));
    return current.next;
  }

  async function refresh(
    records: readonly RecordRef[],
    timeoutMs = projectionTimeouts.refreshMs,
  ): Promise<boolean> {
    const fetched = await withTimeout(Promise.all(records.map(refreshShared)), timeoutMs);
    if (fetched.outcome === 'late')
      throw unavailable(new Error('the owner did not respond in time'));
    return fetched.value.includes(true);
  }

  return {
    refresh,
    store: async (snapshot) => void (await store(projectionOf(snapshot.type), snapshot)),
    async require(record, timeoutMs) {
      const key = keyOf(record);
      if (existing.has(key)) return;
      const exists = () => projectionOf(record.type).exists(db, record.businessUnitId, record.id);
      if (!(await exists())) {
        await refresh([record], timeoutMs);
        if (!(await exists())) throw notFound();
      }
      existing.set(key, true);
    },
  };
}

const keyOf = ({ type, businessUnitId, id }: RecordRef): string =>
  `${type} ${businessUnitId} ${id}`;
