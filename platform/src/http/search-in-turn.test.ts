import { readSearch } from '@event-api/contracts/operator/search';
import { expect, test } from 'vitest';
import { searchInTurn } from './search-in-turn.ts';

const searches = readSearch('b0a2');

/** Runs the searches where those of `kinds` find a row, and notes which were tried. */
async function run(kinds: string[], continued?: number) {
  const tried: string[] = [];
  const { rows, ...found } = await searchInTurn(searches, continued, async ({ by }) => {
    tried.push(by);
    return kinds.includes(by) ? [by] : [];
  });
  return { tried, rows, ...found };
}

test('ends with the first search that finds something', async () => {
  expect(await run(['checkinCode', 'emailPart'])).toEqual({
    tried: ['name', 'orderNumber', 'checkinCode'],
    rows: ['checkinCode'],
    place: 2,
    foundBy: 'checkinCode',
  });
});

test('tries all of them and finds nothing', async () => {
  const { tried, ...found } = await run([]);
  expect(tried).toEqual(searches.map(({ by }) => by));
  expect(found).toEqual({ rows: [], place: 0, foundBy: null });
});

test.each([
  ['continues only the search of its cursor', 3, ['emailPart'], 'emailPart'],
  ['finds nothing for a place that the text does not have', 9, [], null],
])('%s', async (_, continued, tried, foundBy) => {
  expect(await run(['name', 'emailPart'], continued)).toMatchObject({ tried, foundBy });
});
