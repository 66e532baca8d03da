import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { doorInvariants } from './invariants/doors.ts';
import type { Invariant } from './invariants/invariant.ts';
import { moneyInvariants } from './invariants/money.ts';
import { orderInvariants } from './invariants/orders.ts';
import { messageInvariants, projectionInvariants } from './invariants/projections.ts';
import { seatInvariants } from './invariants/seats.ts';

export const invariants: Invariant[] = [
  ...seatInvariants,
  ...orderInvariants,
  ...moneyInvariants,
  ...doorInvariants,
  ...messageInvariants,
  ...projectionInvariants,
];

/**
 * Returns the number of invariants checked, and the titles of those violated with up to three rows
 * each. Invariants of tables that do not exist are skipped.
 * Errors: PostgreSQL's.
 */
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

/**
 * Checks the invariants until all hold, for ten seconds by default. Messages in transit are not a
 * violation.
 */
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
