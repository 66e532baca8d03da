import type { Db } from '@event-api/platform/db/database';
import { planSession } from '@event-api/platform/testing/plans';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAddons } from '../src/addons/list.ts';
import { listBundles } from '../src/bundles/list.ts';
import { listEvents } from '../src/events/list.ts';
import { listTicketTypes } from '../src/ticket-types/list.ts';
import { startCatalog, type TestCatalog } from './harness.ts';

const count = process.env.TEST_SIZE === 'full' ? 100_000 : 20_000;
const limit = count / 5000;

let catalog: TestCatalog;
let session: Awaited<ReturnType<typeof planSession>>;

type Page = { after: readonly unknown[]; limit: number };

/**
 * A list with the index that serves it, the first key, and the key before the row `n` of the
 * filtered rows.
 */
interface Case {
  index: string;
  read: (db: Db, page: Page) => unknown;
  start: readonly unknown[];
  keyOf: (n: number) => readonly unknown[];
}

const at = (n: number) => new Date(Date.UTC(2020, 0, 1) + n * 1000).toISOString();
const changes = { start: [0, ''], keyOf: (n: number) => [n, ''] };
const inSortOrder = { start: [-1, '-infinity', ''], keyOf: (n: number) => [0, at(2 * n), ''] };
const newestFirst = { start: ['infinity', ''], keyOf: (n: number) => [at(count - 2 * n), ''] };

const scope = { businessUnitId: 'unit_1', eventId: 'evt_1' };

const cases: Record<string, Case> = {
  'events of a status': {
    index: 'event_by_status',
    read: (db, page) =>
      listEvents(db, 'unit_1', 'own', { filters: { status: 'archived' }, ...page }),
    ...newestFirst,
  },
  'changes of events': {
    index: 'event_changes',
    read: (db, page) => listEvents(db, 'unit_1', 'changes', { filters: {}, ...page }),
    ...changes,
  },
  'ticket types of a status': {
    index: 'ticket_type_by_status',
    read: (db, page) => listTicketTypes(db, scope, 'own', { filters: { status: 'open' }, ...page }),
    ...inSortOrder,
  },
  'changes of ticket types': {
    index: 'ticket_type_changes',
    read: (db, page) => listTicketTypes(db, scope, 'changes', { filters: {}, ...page }),
    ...changes,
  },
  'add-ons of a status': {
    index: 'addon_by_status',
    read: (db, page) => listAddons(db, scope, 'own', { filters: { status: 'open' }, ...page }),
    ...inSortOrder,
  },
  'changes of add-ons': {
    index: 'addon_changes',
    read: (db, page) => listAddons(db, scope, 'changes', { filters: {}, ...page }),
    ...changes,
  },
  'changes of bundles': {
    index: 'bundle_changes',
    read: (db, page) => listBundles(db, scope, 'changes', { filters: {}, ...page }),
    ...changes,
  },
};

const costOf = ({ read }: Case, after: readonly unknown[]) =>
  session.costOf(async (db) => read(db, { after, limit }));

// Every second row has the status of the filter.
beforeAll(async () => {
  catalog = await startCatalog();
  session = await planSession(catalog.database);
  // Every statement is planned on empty tables first.
  for (const each of Object.values(cases)) await costOf(each, each.start);
  const created = `timestamptz '2020-01-01Z' + n * interval '1 s'`;
  await catalog.sql(
    `insert into catalog.event (id, business_unit_id, public_id, name, timezone, currency, status, created_at, version)
     select 'evt_' || n, 'unit_1', 'evt_' || n, 'Summit', 'UTC', 'EUR',
       case when n % 2 = 0 then 'archived' else 'draft' end, ${created}, n from generate_series(1, $1::int) n`,
    [count],
  );
  const sale = `case when n % 2 = 0 then 'open' else 'draft' end`;
  await catalog.sql(
    `insert into catalog.ticket_type (id, business_unit_id, event_id, name, allow_waitlist, is_public, requires_approval,
       price_amount, sort_order, status, created_at, version)
     select 'tt_' || n, 'unit_1', 'evt_1', 'Seat', false, true, false, 0, 0, ${sale}, ${created}, n
     from generate_series(1, $1::int) n`,
    [count],
  );
  for (const table of ['addon', 'bundle']) {
    const [column, value] = table === 'addon' ? [', status', `, ${sale}`] : ['', ''];
    await catalog.sql(
      `insert into catalog.${table} (id, business_unit_id, event_id, name, price_amount, sort_order, created_at,
         version${column})
       select '${table}_' || n, 'unit_1', 'evt_1', 'One', 0, 0, ${created}, n${value}
       from generate_series(1, $1::int) n`,
      [count],
    );
  }
  await session.analyze();
});
afterAll(async () => {
  await session?.end();
  await catalog?.close();
});

describe.each(Object.entries(cases))('a page of %s', (_name, each) => {
  test('reads no more rows than it returns, on page 1 and on page 500', async () => {
    for (const after of [each.start, each.keyOf(499 * limit)]) {
      const { kinds, indexes, rows } = await costOf(each, after);
      expect(indexes).toContain(each.index);
      expect(kinds).not.toContain('Seq Scan');
      expect(rows).toBeLessThanOrEqual(limit + 1);
    }
  });
});
