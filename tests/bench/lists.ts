import type { Database } from '@event-api/platform/db/database';
import { type Statement, statement } from '@event-api/platform/db/statement';
import { openBenchDatabase, queryEachServer } from './database.ts';
import type { BenchEnvironment } from './environment.ts';
import { type SendRequest, sale, startBuyers } from './sale.ts';

const rows = 100_000;
const pageRows = 100;
const deepPage = 500;

/**
 * A page of a list, with its median response time and the ratio to the same page without filters.
 */
interface PageFigures {
  list: string;
  query: string;
  page: number;
  p50Ms: number;
  overUnfiltered: number;
}

export interface ListFigures {
  rows: number;
  pageRows: number;
  pages: PageFigures[];
  /** The largest of the ratios. */
  worst: number;
}

/**
 * Pages of 100,000 registrations and of 100,000 orders of one event through the gateway, with and
 * without filters.
 */
export async function benchLists(
  environment: BenchEnvironment,
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<ListFigures> {
  const { progress } = environment;
  const send = await startBuyers(environment);
  const { path, typeId } = await sale(send, 1_000_000);
  // After these reads both services have their projection of the event.
  for (const list of ['registrations', 'orders']) await send('GET', `${path}/${list}`);
  await createRows(environment, path.split('/').at(-1) ?? '', typeId);
  const since = 'updatedSince=2020-01-01T00:00:00Z';
  const lists: Record<string, string[]> = {
    registrations: [
      '',
      'status=confirmed',
      `registrationTypeId=${typeId}`,
      `registrationTypeId=${typeId}&status=confirmed`,
      'redemptionCodeId=code_bench',
      since,
    ],
    attendees: ['', since],
    orders: ['', 'status=paid', 'status=expired', 'email=Ada@example.com', since],
  };
  const pages: Measured[] = [];
  for (const [list, queries] of Object.entries(lists)) {
    for (const query of queries) {
      progress.say(`page ${deepPage} of ${list} ${query}`);
      for (const page of [1, deepPage]) {
        const cursor = page === 1 ? '' : await cursorBefore(send, `${path}/${list}?${query}`);
        const url = `${path}/${list}?${query}&limit=${pageRows}${cursor}`.replace('?&', '?');
        pages.push({ list, query, page, url, times: [] });
      }
    }
  }
  // The pages alternate, so that a slow moment of the machine affects all of them.
  for (let round = 0; round <= rounds; round++) {
    const endAt = performance.now() + roundMs;
    while (performance.now() < endAt) {
      for (const each of pages) {
        const ms = await timeOf(send, each.url);
        // The first round warms up caches and query plans.
        if (round > 0) each.times.push(ms);
      }
    }
  }
  const figures = pages.map((each) => toFigures(each, pages));
  const worst = Math.max(...figures.map(({ overUnfiltered }) => overUnfiltered));
  return { rows, pageRows, pages: figures, worst };
}

interface Measured {
  list: string;
  query: string;
  page: number;
  url: string;
  times: number[];
}

function toFigures({ list, query, page, times }: Measured, all: readonly Measured[]): PageFigures {
  const same = all.find((each) => each.list === list && each.page === page && each.query === '');
  const p50Ms = median(times);
  return { list, query, page, p50Ms, overUnfiltered: p50Ms / median(same?.times ?? []) };
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

async function timeOf(send: SendRequest, url: string): Promise<number> {
  const startedAt = performance.now();
  const { status, body } = await send('GET', url);
  const ms = performance.now() - startedAt;
  const [records] = Object.values(body) as unknown[][];
  if (status !== 200 || records?.length !== pageRows) {
    throw new Error(`${url} returned ${status} and ${records?.length} rows`);
  }
  return ms;
}

/**
 * The cursor parameter of the deep page. A cursor does not depend on `limit`, so large pages lead
 * to it.
 */
async function cursorBefore(send: SendRequest, url: string): Promise<string> {
  const before = (deepPage - 1) * pageRows;
  let cursor = '';
  for (let n = 0; n < before; ) {
    const limit = Math.min(1000, before - n);
    const { status, body } = await send('GET', `${url}&limit=${limit}${cursor}`.replace('?&', '?'));
    if (status !== 200 || !body.nextCursor) throw new Error(`${url} ends before page ${deepPage}`);
    cursor = `&cursor=${body.nextCursor}`;
    n += limit;
  }
  return cursor;
}

const attendees = statement(
  'bench_attendees',
  `insert into registration.attendee (id, business_unit_id, event_id, contact_id, email, normal_email, created_at)
   select 'att_bench_' || n, e.business_unit_id, e.id, 'con_bench_' || n, n || '@example.com', n || '@example.com', now()
   from registration.event_projection e, generate_series($2::int, $3::int) n where e.id = $1`,
);

// Four in five are confirmed; three in four have the ticket type, and three in five the code.
const registrations = statement(
  'bench_registrations',
  `insert into registration.registration (id, business_unit_id, event_id, attendee_id, contact_id, email, normal_email,
     active_email, status, type, ticket_type_id, redemption_code_id, checkin_code, registered_at, version)
   select 'reg_bench_' || lpad(n::text, 6, '0'), e.business_unit_id, e.id, 'att_bench_' || n, 'con_bench_' || n,
     n || '@example.com', n || '@example.com', n || '@example.com', case when n % 5 = 0 then 'pending' else 'confirmed' end,
     'attendee', case when n % 4 = 0 then 'tt_other' else $4 end, case when n % 5 < 3 then 'code_bench' end,
     'CHK-BENCH-' || n, now(), 1700000000000000 + n
   from registration.event_projection e, generate_series($2::int, $3::int) n where e.id = $1`,
);

// Every other order has each of two statuses; expired ones are stored as expired or as holds that
// have ended.
const orders = statement(
  'bench_orders',
  `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency, total_amount,
     seats, addon_ids, hold_expires_at, placed_at, last_attempt_at, version)
   select 'ord_bench_' || n, e.business_unit_id, e.id, 'ORD-BENCH-' || n,
     case when n % 4 = 0 then n || '@example.com' else 'Ada@example.com' end,
     case when n % 2 = 0 then 'paid' when n % 4 = 1 then 'expired' else 'held' end, 'EUR', 0, '[]', '{}',
     timestamptz '2020-01-01Z', timestamptz '2020-01-01Z' + n * interval '1 s', now() + interval '1 day',
     1700000000000000 + n
   from commerce.event_projection e, generate_series($2::int, $3::int) n where e.id = $1`,
);

const lines = statement(
  'bench_order_lines',
  `insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount, discount_amount,
     total_amount, attendees, first_seat, seat_count, registration_ids)
   select 'ord_bench_' || n, 0, 'addon', 'addon_bench', 'Dinner', 1, 0, 0, 0, '[]', 0, 0, '{}'
   from generate_series($1::int, $2::int) n`,
);

// Autovacuum does the same within a minute; the roles of the services may not.
const analyze = statement('bench_analyze', 'analyze');

/** Writes the rows behind the services, in parts: a statement has a time limit. */
async function createRows(
  { platform, progress }: BenchEnvironment,
  eventId: string,
  typeId: string,
): Promise<void> {
  const part = 5_000;
  const fill = async (
    db: Database,
    query: Statement<never>,
    values: (from: number) => unknown[],
  ) => {
    for (let n = 0; n < rows; n += part) await db.query(query, values(n));
  };
  const ofEvent = (n: number) => [eventId, n + 1, n + part];
  progress.say(`${rows} registrations and ${rows} orders`);
  const registration = await openBenchDatabase(
    platform.specs.registration?.env.DATABASE_URL ?? '',
    'registration',
    1,
  );
  await fill(registration, attendees, ofEvent);
  await fill(registration, registrations, (n) => [...ofEvent(n), typeId]);
  await registration.close();
  const commerce = await openBenchDatabase(
    platform.specs.commerce?.env.DATABASE_URL ?? '',
    'commerce',
    1,
  );
  await fill(commerce, orders, ofEvent);
  await fill(commerce, lines, (n) => [n + 1, n + part]);
  await commerce.close();
  await queryEachServer(platform.databaseUrls, analyze);
}

/** Formats the figures as text. */
export const describeLists = ({ pages, worst }: ListFigures): string =>
  [
    `${rows} rows in each list, ${pageRows} rows in a page; ratios to the same page without filters`,
    ...pages.map(
      ({ list, query, page, p50Ms, overUnfiltered }) =>
        `${list} page ${page} ${query || 'unfiltered'}: p50 ${p50Ms.toFixed(1)} ms, ${overUnfiltered.toFixed(2)}`,
    ),
    `largest ratio: ${worst.toFixed(2)}`,
  ].join('\n');
