import type { EventScope } from '@event-api/contracts/internal/scope';
import type { RegistrationSort } from '@event-api/contracts/operator/registration-list';
import type { Db } from '@event-api/platform/db/database';
import { planSession } from '@event-api/platform/testing/plans';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAttendees } from '../src/attendees/list.ts';
import { listBadges } from '../src/badges/badges.queries.ts';
import { listCodes } from '../src/redemption-codes/list.ts';
import { listRegistrations } from '../src/registrations/list.ts';
import { readDayCounts } from '../src/registrations/per-day/per-day.queries.ts';
import type { RegistrationFilters } from '../src/registrations/registrations.queries.ts';
import { countByStatus, listSorted } from '../src/registrations/sorted-list.queries.ts';
import { registerMany } from './admission/bulk.ts';
import { createTestEvent, createTestTicketType } from './fixtures.ts';
import { startRegistration, type TestRegistration } from './harness.ts';

const count = process.env.TEST_SIZE === 'full' ? 100_000 : 20_000;
const limit = count / 5000;

let service: TestRegistration;
let scope: EventScope;
let session: Awaited<ReturnType<typeof planSession>>;
let types: string[];

type Order = 'own' | 'changes' | 'byTime';
/** Within the time of the rows: a second separates two of them. */
const from = new Date('2026-01-01T00:00:10Z');

interface Case {
  index: string;
  table: 'registration' | 'attendee' | 'redemption_code';
  /** The SQL condition of the filters. */
  where: string;
  order: Order;
  read: (
    db: Db,
    order: 'own' | 'changes',
    page: { after: readonly unknown[]; limit: number },
  ) => unknown;
}

const registrations =
  (filters: () => RegistrationFilters): Case['read'] =>
  (db, order, page) =>
    listRegistrations(db, scope, order, { filters: filters(), ...page });

const sorted =
  (sort: RegistrationSort, filters: () => RegistrationFilters = () => ({})): Case['read'] =>
  (db, _, { after: [id], limit }) => {
    const afterId = typeof id === 'string' ? id : null;
    const order = { sort, direction: 'ascending', afterId, limit } as const;
    return listSorted(db, scope, { filters: filters(), ...order });
  };

const cases: Record<string, Case> = {
  'registrations by name': {
    index: 'registration_name_order',
    table: 'registration',
    where: 'true',
    order: 'own',
    read: sorted('name'),
  },
  'registrations by status': {
    index: 'registration_by_status',
    table: 'registration',
    where: 'true',
    order: 'own',
    read: sorted('status'),
  },
  'registrations of a ticket type, oldest first': {
    index: 'registration_of_type',
    table: 'registration',
    where: 'ticket_type_id = $1',
    order: 'own',
    read: sorted('registered', () => ({ type: types[0] })),
  },
  'registrations of a status': {
    index: 'registration_by_status',
    table: 'registration',
    where: `status = 'pending'`,
    order: 'own',
    read: registrations(() => ({ status: 'pending' })),
  },
  'registrations of a ticket type': {
    index: 'registration_of_type',
    table: 'registration',
    where: 'ticket_type_id = $1',
    order: 'own',
    read: registrations(() => ({ type: types[0] })),
  },
  'registrations of a ticket type and a status': {
    index: 'registration_waiting',
    table: 'registration',
    where: `ticket_type_id = $1 and status = 'pending'`,
    order: 'own',
    read: registrations(() => ({ type: types[0], status: 'pending' })),
  },
  'registrations of a code': {
    index: 'registration_of_code',
    table: 'registration',
    where: 'redemption_code_id is not null',
    order: 'own',
    read: registrations(() => ({ code: 'code_1' })),
  },
  'registrations of a time': {
    index: 'registration_by_time',
    table: 'registration',
    where: 'true',
    order: 'byTime',
    read: registrations(() => ({ from })),
  },
  'registrations of a time and a status': {
    index: 'registration_by_time',
    table: 'registration',
    where: `status = 'pending'`,
    order: 'byTime',
    read: registrations(() => ({ from, status: 'pending' })),
  },
  'changes of registrations': {
    index: 'registration_changes',
    table: 'registration',
    where: 'true',
    order: 'changes',
    read: registrations(() => ({})),
  },
  'changes of attendees': {
    index: 'attendee_changes',
    table: 'attendee',
    where: 'true',
    order: 'changes',
    read: (db, order, page) => listAttendees(db, scope, order, { filters: {}, ...page }),
  },
  'redemption codes of a status': {
    index: 'redemption_code_by_status',
    table: 'redemption_code',
    where: `status = 'disabled'`,
    order: 'own',
    read: (db, order, page) =>
      listCodes(db, scope, order, { filters: { status: 'disabled' }, ...page }),
  },
  'changes of redemption codes': {
    index: 'redemption_code_changes',
    table: 'redemption_code',
    where: 'true',
    order: 'changes',
    read: (db, order, page) => listCodes(db, scope, order, { filters: {}, ...page }),
  },
};

const start = { own: [null], changes: [0, ''], byTime: ['infinity', ''] };
const costOf = ({ order, read }: Case, after: readonly unknown[] = start[order]) =>
  session.costOf(async (db) => read(db, order === 'changes' ? 'changes' : 'own', { after, limit }));

const costOfDays = (from: string, to: string) =>
  session.costOf((db) => readDayCounts(db, scope, { from, to, timezone: 'UTC' }));

const costOfBadges = (ticketTypeId: string | undefined, after: number) =>
  session.costOf((db) => listBadges(db, scope, { ticketTypeId, after, limit }));

// Half of the rows have another ticket type, a fifth another status, and a tenth a code.
beforeAll(async () => {
  service = await startRegistration();
  const { sql, database } = service;
  session = await planSession(database);
  scope = await createTestEvent(sql);
  types = [await createTestTicketType(sql, scope), await createTestTicketType(sql, scope)];
  // Every statement is planned on empty tables first.
  for (const each of Object.values(cases)) await costOf(each);
  for (const type of [undefined, types[0]]) await costOfBadges(type, 0);
  await costOfDays('2026-01-01', '2026-01-03');
  const statuses = ['confirmed', 'confirmed', 'confirmed', 'confirmed', 'pending'];
  for (const type of types) await registerMany(sql, scope, type, count / 2, statuses);
  await sql(
    `update registration.registration set version = 1000 + insertion_order,
       registered_at = timestamptz '2026-01-01Z' + insertion_order * interval '1 s',
       redemption_code_id = case when insertion_order % 10 = 0 then 'code_1' end`,
  );
  await sql('update registration.attendee set version = 1000 + insertion_order');
  await sql(
    `insert into registration.redemption_code (id, business_unit_id, event_id, ticket_type_id, code, code_key, status,
       version)
     select 'code_' || n, $1, $2, $3, 'C' || n, 'C' || n, case when n % 5 = 0 then 'disabled' else 'active' end, 1000 + n
     from generate_series(1, $4::int) n`,
    [scope.businessUnitId, scope.eventId, types[0], count],
  );
  await session.analyze();
});
afterAll(async () => {
  await session?.end();
  await service?.close();
});

/** The key of the last row before this page. */
async function keyBefore({ table, where, order }: Case, page: number): Promise<unknown[]> {
  const [row] = await service.sql<{ id: string; version: string; at?: Date }>(
    `select id, version${order === 'byTime' ? ', registered_at as at' : ''} from registration.${table} where ${where} and $1::text is not null
     order by insertion_order ${order === 'changes' ? '' : 'desc'} offset $2 limit 1`,
    [types[0], (page - 1) * limit - 1],
  );
  if (!row) throw new Error('there is no such page');
  if (row.at) return [row.at.toISOString(), row.id];
  return order === 'own' ? [row.id] : [row.version, row.id];
}

describe.each(Object.entries(cases))('a page of %s', (_name, each) => {
  test('reads no more rows than it returns, on page 1 and on page 500', async () => {
    for (const key of [start[each.order], await keyBefore(each, 500)]) {
      const { kinds, indexes, rows } = await costOf(each, key);
      expect(indexes).toContain(each.index);
      expect(kinds).not.toContain('Seq Scan');
      expect(rows).toBeLessThanOrEqual(2 * (limit + 1));
    }
  });
});

test('a period of registrations reads only its own, also if it is not a full page', async () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
  for (const status of [undefined, 'pending'] as const) {
    const filters = { from: at(5000), before: at(5005), status };
    const cost = await session.costOf((db) =>
      listRegistrations(db, scope, 'own', { filters, after: start.byTime, limit: 50 }),
    );
    expect(cost.indexes).toEqual(['registration_by_time']);
    expect(cost.rows).toBe(status ? 1 : 5);
  }
});

test('the registrations per day are counted in their index, and those of other days are not read', async () => {
  const two = await costOfDays('2026-01-01', '2026-01-03');
  expect(two.indexes).toEqual(['registration_by_time']);
  expect(two.kinds).toContain('Index Only Scan');
  // Four of five are confirmed, and each day has a row of its own.
  expect(two.rows).toBeLessThanOrEqual((count * 4) / 5 + 2);
  const none = await costOfDays('2026-02-01', '2026-03-01');
  expect(none.rows).toBeLessThanOrEqual(28);
});

test('the counts by status read the registrations of the event once, and not the table', async () => {
  for (const filters of [{}, { type: types[0], answer: { question: 'diet', value: null } }]) {
    const cost = await session.costOf((db) => countByStatus(db, scope, filters));
    expect(cost.kinds).not.toContain('Seq Scan');
    // A bitmap names each row before it is read.
    expect(cost.rows).toBeLessThanOrEqual(2 * count);
  }
});

describe.each(['own', 'changes'] as const)('records of one email in %s order', (order) => {
  test('are read through the attendee', async () => {
    const [{ email } = { email: '' }] = await service.sql<{ email: string }>(
      'select normal_email as email from registration.attendee order by insertion_order desc offset 777 limit 1',
    );
    const page = { filters: { email }, after: start[order], limit: 1000 };
    for (const cost of [
      await session.costOf((db) => listRegistrations(db, scope, order, page)),
      await session.costOf((db) => listAttendees(db, scope, order, page)),
    ]) {
      expect(cost.indexes).toContain('attendee_email_unique');
      expect(cost.rows).toBeLessThanOrEqual(2);
    }
  });
});

describe('a file of badges', () => {
  test('reads no more registrations than it has badges, at the start and in the middle', async () => {
    const indexes = { registration_by_status: undefined, registration_waiting: types[0] };
    for (const [index, type] of Object.entries(indexes)) {
      for (const after of [0, count / 4]) {
        const cost = await costOfBadges(type, after);
        expect(cost.indexes).toContain(index);
        // Each badge reads its event and its ticket type.
        expect(cost.rows).toBeLessThanOrEqual(3 * limit);
      }
    }
  });
});
