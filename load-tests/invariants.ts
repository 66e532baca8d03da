import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { doorInvariants } from './invariants/doors.ts';
import { messageInvariants } from './invariants/messages.ts';
import { moneyInvariants } from './invariants/money.ts';
import { orderInvariants } from './invariants/orders.ts';
import { projectionInvariants } from './invariants/projections.ts';
import { seatInvariants } from './invariants/seats.ts';

/** The promises that invariants hold, as tests/drills/README.md words them. */
export type InvariantName = `I${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}`;

/** What has to hold after any load, each as a query for the rows that break it; `needs` are the tables without which there
 *  is nothing to ask. */
export interface Invariant {
  title: string;
  promise: InvariantName;
  needs: string | readonly string[];
  sql: string;
}

export const invariants: Invariant[] = [
  ...seatInvariants,
  ...orderInvariants,
  ...moneyInvariants,
  ...doorInvariants,
  ...messageInvariants,
  ...projectionInvariants,
];

/** The titles of what is broken in this database, each with up to three of the rows; empty when all holds. Also says how
 *  many could be asked. Tables of services that are not there are left out.
 *  Errors: PostgreSQL's. */
export async function violatedInvariants(
  databaseUrl: string,
  wanted: readonly Invariant[] = invariants,
): Promise<{ checked: number; broken: Record<string, unknown[]> }> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const broken: Record<string, unknown[]> = {};
    let checked = 0;
    for (const { title, needs, sql } of wanted) {
      const tables = await client.query(
        'select bool_and(to_regclass(name) is not null) as here from unnest($1::text[]) name',
        [[needs].flat()],
      );
      if (!tables.rows[0]?.here) continue;
      checked += 1;
      const { rows } = await client.query(`select * from (${sql}) x limit 3`);
      if (rows.length > 0) broken[title] = rows;
    }
    return { checked, broken };
  } finally {
    await client.end();
  }
}

/** Looks until all holds, for ten seconds unless told otherwise: what is on its way is no defect yet. */
export async function checkInvariantsWhenIdle(
  databaseUrl: string,
  { withinMs = 10_000, wanted = invariants }: { withinMs?: number; wanted?: Invariant[] } = {},
) {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const result = await violatedInvariants(databaseUrl, wanted);
    const isWhole = Object.keys(result.broken).length === 0;
    if (isWhole || performance.now() > deadline) return result;
    await wait(500);
  }
}
