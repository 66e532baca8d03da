import { afterAll, beforeAll, expect, test } from 'vitest';
import { partQuery, partVectorSql } from '../src/db/part-search.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { postgresUrl } from '../testing/servers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
});
afterAll(() => database?.drop());

const hasRuns = async (text: string, part: string, scope = 'evt_1') => {
  const [row] = await database.sql<{ found: boolean }>(
    `select ${partVectorSql("'evt_1'", '$1::text')} @@ $2::tsquery as found`,
    [text, partQuery(scope, part)],
  );
  return row?.found;
};

const texts = [
  'ada.b0a2@gmial.com',
  "o'brien|\\x@e.de",
  'ärger@straße.de',
  '𠀀𠀁𠀂𠀃@x',
  '||||',
  'ab',
];

test.each(texts)('every part of "%s" with three characters or more is found', async (text) => {
  const characters = [...text];
  for (let start = 0; start < characters.length; start++) {
    for (let end = start + 3; end <= characters.length; end++) {
      const part = characters.slice(start, end).join('');
      expect([part, await hasRuns(text, part)]).toEqual([part, true]);
    }
  }
});

test.each([
  ['gmail', 'evt_1'],
  ['b0a2x', 'evt_1'],
  // Too short.
  ['b0', 'evt_1'],
  ['gmial', 'evt_2'],
])('"%s" of %s is not found', async (part, scope) => {
  expect(await hasRuns('ada.b0a2@gmial.com', part, scope)).toBe(false);
});

test('a text without characters has no parts', async () => {
  expect(await hasRuns('', 'abc')).toBe(false);
});
