import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessName } from '@event-api/contracts/topology';
import type { DatabaseUrls } from '@event-api/provisioning/database-urls';
import { type Databases, openDatabases } from './databases.ts';
import { changeInvariants } from './invariants/changes.ts';
import { doorInvariants } from './invariants/doors.ts';
import type { Invariant } from './invariants/invariant.ts';
import { moneyInvariants } from './invariants/money.ts';
import { orderInvariants } from './invariants/orders.ts';
import { messageInvariants, projectionInvariants } from './invariants/projections.ts';
import { seatInvariants } from './invariants/seats.ts';

export const invariants: Invariant[] = [
  ...seatInvariants,
  ...orderInvariants,
  ...changeInvariants,
  ...moneyInvariants,
  ...doorInvariants,
  ...messageInvariants,
  ...projectionInvariants,
];

/**
 * Returns the number of invariants checked, and the titles of those violated with up to three rows
 * each. Invariants of tables that do not exist are skipped. The processes may have a database each.
 * Errors: PostgreSQL's.
 */
export async function violatedInvariants(
  databaseUrls: DatabaseUrls<ProcessName>,
  wanted: readonly Invariant[] = invariants,
): Promise<{ checked: number; broken: Record<string, unknown[]> }> {
  const databases = await openDatabases(databaseUrls);
  try {
    const broken: Record<string, unknown[]> = {};
    let checked = 0;
    for (const { title, needs, sql } of wanted) {
      if (!(await hasTables(databases, [needs].flat()))) continue;
      checked += 1;
      const rows = await databases.query(`select * from (${sql}) x limit 3`);
      if (rows.length > 0) broken[title] = rows;
    }
    return { checked, broken };
  } finally {
    await databases.close();
  }
}

async function hasTables(databases: Databases, tables: readonly string[]): Promise<boolean> {
  // One after the other: a connection runs one statement at a time.
  for (const table of tables) if (!(await databases.hasTable(table))) return false;
  return true;
}

/**
 * Checks the invariants until all hold, for ten seconds by default. Messages in transit are not a
 * violation.
 */
export async function checkInvariantsWhenIdle(
  databaseUrls: DatabaseUrls<ProcessName>,
  { withinMs = 10_000, wanted = invariants }: { withinMs?: number; wanted?: Invariant[] } = {},
) {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const result = await violatedInvariants(databaseUrls, wanted);
    const isWhole = Object.keys(result.broken).length === 0;
    if (isWhole || performance.now() > deadline) return result;
    await wait(500);
  }
}
