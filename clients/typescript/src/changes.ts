import type { Client } from './generated/client/types.gen.ts';
import { listChanges } from './generated/sdk.gen.ts';
import type { Change } from './generated/types.gen.ts';

/**
 * A position in the feed. Store it with the records that were read up to it. `getChangesHead`
 * returns one.
 */
export interface FeedPosition {
  cursor: string;
  /**
   * The digest of all changes up to the cursor; null if it is not known, for example with filters.
   */
  digest: string | null;
}

export interface ChangesOptions {
  client: Client;
  /** Where to continue. */
  from: FeedPosition;
  /** Only changes of these types. Then no digest is compared. */
  types?: readonly string[];
  /** Only changes of this event. Then no digest is compared. */
  eventId?: string;
  /** Ends at the present end of the feed instead of waiting for later changes. */
  untilEnd?: boolean;
  signal?: AbortSignal;
}

/** The changes that were received are not those that the feed has. Begin again with the lists. */
export class FeedDigestError extends Error {
  override readonly name = 'FeedDigestError';
}

/**
 * Follows the change feed. Yields each page with the position after it: apply the changes and store
 * the position in one transaction, then continue. The digest of every page is compared, which
 * proves that no change is missing, doubled or out of order.
 * Errors: FeedDigestError; EventApiError with the reason `FEED_RESET` or `CURSOR_EXPIRED`, after
 * which a copy begins again with the lists; those of every operation.
 */
export async function* changes(
  options: ChangesOptions,
): AsyncGenerator<{ changes: Change[]; position: FeedPosition }, void, undefined> {
  const { client, from, types, eventId, untilEnd = false, signal } = options;
  let position = from;
  for (;;) {
    const page = await listChanges({
      client,
      query: {
        after: position.cursor,
        wait: untilEnd ? 0 : 5,
        ...(types && { types: types.join(',') }),
        ...(eventId && { eventId }),
      },
      ...(signal && { signal }),
    });
    await compareDigest(position.digest, page);
    position = { cursor: page.nextCursor, digest: page.digest };
    if (page.changes.length > 0) yield { changes: page.changes, position };
    else if (untilEnd) return;
  }
}

async function compareDigest(
  before: string | null,
  page: { changes: Change[]; digest: string | null },
): Promise<void> {
  if (before === null || page.digest === null) return;
  let digest = before;
  for (const change of page.changes) digest = await nextDigest(digest, change);
  if (digest !== page.digest) {
    throw new FeedDigestError('the changes of a page do not match the digest of the feed');
  }
}

/** Extends the digest of the feed by one change. Both digests are SHA-256 in lower-case hex. */
export async function nextDigest(digest: string, change: Change): Promise<string> {
  const { object, previous, current, actor } = change;
  const values = [
    ...[change.sequence, change.id, change.type, change.occurredAt, change.eventId],
    ...[object.type, object.id, object.version],
    ...[previous?.status, current?.status, actor.type, actor.id],
  ];
  const line = new TextEncoder().encode(values.map((value) => `${value ?? ''}\n`).join(''));
  const before = Uint8Array.from(digest.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const bytes = new Uint8Array([...before, ...line]);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
