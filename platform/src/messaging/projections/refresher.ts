import type { Origin, Snapshot } from '@event-api/contracts/messages/snapshot';
import { boundedCache } from '../../core/bounded-cache.ts';
import { withTimeout } from '../../core/deadline.ts';
import { ApiError, notFound, type RecordKind, unavailable } from '../../core/errors.ts';
import { projectionTimeouts } from '../../core/timeouts.ts';
import type { Database } from '../../db/database.ts';
import { decodeSnapshot } from './decode.ts';
import type { OriginTrust } from './origin-trust.ts';
import type { OriginStatus } from './origins.ts';
import type { Projection } from './projection.ts';
import type { SnapshotClient } from './snapshot-client.ts';

/** The record on which a decision depends. */
export interface RecordRef {
  type: string;
  businessUnitId: string;
  id: string;
  /** Names the record in the 404 of an operator command. */
  kind?: RecordKind;
}

export interface ProjectionRefresher {
  /**
   * Fetches these records from their owners and updates the projections; the caller then decides
   * again. Returns whether a projection was older. `false` does not mean that an earlier decision
   * still holds, because a message may have arrived in between. Errors: 503 when an owner does not
   * respond within `timeoutMs` (default one second).
   */
  refresh(records: readonly RecordRef[], timeoutMs?: number): Promise<boolean>;
  /**
   * To be called before a decision that sells or admits. While the projections of these records are
   * not confirmed, their owners decide: the records are fetched and replaced, and those that do not
   * exist are deleted. If an owner does not respond within `timeoutMs` (default one second), the
   * projections decide. Returns whether records were fetched.
   * Errors: 503 when the projections are known to differ from the database of an owner that does
   * not respond.
   */
  confirm(records: readonly RecordRef[], timeoutMs?: number): Promise<boolean>;
  /** How far the projections of these types can be trusted. */
  statusOf(types: readonly string[]): Promise<OriginStatus>;
  /**
   * Requires that the record exists; without a projection it is fetched from its owner first. A
   * positive result is cached for five seconds while the projections are confirmed: records
   * disappear only when a database is restored.
   * Errors: 404, the same for a record of another business unit and a missing one; 503 as above.
   */
  require(record: RecordRef, timeoutMs?: number): Promise<void>;
  /**
   * Replaces the projection of a record by what its owner has, also if the version is the same: an
   * earlier release does not write the columns that a later one has added. Errors: 503 when the
   * owner does not respond.
   */
  replace(record: RecordRef): Promise<void>;
  /**
   * Writes records that their owner has sent in a request or a response, in one statement for each
   * type. A projection with the same or a newer version stays as it is. Errors: 503 for data that
   * the projection cannot decode.
   */
  store(snapshots: readonly Snapshot[]): Promise<void>;
}

const maxExisting = 10_000;

interface InFlightRefresh {
  running: Promise<boolean>;
  /** Starts when `running` has ended, for callers that arrived after `running` had started. */
  next: Promise<boolean> | null;
}

/**
 * A request is never rejected because of a projection alone. Before a 400, 404 or 412 that depends
 * on one, the record is fetched from its owner and the decision is made again. One fetch per record
 * runs at a time. Callers that arrive during a fetch share the next one, because the running fetch
 * may return an older version than they have already seen.
 */
export function createProjectionRefresher(options: {
  db: Database;
  projections: readonly Projection[];
  snapshotClients: Partial<Record<Origin, SnapshotClient>>;
  trust: OriginTrust;
}): ProjectionRefresher {
  const { db, projections, snapshotClients, trust } = options;
  const inFlight = new Map<string, InFlightRefresh>();
  const existing = boundedCache<string, true>(maxExisting, {
    ttl: projectionTimeouts.existsTtlMs,
  });

  function projectionOf(type: string): Projection {
    const projection = projections.find((candidate) => candidate.type.type === type);
    if (!projection) throw new Error(`no projection of ${type}`);
    return projection;
  }

  const statusOf = (types: readonly string[]): Promise<OriginStatus> =>
    trust.statusOf([...new Set(types.map((type) => projectionOf(type).type.origin))]);

  /** Reads a record from its owner. */
  function readerOf({ type, businessUnitId, id }: RecordRef): () => Promise<Snapshot | null> {
    const client = snapshotClients[projectionOf(type).type.origin];
    if (!client) throw new Error(`no snapshot client for ${type}`);
    return () => client.read(type, businessUnitId, id);
  }

  async function refreshOne(record: RecordRef): Promise<boolean> {
    const { type } = record;
    const projection = projectionOf(type);
    const read = readerOf(record);
    if ((await statusOf([type])) !== 'confirmed') return replace(projection, record, read);
    const received = await read();
    return received ? store(projection, decoded(projection, received)) : false;
  }

  async function store(projection: Projection, snapshot: Snapshot): Promise<boolean> {
    const before = await projection.versionOf(db, snapshot.aggregateId);
    if (before !== null && before >= snapshot.version) return false;
    await projection.upsert(db, [snapshot]);
    return true;
  }

  /**
   * Replaces the row with what `read` returns, whatever its version: the row may not exist at the
   * owner.
   */
  async function replace(
    projection: Projection,
    record: RecordRef,
    read: () => Promise<Snapshot | null>,
  ): Promise<boolean> {
    const { businessUnitId, id: aggregateId } = record;
    for (let attempt = 1; attempt <= projectionTimeouts.replaceAttempts; attempt++) {
      const version = await projection.versionOf(db, aggregateId);
      const received = await read();
      const snapshot = received && decoded(projection, received);
      const row = { businessUnitId, aggregateId, version };
      if (!snapshot) existing.delete(keyOf(record));
      if (await projection.replace(db, row, snapshot))
        return version !== (snapshot?.version ?? null);
    }
    // Messages change the row as fast as it is fetched: they contain the newest state.
    return true;
  }

  const replaceBy = (projection: Projection, snapshot: Snapshot): Promise<boolean> => {
    const { type, businessUnitId, aggregateId: id } = snapshot;
    return replace(projection, { type, businessUnitId, id }, async () => snapshot);
  };

  async function confirm(
    records: readonly RecordRef[],
    timeoutMs = projectionTimeouts.refreshMs,
  ): Promise<boolean> {
    const status = await statusOf(records.map(({ type }) => type));
    if (status === 'confirmed') return false;
    try {
      await refresh(records, timeoutMs);
      return true;
    } catch (error) {
      if (status === 'different' || !(error instanceof ApiError)) throw error;
      return false;
    }
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
    confirm,
    statusOf,
    async replace(record) {
      await replace(projectionOf(record.type), record, readerOf(record));
    },
    async store(received) {
      for (const [type, ofType] of Map.groupBy(received, (each) => each.type)) {
        const projection = projectionOf(type);
        const snapshots = newestOf(ofType.map((each) => decoded(projection, each)));
        if ((await statusOf([type])) === 'confirmed') await projection.upsert(db, snapshots);
        else await Promise.all(snapshots.map((each) => replaceBy(projection, each)));
      }
    },
    async require(record, timeoutMs) {
      const key = keyOf(record);
      if (existing.has(key) && (await statusOf([record.type])) === 'confirmed') return;
      const exists = () => projectionOf(record.type).exists(db, record.businessUnitId, record.id);
      if (!(await exists())) {
        await refresh([record], timeoutMs);
        if (!(await exists())) throw notFound(record.kind);
      }
      existing.set(key, true);
    },
  };
}

/** The newest snapshot of each record: a statement writes a row once. */
function newestOf(snapshots: readonly Snapshot[]): Snapshot[] {
  const newest = new Map<string, Snapshot>();
  for (const each of snapshots) {
    const other = newest.get(each.aggregateId);
    if (!other || other.version < each.version) newest.set(each.aggregateId, each);
  }
  return [...newest.values()];
}

/** Errors: 503 for data that the projection cannot decode. */
function decoded(projection: Projection, received: Snapshot): Snapshot {
  const { snapshot, error } = decodeSnapshot(projection, received);
  if (!snapshot) throw unavailable(new Error(error));
  return snapshot;
}

const keyOf = ({ type, businessUnitId, id }: RecordRef): string =>
  `${type} ${businessUnitId} ${id}`;
