import { describe, expect, test } from 'vitest';
import { type MergedPage, type MergePosition, mergePages, type Placed } from './audit-log.rules.ts';

/** Reads all entries of owners whose lists are given newest first, in pages. */
function readAll(lists: Record<string, Placed[]>, limit: number): string[] {
  const read: string[] = [];
  let position: MergePosition | null = null;
  for (let round = 0; round < 100; round++) {
    const pages = Object.entries(lists).map(([owner, list]) => {
      const cursor: string | undefined = position?.cursors[owner];
      const start = Number(cursor ?? 0);
      const entries = list.slice(start, start + limit);
      const end = start + entries.length;
      return {
        owner,
        cursor,
        page: { entries, nextCursor: end < list.length ? String(end) : null },
      };
    });
    const merged: MergedPage<Placed> = mergePages(pages, position?.last ?? null, limit);
    read.push(...merged.entries.map(({ id }) => id));
    position = merged.next;
    if (!position) return read;
  }
  throw new Error('the list does not end');
}

const entry = (second: number, id: string): Placed => ({
  id,
  at: `2027-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
});

const lists = {
  catalog: [entry(50, 'aud_9'), entry(40, 'aud_8'), entry(40, 'aud_2'), entry(10, 'aud_1')],
  commerce: [entry(59, 'aud_7'), entry(58, 'aud_6'), entry(40, 'aud_5')],
  gateway: [],
};
const newestFirst = ['aud_7', 'aud_6', 'aud_9', 'aud_8', 'aud_5', 'aud_2', 'aud_1'];

describe('the pages of all owners', () => {
  test.each([1, 2, 3, 7, 50])('of %i entries contain every entry once, newest first', (limit) => {
    expect(readAll(lists, limit)).toEqual(newestFirst);
  });

  test('that are equally old are ordered by their ids', () => {
    const equal = Array.from({ length: 9 }, (_, n) => entry(1, `aud_${9 - n}`));
    const halves = { one: equal.filter((_, n) => n % 2 === 0), two: equal.filter((_, n) => n % 2) };
    expect(readAll(halves, 2)).toEqual(equal.map(({ id }) => id));
  });

  test('name an owner that is away, and contain the entries of the others', () => {
    const page = { entries: [entry(1, 'aud_1')], nextCursor: null };
    const merged = mergePages(
      [
        { owner: 'catalog', cursor: undefined, page },
        { owner: 'onsite', cursor: undefined, page: null },
      ],
      null,
      10,
    );
    expect(merged).toEqual({ entries: page.entries, next: null, incomplete: ['onsite'] });
  });

  test('continue where they were at an owner that was away, without an entry above the last one', () => {
    const [first, ...others] = lists.commerce;
    if (!first) throw new Error('the list is empty');
    const away = mergePages(
      [
        { owner: 'catalog', cursor: '2', page: null },
        { owner: 'commerce', cursor: undefined, page: { entries: [first], nextCursor: '1' } },
      ],
      null,
      1,
    );
    expect(away.next?.cursors).toEqual({ catalog: '2', commerce: '1' });
    const back = mergePages(
      [
        {
          owner: 'catalog',
          cursor: undefined,
          page: { entries: [entry(59, 'aud_8')], nextCursor: null },
        },
        { owner: 'commerce', cursor: '1', page: { entries: others, nextCursor: null } },
      ],
      away.next?.last ?? null,
      10,
    );
    expect(back.entries).toEqual(others);
  });
});
