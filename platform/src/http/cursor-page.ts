import { limits, storableIssue } from '@event-api/contracts/http/fields';
import { invalidArgument } from '../core/errors.ts';

/** The sort key of a row, as a cursor carries it. */
export type CursorKey = readonly (string | number)[];

/** The type of a part of a key. */
export type CursorPart = 'string' | 'integer' | 'instant' | 'version';

/**
 * A cursor contains the name of its list and the last row of its page. No other list accepts it.
 */
export const encodeCursor = (list: string, key: CursorKey): string =>
  Buffer.from(JSON.stringify([list, ...key])).toString('base64url');

/**
 * The key that `cursor` carries, or null without one. `list` is the name of the list with its
 * filters. `keyTypes` are the types of the parts of the key: a 32-bit integer, an instant in the
 * format of `toISOString`, the version of a row, or any other string.
 * Errors: 400 for a cursor that this list has not created.
 */
export function decodeCursor<Shape extends readonly CursorPart[]>(
  list: string,
  cursor: string | undefined,
  keyTypes: Shape,
): { [I in keyof Shape]: Shape[I] extends 'integer' | 'version' ? number : string } | null {
  if (cursor === undefined) return null;
  try {
    const carried: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const [from, ...key] = Array.isArray(carried) ? carried : [];
    if (
      from === list &&
      key.length === keyTypes.length &&
      key.every((part, i) => matchesType(part, keyTypes[i]))
    ) {
      return key as never;
    }
  } catch {
    // Not JSON, so not a cursor of this API.
  }
  throw invalidArgument([
    { field: 'cursor', issue: 'is not a nextCursor of this list', code: 'invalid_value' },
  ]);
}

// A value that the database cannot parse as the type of its column must not reach it.
function matchesType(part: unknown, type: string | undefined): boolean {
  if (type === 'integer') return Number.isInteger(part) && Math.abs(Number(part)) <= 2 ** 31 - 1;
  if (type === 'version') return Number.isSafeInteger(part) && Number(part) >= 0;
  if (typeof part !== 'string') return false;
  if (type === 'instant') return /^[12]\d{3}-/.test(part) && isoOf(part) === part;
  return part.length <= 300 && storableIssue(part) === null;
}

function isoOf(text: string): string | null {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/**
 * Limits rows to a page: `limit` rows or 2 MiB of JSON, whichever comes first, but at least one
 * row. `rows` must contain one row more than `limit` if there are more.
 */
export function paginate<Row, Item>(
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => Item,
  key: (row: Row) => CursorKey,
  list: string,
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
  return { items, nextCursor: more ? encodeCursor(list, key(last)) : null };
}
