import type { EventScope } from '@event-api/contracts/internal/scope';
import { readSearch } from '@event-api/contracts/operator/search';
import { planSession } from '@event-api/platform/testing/plans';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMatches, type SearchFilters } from '../../src/search/search.queries.ts';
import { registerMany } from '../admission/bulk.ts';
import { createTestEvent, createTestTicketType } from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';

const count = 100_000;

let service: TestRegistration;
let scope: EventScope;
let typeId: string;
let session: Awaited<ReturnType<typeof planSession>>;

const costOf = (query: string, filters: SearchFilters = {}) =>
  session.costOf((db) =>
    findMatches(db, scope, readSearch(query), { filters, afterId: null, limit: 50 }),
  );

// Two events with half of the rows each. One of 1,000 registrations is an Ada.
beforeAll(async () => {
  service = await startRegistration();
  const { sql, database } = service;
  session = await planSession(database);
  const events = [await createTestEvent(sql), await createTestEvent(sql)] as const;
  [scope] = events;
  for (const query of ['ada', 'ada@', 'CHK-1', `reg_${'0'.repeat(26)}`]) await costOf(query);
  for (const event of events) {
    typeId = await createTestTicketType(sql, event);
    await registerMany(sql, event, typeId, count / 2);
  }
  await sql(
    `update registration.registration set name = case when insertion_order % 1000 = 0 then 'Ada L' else 'Bob ' end || insertion_order,
       normal_email = case when insertion_order % 1000 = 0 then 'ada@' else 'bob@' end || insertion_order`,
  );
  await session.analyze();
});
afterAll(async () => {
  await session?.end();
  await service?.close();
});

test.each([
  ['ada', 'registration_by_name', 50],
  ['l ada', 'registration_by_name', 50],
  ['ada@', 'registration_of_email', 50],
  ['CHK-1', 'registration_of_badge', 0],
  [`reg_${'0'.repeat(26)}`, 'registration_pkey', 0],
])('a search for %s reads only the matches of its event', async (query, index, matches) => {
  const since = new Date('2020-01-01T00:00:00Z');
  const every = { status: 'confirmed', type: typeId, from: since, before: new Date() } as const;
  for (const filters of [{}, { status: 'cancelled' } as const, every]) {
    const { kinds, indexes, rows } = await costOf(query, filters);
    expect(indexes).toContain(index);
    expect(kinds).not.toContain('Seq Scan');
    expect(rows).toBeLessThanOrEqual(Math.max(matches, 1));
  }
});
