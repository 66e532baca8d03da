import { type ProcessName, processNames } from '@event-api/contracts/topology';
import { type DatabaseUrls, readDatabaseUrls } from '@event-api/provisioning/database-urls';
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
 * Checks the invariants where the databases are reachable: at DATABASE_URL, and for processes with a
 * database of their own at DATABASE_URLS, or at those of the platform on DATA_DIR. The roles read
 * every table.
 * Errors: neither is there; PostgreSQL's.
 */
export async function checkTarget(): Promise<CheckResult> {
  return checkInvariantsWhenIdle(findDatabases(process.env));
}

function findDatabases(env: NodeJS.ProcessEnv): DatabaseUrls<ProcessName> {
  const settings = { shared: 'DATABASE_URL', own: 'DATABASE_URLS' };
  if (env.DATABASE_URL || env.DATABASE_URLS) return readDatabaseUrls(env, settings, processNames);
  const running = readPlatformFile(readDataDir())?.databaseUrls;
  if (running === undefined) {
    throw new Error('set DATABASE_URL, or DATA_DIR to that of the running platform');
  }
  return running;
}

/** One line for each violation, and one with the number of invariants. */
export const describeCheck = ({ checked, broken }: CheckResult): string =>
  [
    ...Object.entries(broken).map(([title, rows]) => `VIOLATED: ${title} ${JSON.stringify(rows)}`),
    `invariants: ${checked} checked, ${Object.keys(broken).length} violated`,
  ].join('\n');
