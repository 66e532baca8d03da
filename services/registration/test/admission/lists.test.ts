import type { HttpClient } from '@event-api/platform/testing/http-client';
import { costOfPlan, type ExplainRow } from '@event-api/platform/testing/plans';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestEvent, createTestTicketType } from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { registerMany } from './bulk.ts';

const count = process.env.TEST_SIZE === 'full' ? 100_000 : 20_000;
const pageRows = count / 500;
const statuses = ['confirmed', 'confirmed', 'confirmed', 'cancelled', 'pending'];

let service: TestRegistration;
let call: HttpClient;
let path: string;
let scope: Awaited<ReturnType<typeof createTestEvent>>;
beforeAll(async () => {
  service = await startRegistration();
  const { sql } = service;
  scope = await createTestEvent(sql);
  await registerMany(sql, scope, await createTestTicketType(sql, scope), count, statuses);
  // Another event of the unit, whose rows must not be read.
  const other = await createTestEvent(sql, scope);
  await registerMany(sql, other, await createTestTicketType(sql, other), count / 4);
  await sql('vacuum analyze registration.registration');
  call = await service.as(scope.businessUnitId);
  path = `/v1/events/${scope.eventId}/registrations`;
});
afterAll(() => service?.close());

/** No sorts and no table scans. */
const cheap = ['Limit', 'Index Scan'];

/**
 * PostgreSQL's plan for a page: the kinds of its nodes, the indexes, and how many rows it reads.
 */
async function costOf(page: number, status?: string) {
  const { sql } = service;
  const [last] = await sql<{ id: string }>(
    `select id from registration.registration where event_id = $1 order by insertion_order desc offset $2 limit 1`,
    [scope.eventId, Math.max(0, (page - 1) * pageRows - 1)],
  );
  const text = await listStatement(status === undefined ? 'registrations' : 'registrations_status');
  const after = page === 1 ? null : last?.id;
  const values = [scope.businessUnitId, scope.eventId, after, pageRows + 1];
  const all = status === undefined ? values : [...values, status];
  return costOfPlan(await sql<ExplainRow>(`explain (analyze, format json) ${text}`, all));
}

/** The text of a statement, from the connection that prepared it. */
async function listStatement(name: string): Promise<string> {
  await call('GET', `${path}?limit=1`);
  await call('GET', `${path}?limit=1&status=pending`);
  const { db } = service.replica(0);
  const prepared = {
    name: 'test_prepared',
    text: `select name, statement from pg_prepared_statements`,
  };
  const rows = await db.query<{ name: string; statement: string }>(prepared);
  const found = rows.find((row) => row.name === name);
  if (!found) throw new Error(`${name} was not prepared`);
  return found.statement;
}

test('reads the rows of a page from the index, on page 1 as on page 500', async () => {
  const [first, last] = [await costOf(1), await costOf(500)];
  for (const { kinds, indexes, rows } of [first, last]) {
    expect(kinds.filter((kind) => !cheap.includes(kind))).toEqual([]);
    expect(indexes).toContain('registration_newest_first');
    expect(rows).toBeLessThanOrEqual(pageRows + 1);
  }
});

test('reads a page of one status from its own index', async () => {
  for (const page of [1, 400]) {
    const { kinds, indexes, rows } = await costOf(page, 'pending');
    expect(kinds.filter((kind) => !cheap.includes(kind))).toEqual([]);
    expect(indexes).toContain('registration_by_status');
    expect(rows).toBeLessThanOrEqual(pageRows + 1);
  }
});

test('returns each registration once, newest first, over all pages', async () => {
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await call('GET', `${path}?limit=1000${query}`);
    expect(status).toBe(200);
    seen.push(...body.registrations.map(({ id }: { id: string }) => id));
    cursor = body.nextCursor;
  }
  expect(seen).toHaveLength(count);
  expect(seen).toEqual([...new Set(seen)].sort().reverse());
});

test('returns registrations of one status only', async () => {
  const { body } = await call('GET', `${path}?status=pending&limit=1000`);
  expect(body.registrations).toHaveLength(1000);
  expect(new Set(body.registrations.map(({ status }: { status: string }) => status))).toEqual(
    new Set(['pending']),
  );
  expect((await call('GET', `${path}?status=waitlisted`)).body).toEqual({
    registrations: [],
    nextCursor: null,
  });
});
