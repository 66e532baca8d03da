import { readPlatformFile } from '@event-api/tools/settings/platform-file';
import { readDataDir } from '@event-api/tools/settings/settings';
import { checkInvariantsWhenIdle } from './invariants.ts';

export interface CheckResult {
  checked: number;
  broken: Record<string, unknown[]>;
}

/** Whether the check has found the tables, and no violation. */
export const isSound = ({ checked, broken }: CheckResult): boolean =>
  checked > 0 && Object.keys(broken).length === 0;

/**
 * Checks the invariants where the database is reachable: at DATABASE_URL, a role that reads every
 * schema, or at that of the platform on DATA_DIR.
 * Errors: neither is there; PostgreSQL's.
 */
export async function checkTarget(): Promise<CheckResult> {
  const databaseUrl = process.env.DATABASE_URL || readPlatformFile(readDataDir())?.databaseUrl;
  if (!databaseUrl) {
    throw new Error('set DATABASE_URL, or DATA_DIR to that of the running platform');
  }
  return checkInvariantsWhenIdle(databaseUrl);
}

/** One line for each violation, and one with the number of invariants. */
export const describeCheck = ({ checked, broken }: CheckResult): string =>
  [
    ...Object.entries(broken).map(([title, rows]) => `VIOLATED: ${title} ${JSON.stringify(rows)}`),
    `invariants: ${checked} checked, ${Object.keys(broken).length} violated`,
  ].join('\n');
