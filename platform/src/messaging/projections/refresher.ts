import type { Origin, Snapshot } from '@event-api/contracts/messages/snapshot';
import { LRUCache } from 'lru-cache';
import { notFound, unavailable } from '../../core/errors.ts';
import type { Database } from '../../db/database.ts';
import { decodeSnapshot } from './decode.ts';
import type { Projection } from './projection.ts';
import type { SnapshotClient } from './snapshot-client.ts';

/** Which record a refusal rests on. */
export interface RecordRef {
  type: string;
  businessUnitId: string;
  id: string;
}

export interface ProjectionRefresher {
  /**
   * Brings the copies of these records up to date by asking their owners; what rested on them is then
   * decided once more. Answers whether a copy was older: `false` does not say that an earlier decision
   * still holds, because a message may have come in between. Errors: 503 when an owner does not answer
   * within `withinMs`, a second where nothing is said.
   */
  refresh(records: readonly RecordRef[], timeoutMs?: number): Promise<boolean>;
  /**
   * Resolves when there is a copy of this record; where there is none, its owner is asked first. Whatever was there
   * is taken to be there for five more seconds: a record goes only when a database is restored.
   * Errors: 404, alike for a foreign and a nonexistent record; 503 as above.
   */
  require(record: RecordRef, timeoutMs?: number): Promise<void>;
  /**
   * Writes a record that its owner has sent in a request or a response. A projection that has this
   * version or a newer one stays as it is. Errors: 503 for data that the projection cannot read.
   */
  store(snapshot: Snapshot): Promise<void>;
}

/** A refusal may be slow but has to be right: an owner that is there is seldom slower, however busy its machine. */
const refreshTimeoutMs = 1000;
const existsTtlMs = 5000;
const maxExisting = 10_000;

interface InFlightRefresh {
  running: Promise<boolean>;
  /** Begins once `running` has ended, for those who came after that had begun. */
  next: Promise<boolean> | null;
}

/**
 * No refusal rests on a copy alone: before a 400, 404 or 412 that a copy has caused, the owner is
 * asked, and the decision is made once more. One question per record is under way at a time; who
 * comes later shares the next one, because the answer on its way may be older than what they know.
 */
export function createProjectionRefresher(options: {
  db: Database;
  projections: readonly Projection[];
  snapshotClients: Partial<Record<Origin, SnapshotClient>>;
}): ProjectionRefresher {
  const { db, projections, snapshotClients } = options;
  const inFlight = new Map<string, InFlightRefresh>();
  const existing = new LRUCache<string, true>({ max: maxExisting, ttl: existsTtlMs });

  function projectionOf(type: string): Projection {
    const projection = projections.find((candidate) => candidate.type.type === type);
    if (!projection) throw new Error(`nobody here copies ${type}`);
    return projection;
  }

  async function refreshOne({ type, businessUnitId, id }: RecordRef): Promise<boolean> {
    const projection = projectionOf(type);
    const client = snapshotClients[projection.type.origin];
    if (!client) throw new Error(`no owner is known for ${type}`);
    const received = await client.read(
      type,
      businessUnitId,
      id,
      AbortSignal.timeout(refreshTimeoutMs),
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
    timeoutMs = refreshTimeoutMs,
  ): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unavailable(new Error('the owner is too slow'))), timeoutMs);
    });
    try {
      const results = await Promise.race([Promise.all(records.map(refreshShared)), late]);
      return results.includes(true);
    } finally {
      clearTimeout(timer);
    }
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
