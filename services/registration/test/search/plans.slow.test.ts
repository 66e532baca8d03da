import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Search } from '@event-api/contracts/operator/search';
import { planSession } from '@event-api/platform/testing/plans';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SortedFilters } from '../../src/registrations/sorted-list.queries.ts';
import { findMatches } from '../../src/search/search.queries.ts';
import { registerMany } from '../admission/bulk.ts';
import { createTestEvent, createTestTicketType } from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';

const count = 100_000;

let service: TestRegistration;
let scope: EventScope;
let typeId: string;
let session: Awaited<ReturnType<typeof planSession>>;

const costOf = (search: Search, filters: SortedFilters = {}) =>
  session.costOf((db) => findMatches(db, scope, search, { filters, afterId: null, limit: 50 }));

const searches: [search: Search, index: string, matches: number][] = [
  [{ by: 'name', text: 'ada' }, 'registration_by_name', 50],
  [{ by: 'name', text: 'l ada' }, 'registration_by_name', 50],
  [{ by: 'similarName', text: 'lovalace' }, 'registration_by_name', 50],
  [{ by: 'email', text: 'ada@' }, 'registration_of_email', 50],
  [{ by: 'emailPart', text: 'ada@' }, 'registration_by_email_part', 50],
  [{ by: 'checkinCode', text: 'CHK-1' }, 'registration_of_badge', 0],
  [{ by: 'id', text: `reg_${'0'.repeat(26)}` }, 'registration_pkey', 0],
];

// Two events with half of the rows each. One of 1,000 registrations is an Ada.
beforeAll(async () => {
  service = await startRegistration();
  const { sql, database } = service;
  session = await planSession(database);
  const events = [await createTestEvent(sql), await createTestEvent(sql)] as const;
  [scope] = events;
  for (const [search] of searches) await costOf(search);
  for (const event of events) {
    typeId = await createTestTicketType(sql, event);
    await registerMany(sql, event, typeId, count / 2);
  }
  await sql(
    `update registration.registration set name = case when insertion_order % 1000 = 0 then 'Ada Lovelace' else 'Bob ' end || insertion_order,
       normal_email = case when insertion_order % 1000 = 0 then 'ada@' else 'bob@' end || insertion_order`,
  );
  await session.analyze();
});
afterAll(async () => {
  await session?.end();
  await service?.close();
});

test.each(searches)(
  'a search for %j reads only the matches of its event',
  async (search, index, matches) => {
    const since = new Date('2020-01-01T00:00:00Z');
    const every = { status: 'confirmed', type: typeId, from: since, before: new Date() } as const;
    for (const filters of [{}, { status: 'cancelled' } as const, every]) {
      const { kinds, indexes, rows } = await costOf(search, filters);
      expect(indexes).toContain(index);
      expect(kinds).not.toContain('Seq Scan');
      expect(rows).toBeLessThanOrEqual(Math.max(matches, 1));
    }
  },
);
