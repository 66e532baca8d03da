import { createHash } from 'node:crypto';
import { limits } from '@event-api/contracts/http/fields';
import { type CursorKey, type CursorPart, decodeCursor, paginate } from './cursor-page.ts';

/** The query parameters that every list with `updatedSince` has. */
export interface ListParameters {
  limit?: number | undefined;
  cursor?: string | undefined;
  updatedSince?: Date | undefined;
}

/** The order of a list without `updatedSince`. */
export interface OwnOrder<Row> {
  keyTypes: readonly CursorPart[];
  keyOf: (row: Row) => CursorKey;
  /** The key before the first row. */
  start: readonly unknown[];
}

/** The key of lists that are newest first: the id of the last row. */
export const newestFirstKey: OwnOrder<{ id: string }> = {
  keyTypes: ['string'],
  keyOf: ({ id }) => [id],
  start: [null],
};

/** The key of lists that are newest first by an instant: that of the last row and its id. */
export const latestFirstKey = <Row extends { id: string }>(
  instantOf: (row: Row) => Date,
): OwnOrder<Row> => ({
  keyTypes: ['instant', 'string'],
  keyOf: (row) => [instantOf(row).toISOString(), row.id],
  start: ['infinity', ''],
});

/**
 * The name of a list with its filters. A cursor carries it, so a cursor of other filters is
 * rejected. The filters are a digest: cursors must stay short and must not carry an email.
 */
export function listName(name: string, query: object): string {
  const { limit: _limit, cursor: _cursor, ...filters } = query as Record<string, unknown>;
  const present = Object.entries(filters).filter(([, value]) => value !== undefined);
  if (present.length === 0) return name;
  const digest = createHash('sha256').update(JSON.stringify(present.toSorted()));
  return `${name} ${digest.digest('base64url').slice(0, 22)}`;
}

/**
 * Reads one page of a list: in its own order, or with `updatedSince` in the order of changes.
 * Errors: 400 for a cursor of another list or of other filters.
 */
export async function readPage<Row extends { id: string }, Item>(options: {
  list: string;
  query: ListParameters;
  own: OwnOrder<NoInfer<Row>>;
  read: ReadRows<NoInfer<Row>>;
  view: (row: Row) => Item;
}): Promise<{ items: Item[]; nextCursor: string | null }> {
  const { list, query, own, read, view } = options;
  const { limit = limits.pageRows, cursor, updatedSince } = query;
  if (updatedSince === undefined) {
    const after = decodeCursor(list, cursor, own.keyTypes) ?? own.start;
    return paginate(await read('own', after, limit), limit, view, own.keyOf, list);
  }
  const start = [updatedSince.getTime() * 1000, ''];
  const after = decodeCursor(list, cursor, ['version', 'string'] as const) ?? start;
  const rows = await read('changes', after, limit);
  return paginate(rows, limit, view, ({ version, id }) => [version, id], list);
}

/** Reads up to `limit` + 1 rows after a key. A version is in microseconds since 1970. */
type ReadRows<Row> = (
  order: 'own' | 'changes',
  after: readonly unknown[],
  limit: number,
) => Promise<(Row & { version: number })[]>;
