import type { Origin, Snapshot } from '@event-api/contracts/messages/snapshot';
import { LRUCache } from 'lru-cache';
import type { Database } from '../db/database.ts';
import { notFound, unavailable } from '../errors.ts';
import { readSnapshot } from './apply.ts';
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
   * Brings the copies of these records up to date by asking their owners; what rested on them is then
   * decided once more. Answers whether a copy was older: `false` does not say that an earlier decision
   * still holds, because a message may have come in between. Errors: 503 when an owner does not answer
   * within `withinMs`, a second where nothing is said.
   */
  refresh(records: readonly CopiedRecord[], withinMs?: number): Promise<boolean>;
  /**
   * Resolves when there is a copy of this record; where there is none, its owner is asked first. Whatever was there
   * is taken to be there for five more seconds: a record goes only when a database is restored.
   * Errors: 404, alike for a foreign and a nonexistent record; 503 as above.
   */
  require(record: CopiedRecord, withinMs?: number): Promise<void>;
  /**
   * Writes a record that its owner has sent in a request or a response. A projection that has this
   * version or a newer one stays as it is. Errors: 503 for data that the projection cannot read.
   */
  store(snapshot: Snapshot): Promise<void>;
}

/** A refusal may be slow but has to be right: an owner that is there is seldom slower, however busy its machine. */
const patienceMs = 1000;
const rememberMs = 5000;
const maxRemembered = 10_000;

interface Question {
  running: Promise<boolean>;
  /** Begins once `running` has ended, for those who came after that had begun. */
  next: Promise<boolean> | null;
}

/**
 * No refusal rests on a copy alone: before a 400, 404 or 412 that a copy has caused, the owner is
 * asked, and the decision is made once more. One question per record is under way at a time; who
 * comes later shares the next one, because the answer on its way may be older than what they know.
 */
export function createAskOwner(options: {
  db: Database;
  copies: readonly Copy[];
  owners: Partial<Record<Origin, SnapshotOwner>>;
}): AskOwner {
  const { db, copies, owners } = options;
  const questions = new Map<string, Question>();
  const seen = new LRUCache<string, true>({ max: maxRemembered, ttl: rememberMs });

  function copyOf(type: string): Copy {
    const copy = copies.find((candidate) => candidate.type.type === type);
    if (!copy) throw new Error(`nobody here copies ${type}`);
    return copy;
  }

  async function ask({ type, businessUnitId, id }: CopiedRecord): Promise<boolean> {
    const copy = copyOf(type);
    const owner = owners[copy.type.origin];
    if (!owner) throw new Error(`no owner is known for ${type}`);
    const answer = await owner.read(type, businessUnitId, id, AbortSignal.timeout(patienceMs));
    return answer ? store(copy, answer) : false;
  }

  async function store(copy: Copy, answer: Snapshot): Promise<boolean> {
    const { snapshot, error } = readSnapshot(copy, answer);
    if (!snapshot) throw unavailable(new Error(error));
    const before = await copy.versionOf(db, snapshot.aggregateId);
    if (before !== null && before >= snapshot.version) return false;
    await copy.upsert(db, [snapshot]);
    return true;
  }

  function begin(key: string, record: CopiedRecord): Promise<boolean> {
    const question: Question = { running: ask(record), next: null };
    questions.set(key, question);
    const end = () => {
      if (!question.next && questions.get(key) === question) questions.delete(key);
    };
    question.running.then(end, end);
    return question.running;
  }

  function share(record: CopiedRecord): Promise<boolean> {
    const key = keyOf(record);
    const known = questions.get(key);
    if (!known) return begin(key, record);
    known.next ??= known.running.catch(() => false).then(() => begin(key, record));
    return known.next;
  }

  async function refresh(
    records: readonly CopiedRecord[],
    withinMs = patienceMs,
  ): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unavailable(new Error('the owner is too slow'))), withinMs);
    });
    try {
      const answers = await Promise.race([Promise.all(records.map(share)), late]);
      return answers.includes(true);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    refresh,
    store: async (snapshot) => void (await store(copyOf(snapshot.type), snapshot)),
    async require(record, withinMs) {
      const key = keyOf(record);
      if (seen.has(key)) return;
      const isKnown = () => copyOf(record.type).has(db, record.businessUnitId, record.id);
      if (!(await isKnown())) {
        await refresh([record], withinMs);
        if (!(await isKnown())) throw notFound();
      }
      seen.set(key, true);
    },
  };
}

const keyOf = ({ type, businessUnitId, id }: CopiedRecord): string =>
  `${type} ${businessUnitId} ${id}`;
