import { schemas } from '@event-api/contracts/topology';
import { deleteOldAuditEntries, minRetentionDays } from '@event-api/provisioning/audit-retention';

/**
 * Deletes the audit entries of all schemas that are older than AUDIT_RETENTION_DAYS. Without it
 * nothing is ever deleted.
 */
async function applyRetention(env: NodeJS.ProcessEnv): Promise<string> {
  const { MIGRATION_DATABASE_URL: url, AUDIT_RETENTION_DAYS: text = '' } = env;
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  const problems = [
    url ? [] : ['MIGRATION_DATABASE_URL is missing'],
    days >= minRetentionDays
      ? []
      : [`AUDIT_RETENTION_DAYS must be a number of days, at least ${minRetentionDays}`],
  ].flat();
  if (problems.length > 0) throw new Error(['Wrong settings:', ...problems].join('\n  '));
  const deleted = await deleteOldAuditEntries({
    connection: { connectionString: url },
    schemas,
    days,
  });
  return Object.entries(deleted)
    .map(([schema, count]) => `${schema}: deleted ${count} audit entries`)
    .join('\n');
}

try {
  console.log(await applyRetention(process.env));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
