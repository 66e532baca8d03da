import { setTimeout as delay } from 'node:timers/promises';
import { nextDigest } from '@event-api/contracts/http/change-digest';
import type { Change } from '@event-api/contracts/http/changes';
import { wordIn } from '../history/responses.ts';
import { ownerOf, type Reader } from './reader.ts';
import { comparable, type FeedRecord, recordPath } from './records.ts';

const PAGE_ROWS = 200;
/** How long the last changes may take to appear in the feed. */
const FEED_DELAY_MS = 10_000;
const COMPARE_PAUSE_MS = 200;

/** A copy of one business unit that a client keeps as docs/changes.md describes. */
export interface Mirror {
  /** Reads the head and the lists, then follows the feed until `signal` is aborted. */
  follow(signal: AbortSignal): Promise<void>;
  /**
   * Follows the feed up to its end, then compares the copy with the lists. Returns what differs.
   */
  differences(): Promise<unknown[]>;
  /**
   * Violations of the guarantees of the feed: gaps, repeats, wrong digests, changes that do not
   * connect.
   */
  violations: unknown[];
  /**
   * The number of changes that were followed, and how often the copy was read again from the lists.
   */
  totals(): { changes: number; resets: number };
}

interface State {
  cursor: string;
  sequence: number;
  digest: string;
  records: Awaited<ReturnType<Reader['readLists']>>;
  /** The ids of all changes since the lists were read. */
  seen: Set<string>;
  /** The last change of each record since the lists were read. */
  lastOf: Map<string, Change>;
}

interface Page {
  changes: Change[];
  nextCursor: string;
  digest: string;
}

export function createMirror(reader: Reader): Mirror {
  const violations: unknown[] = [];
  let state: State | null = null;
  let followed = 0;
  let resets = -1;

  async function reset(): Promise<State> {
    resets += 1;
    const { body } = await reader.get('/v1/changes/head', 'changes');
    const { cursor, sequence, digest } = body as State;
    const records = await reader.readLists();
    return { cursor, sequence, digest, records, seen: new Set(), lastOf: new Map() };
  }

  /** Applies the next page. Returns the number of its changes; null after a reset of the feed. */
  async function next(waitSeconds: number): Promise<number | null> {
    state ??= await reset();
    const query = `after=${state.cursor}&limit=${PAGE_ROWS}&wait=${waitSeconds}`;
    const { status, body } = await reader.get(`/v1/changes?${query}`, 'changes');
    if (status === 412) {
      state = null;
      return null;
    }
    if (status !== 200) throw new Error(`the feed responds ${status} ${wordIn(body)}`);
    const page = body as Page;
    for (const change of page.changes) note(state, change);
    if (state.digest !== page.digest) violations.push({ digest: page.digest, own: state.digest });
    for (const change of latestOf(page.changes)) await copy(state, change);
    state.cursor = page.nextCursor;
    followed += page.changes.length;
    return page.changes.length;
  }

  /** Checks a change against those before it. */
  function note(current: State, change: Change): void {
    const { id, sequence, object, previous } = change;
    if (sequence !== current.sequence + 1) violations.push({ gap: current.sequence, sequence });
    if (current.seen.has(id)) violations.push({ repeated: id });
    const before = current.lastOf.get(object.id);
    if (before && before.current?.status !== previous?.status) {
      violations.push({ notConnected: [before, change] });
    }
    if (before && before.object.version > object.version) {
      violations.push({ outOfOrder: [before, change] });
    }
    current.seen.add(id);
    current.lastOf.set(object.id, change);
    current.sequence = sequence;
    current.digest = nextDigest(current.digest, change);
  }

  /** Reads the record that a change names, and stores or deletes it. */
  async function copy({ records }: State, change: Change): Promise<void> {
    const { type: kind, id } = change.object;
    const { status, body } = await reader.get(recordPath(change), ownerOf(kind));
    if (status === 404) records.delete(id);
    else if (status === 200) records.set(id, { kind, record: body as FeedRecord });
    else throw new Error(`${recordPath(change)} responds ${status}`);
  }

  return {
    violations,
    totals: () => ({ changes: followed, resets: Math.max(resets, 0) }),
    async follow(signal) {
      while (!signal.aborted) await next(1);
    },
    async differences() {
      const deadline = performance.now() + FEED_DELAY_MS;
      for (;;) {
        const found = await compare();
        if (found.length === 0 || performance.now() > deadline) return found;
        await delay(COMPARE_PAUSE_MS);
      }
    },
  };

  async function compare(): Promise<unknown[]> {
    while ((await next(0)) !== 0);
    const listed = await reader.readLists();
    const own = state?.records ?? new Map();
    const ids = new Set([...listed.keys(), ...own.keys()]);
    return [...ids].flatMap((id) => {
      const [here, there] = [own.get(id), listed.get(id)].map(
        (found) => found && comparable(found.kind, found.record),
      );
      return here === there ? [] : [{ id, copy: here, list: there }];
    });
  }
}

/** The last change of each record of a page: one read returns the newest state. */
const latestOf = (changes: readonly Change[]): Change[] => [
  ...new Map(changes.map((change) => [change.object.id, change])).values(),
];
