import type { Origin, Snapshot } from '@event-api/contracts/messages/snapshot';
import type { Database } from '../db/database.ts';
import type { Copy } from './copy.ts';
import type { SnapshotOwner } from './owner.ts';

/** Which record a refusal rests on. */
export interface CopiedRecord {
  type: string;
  businessUnitId: string;
  id: string;
}

export interface AskOwner {
  /**
   * Brings the copies of these records up to date by asking their owners, and answers whether that
   * changed anything. One question per record is under way at a time. Errors: 503 when an owner is away.
   */
  refresh(records: readonly CopiedRecord[]): Promise<boolean>;
}

/**
 * No refusal rests on a copy alone: before a 400, 404 or 412 that a copy has caused, the owner is
 * asked, and the decision is made once more.
 */
export function createAskOwner(options: {
  db: Database;
  copies: readonly Copy[];
  owners: Partial<Record<Origin, SnapshotOwner>>;
}): AskOwner {
  const { db, copies, owners } = options;
  const asking = new Map<string, Promise<boolean>>();

  async function ask({ type, businessUnitId, id }: CopiedRecord): Promise<boolean> {
    const copy = copies.find((candidate) => candidate.type.type === type);
    const owner = copy && owners[copy.type.origin];
    if (!copy || !owner) throw new Error(`nobody here copies ${type}`);
    const snapshot = await owner.read(type, businessUnitId, id);
    return snapshot ? store(copy, snapshot) : false;
  }

  async function store(copy: Copy, snapshot: Snapshot): Promise<boolean> {
    const before = await copy.versionOf(db, snapshot.aggregateId);
    if (before !== null && before >= snapshot.version) return false;
    await db.transaction((tx) => copy.upsert(tx, [snapshot]));
    return true;
  }

  return {
    async refresh(records) {
      const answers = records.map((record) => {
        const key = `${record.type} ${record.businessUnitId} ${record.id}`;
        const running = asking.get(key) ?? ask(record).finally(() => asking.delete(key));
        asking.set(key, running);
        return running;
      });
      return (await Promise.all(answers)).includes(true);
    },
  };
}
