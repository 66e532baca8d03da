import { limits, storableIssue } from '@event-api/contracts/http/fields';
import { invalidArgument } from '../errors.ts';

/** The sort key of a row, as a cursor carries it. */
export type CursorKey = readonly (string | number)[];

/** A cursor names the last row of its page; it means nothing to anyone but the list that made it. */
export const encodeCursor = (key: CursorKey): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url');

/**
 * The key that `cursor` carries, or null without one. `shape` gives the types of its parts: a 32-bit
 * integer, an instant as `toISOString` writes it, or any other string.
 * Errors: 400 for anything that this list has not made.
 */
export function decodeCursor<Shape extends readonly ('string' | 'integer' | 'instant')[]>(
  cursor: string | undefined,
  shape: Shape,
): { [I in keyof Shape]: Shape[I] extends 'integer' ? number : string } | null {
  if (cursor === undefined) return null;
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (
      Array.isArray(key) &&
      key.length === shape.length &&
      key.every((part, i) => fits(part, shape[i]))
    ) {
      return key as never;
    }
  } catch {
    // Not JSON: not ours.
  }
  throw invalidArgument([
    { field: 'cursor', issue: 'is not a cursor of this list', code: 'invalid_value' },
  ]);
}

// What the database could not read as its column's type must not reach it.
function fits(part: unknown, type: string | undefined): boolean {
  if (type === 'integer') return Number.isInteger(part) && Math.abs(Number(part)) <= 2 ** 31 - 1;
  if (typeof part !== 'string') return false;
  if (type === 'instant') return /^[12]\d{3}-/.test(part) && isoOf(part) === part;
  return part.length <= 300 && storableIssue(part) === null;
}

function isoOf(text: string): string | null {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/**
 * Cuts rows to a page: at `limit` rows or 2 MiB of JSON, whichever comes first, but never to none.
 * `rows` must hold one row more than `limit` when there are more.
 */
export function page<Row, Item>(
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => Item,
  key: (row: Row) => CursorKey,
): { items: Item[]; nextCursor: string | null } {
  const items: Item[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, limit)) {
    const item = view(row);
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (items.length > 0 && bytes > limits.pageBytes) break;
    items.push(item);
  }
  const last = rows[items.length - 1];
  const more = items.length < rows.length && last !== undefined;
  return { items, nextCursor: more ? encodeCursor(key(last)) : null };
}
