import { matchesName, wordsOf, wordsOfName } from '@event-api/contracts/name-words';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nameQuerySql, nameVectorSql } from '../src/db/name-search.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { nameCases } from '../testing/name-cases.ts';
import { postgresUrl } from '../testing/servers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
});
afterAll(() => database?.drop());

const found = `${nameVectorSql('$1::text', '$2::text')} @@ ${nameQuerySql('$1::text', '$3::text')}`;

describe('a search for a name', () => {
  test.each(nameCases)(
    'of "%s" for "%s" finds it: %s, in code and in SQL',
    async (name, query, expected) => {
      expect(matchesName(name, query)).toBe(expected);
      const [row] = await database.sql<{ found: boolean | null }>(`select ${found} as found`, [
        'evt_1',
        name,
        query,
      ]);
      expect(row?.found ?? false).toBe(expected);
      expect(wordsOf(query).length > 0).toBe(query !== '—');
    },
  );

  test('makes of every character the same words in code and in SQL', async () => {
    // Both sides know the characters of their own version of Unicode.
    const assigned = await database.sql<{ text: string; vector: string[] }>(
      `select text, tsvector_to_array(${nameVectorSql("''", 'text')}) as vector
       from (select 'a' || chr(n) || 'b' || chr(n) as text from generate_series(1, 1114111) n
         where n not between 55296 and 57343 and unicode_assigned(chr(n))) characters`,
    );
    const different = assigned.filter(({ text, vector }) => {
      const words = vector.map((word) => word.slice(1));
      return (
        !/\p{Cn}/u.test(text) && `${words.toSorted()}` !== `${[...wordsOfName(text)].toSorted()}`
      );
    });
    expect(different).toEqual([]);
    expect(assigned.length).toBeGreaterThan(140_000);
  });

  test('finds names that are longer than a lexeme', async () => {
    const name = '\u{20000}'.repeat(600);
    const [row] = await database.sql<{ found: boolean }>(`select ${found} as found`, [
      `evt_${'0'.repeat(26)}`,
      name,
      name,
    ]);
    expect(row?.found).toBe(true);
  });
});
