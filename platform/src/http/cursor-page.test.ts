import { describe, expect, test } from 'vitest';
import { decodeCursor, encodeCursor, paginate } from './cursor-page.ts';

const shape = ['integer', 'instant', 'string'] as const;
const key = [7, '2027-05-10T09:00:00.000Z', 'tt_1'] as const;
const raw = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const encoded = (parts: readonly unknown[]) => raw(['things', ...parts]);

describe('a cursor', () => {
  test('returns the key that it was created from', () => {
    expect(decodeCursor('things', encodeCursor('things', key), shape)).toEqual(key);
    const extreme = [-(2 ** 31 - 1), '1970-01-01T00:00:00.000Z', 'ж😀'] as const;
    expect(decodeCursor('things', encodeCursor('things', extreme), shape)).toEqual(extreme);
  });

  test('needs no encoding in a URL', () => {
    const cursor = encodeCursor('things', [1, '??>>~~', 'ÿÿÿ']);
    expect(encodeURIComponent(cursor)).toBe(cursor);
  });

  test('is optional', () => {
    expect(decodeCursor('things', undefined, shape)).toBeNull();
  });

  test.each([
    ['nothing', ''],
    ['no JSON', 'garbage'],
    ['no list', raw({ 0: 7 })],
    ['null', raw(null)],
    ['too few parts', encoded(key.slice(0, 2))],
    ['too many parts', encoded([...key, 'x'])],
    ['a text for an integer', encoded(['7', key[1], key[2]])],
    ['a fraction', encoded([7.5, key[1], key[2]])],
    ['an integer beyond the column', encoded([2 ** 31, key[1], key[2]])],
    ['no instant', encoded([7, 'yesterday', key[2]])],
    ['a date that does not exist', encoded([7, '2027-02-30T00:00:00.000Z', key[2]])],
    ['another spelling of an instant', encoded([7, '2027-05-10T09:00:00Z', key[2]])],
    ['the year 0', encoded([7, '0000-01-01T00:00:00.000Z', key[2]])],
    ['a year of six digits', encoded([7, '+275760-09-13T00:00:00.000Z', key[2]])],
    ['a number for an instant', encoded([7, 1, key[2]])],
    ['NUL', encoded([7, key[1], '\0'])],
    ['a lone surrogate', encoded([7, key[1], '\ud800'])],
    ['another list', encodeCursor('others', key)],
    ['an endless id', encoded([7, key[1], 'x'.repeat(301)])],
  ])('is rejected with a 400 that names it: %s', (_what, cursor) => {
    expect(() => decodeCursor('things', cursor, shape)).toThrow(
      expect.objectContaining({
        code: 400,
        details: [
          { field: 'cursor', issue: 'is not a nextCursor of this list', code: 'invalid_value' },
        ],
      }),
    );
  });
});

describe('a page', () => {
  const pageOf = (rows: string[], limit: number) =>
    paginate(
      rows,
      limit,
      (row) => row,
      (row) => [row.slice(0, 1)],
      'things',
    );

  test.each([
    ['no rows', [], 2, [], null],
    ['fewer rows than the limit', ['a'], 2, ['a'], null],
    ['as many rows as the limit', ['a', 'b'], 2, ['a', 'b'], null],
    ['a row more than the limit', ['a', 'b', 'c'], 2, ['a', 'b'], encodeCursor('things', ['b'])],
  ] as const)('of %s', (_what, rows, limit, items, nextCursor) => {
    expect(pageOf([...rows], limit)).toEqual({ items, nextCursor });
  });

  test('ends before it exceeds 2 MiB', () => {
    const megabyte = (letter: string) => letter + 'é'.repeat(2 ** 19 - 2);
    const rows = ['a', 'b', 'c'].map(megabyte);
    const { items, nextCursor } = pageOf(rows, 10);
    expect(items.map((item) => item[0])).toEqual(['a', 'b']);
    expect(nextCursor).toBe(encodeCursor('things', ['b']));
  });

  test('has at least one row, of any size', () => {
    const rows = ['a', 'b'].map((letter) => letter.repeat(3 * 2 ** 20));
    expect(pageOf(rows, 10)).toEqual({
      items: rows.slice(0, 1),
      nextCursor: encodeCursor('things', ['a']),
    });
  });
});
