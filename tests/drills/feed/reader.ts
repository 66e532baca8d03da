import { setTimeout as delay } from 'node:timers/promises';
import type { Change } from '@event-api/contracts/http/changes';
import { once } from '../environment/client.ts';
import type { History } from '../history/history.ts';
import { isDefinite, type ObservedResponse, type Owner } from '../history/responses.ts';
import { type FeedRecord, kindsOfEvents, listPath } from './records.ts';

const RETRY_PAUSE_MS = 200;
/** Longer than any fault and its recovery. */
const RETRY_FOR_MS = 100_000;
const PAGE_ROWS = 200;

/** Reads the API of one business unit. Requests are retried until their response is definite. */
export interface Reader {
  get(path: string, owner: Owner): Promise<ObservedResponse>;
  /** All records of the unit by kind and id, from the lists. */
  readLists(): Promise<Map<string, { kind: Change['object']['type']; record: FeedRecord }>>;
}

/** Errors of its requests: none has had a definite response in time. */
export function createReader(options: {
  baseUrl: string;
  secret: () => string;
  history: History;
}): Reader {
  const { baseUrl, secret, history } = options;

  async function get(path: string, owner: Owner): Promise<ObservedResponse> {
    const operation = `feed: ${path.replace(/[a-z]+_[0-9a-z]{26}/g, 'id').replace(/\?.*/, '')}`;
    const deadline = performance.now() + RETRY_FOR_MS;
    for (;;) {
      const seen = await once(history, baseUrl, { operation, owner, method: 'GET', path, secret });
      if (seen && isDefinite(seen)) return seen;
      if (performance.now() > deadline) throw new Error(`no definite response: ${path}`);
      await delay(RETRY_PAUSE_MS);
    }
  }

  async function readList(path: string, owner: Owner): Promise<FeedRecord[]> {
    const records: FeedRecord[] = [];
    let cursor: string | null = null;
    do {
      const after: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const { status, body } = await get(`${path}?limit=${PAGE_ROWS}${after}`, owner);
      if (status !== 200) throw new Error(`${path}: ${status}`);
      const { nextCursor, ...page } = body as { nextCursor: string | null };
      records.push(...(Object.values(page).find(Array.isArray) as FeedRecord[]));
      cursor = nextCursor;
    } while (cursor !== null);
    return records;
  }

  return {
    get,
    async readLists() {
      const found: Awaited<ReturnType<Reader['readLists']>> = new Map();
      for (const event of await readList('/v1/events', 'catalog')) {
        found.set(event.id, { kind: 'event', record: event });
        for (const kind of kindsOfEvents) {
          const records = await readList(listPath(kind, event.id), ownerOf(kind));
          for (const record of records) found.set(record.id, { kind, record });
        }
      }
      return found;
    },
  };
}

const owners: Record<Change['object']['type'], Owner> = {
  event: 'catalog',
  ticket_type: 'catalog',
  addon: 'catalog',
  bundle: 'catalog',
  redemption_code: 'registration',
  registration: 'registration',
  order: 'commerce',
  checkin: 'onsite',
  session: 'onsite',
  speaker: 'onsite',
  venue: 'onsite',
  exhibitor: 'onsite',
  webhook_endpoint: 'changes',
};

/** The service that responds to requests for a kind of record. */
export const ownerOf = (kind: Change['object']['type']): Owner => owners[kind];
