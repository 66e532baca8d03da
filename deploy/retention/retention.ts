import { schemas } from '@event-api/contracts/topology';
import { deleteOldAuditEntries, minRetentionDays } from '@event-api/provisioning/audit-retention';
import { databasesOf, readDatabaseUrls } from '@event-api/provisioning/database-urls';

const addressSettings = { shared: 'MIGRATION_DATABASE_URL', own: 'MIGRATION_DATABASE_URLS' };

/**
 * Deletes the audit entries of all schemas that are older than AUDIT_RETENTION_DAYS. Without it
 * nothing is ever deleted. A server that cannot be used does not keep the others from it. Returns
 * whether all could be used.
 */
async function applyRetention(env: NodeJS.ProcessEnv): Promise<boolean> {
  const { AUDIT_RETENTION_DAYS: text = '' } = env;
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  const problems =
    days >= minRetentionDays
      ? []
      : [`AUDIT_RETENTION_DAYS must be a number of days, at least ${minRetentionDays}`];
  const urls = readAddresses(env, problems);
  if (problems.length > 0) throw new Error(['Wrong settings:', ...problems].join('\n  '));
  let isComplete = true;
  for (const { url, names } of databasesOf(urls)) {
    try {
      const connection = { connectionString: url };
      const deleted = await deleteOldAuditEntries({ connection, schemas: names, days });
      for (const [schema, count] of Object.entries(deleted))
        console.log(`${schema}: deleted ${count} audit entries`);
    } catch (error) {
      isComplete = false;
      console.error(`${names.join(', ')}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return isComplete;
}

function readAddresses(env: NodeJS.ProcessEnv, problems: string[]): Record<string, string> {
  try {
    return readDatabaseUrls(env, addressSettings, schemas);
  } catch (error) {
    problems.push((error as Error).message);
    return {};
  }
}

try {
  if (!(await applyRetention(process.env))) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
