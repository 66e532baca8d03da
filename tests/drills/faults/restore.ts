import { setTimeout as delay } from 'node:timers/promises';
import { resyncProjections } from '@event-api/contracts/operator/projections';
import { reconcileCommerce } from '@event-api/contracts/operator/refunds';
import type { ProjectingService, PublisherName } from '@event-api/contracts/topology';
import type { DrillEnvironment } from '../environment/environment.ts';
import { acceptLoss } from '../history/loss.ts';
import type { DrillContext, Fault } from './fault.ts';
import { servedBy } from './processes.ts';

/**
 * Services with projections of a service. They may have applied records that a restored database no
 * longer contains.
 */
const followersOf: Record<PublisherName, readonly ProjectingService[]> = {
  catalog: ['registration', 'commerce', 'onsite'],
  registration: ['catalog', 'onsite'],
};

/** Age of the backup that lacks the latest check-ins. */
const OLDER_BY_MS = 3000;

const backupSchemaOf = (service: ProjectingService) => `backup_${service}`;

async function tablesOf(
  { sqlOf }: DrillEnvironment,
  service: ProjectingService,
  schema: string,
): Promise<string[]> {
  const rows = await sqlOf(service)<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = '${schema}'`,
  );
  return rows.map(({ name }) => name);
}

/** Copies all rows of a service in one transaction. */
async function backUp(environment: DrillEnvironment, service: ProjectingService): Promise<void> {
  const backup = backupSchemaOf(service);
  const tables = await tablesOf(environment, service, service);
  await environment.sqlOf(service)(
    [
      'set transaction isolation level repeatable read',
      `create schema ${backup}`,
      ...tables.map((name) => `create table ${backup}.${name} as table ${service}.${name}`),
    ].join(';'),
  );
}

/** Replaces the rows of a service with the backup, if there is one. */
async function restoreRows(
  environment: DrillEnvironment,
  service: ProjectingService,
): Promise<void> {
  const backup = backupSchemaOf(service);
  const tables = await tablesOf(environment, service, backup);
  if (tables.length === 0) return;
  await environment.sqlOf(service)(
    [
      // Disables foreign keys, because tables are restored in any order.
      "select set_config('session_replication_role', 'replica', true)",
      `truncate ${tables.map((name) => `${service}.${name}`).join(', ')}`,
      ...tables.map((name) => `insert into ${service}.${name} table ${backup}.${name}`),
      `drop schema ${backup} cascade`,
    ].join(';'),
  );
}

/**
 * Follows the runbook: restore the rows, restart the process, resync the projections of other
 * services, reconcile money.
 */
async function recoverService(service: ProjectingService, context: DrillContext): Promise<void> {
  const { environment } = context;
  await environment.processes.restart(service);
  for (const follower of followersOf[service as PublisherName] ?? []) {
    await environment.operator.call(resyncProjections(follower), { service: follower });
  }
  if (service !== 'commerce') return;
  const { unbalanced } = await environment.operator.call(reconcileCommerce, {});
  for (const currency of unbalanced)
    context.history.breaks('money is balanced after a restore', { currency });
}

/**
 * The backup is complete: it is taken after the service has stopped, so no acknowledged record is
 * lost.
 */
const restored = (service: ProjectingService): Fault => ({
  name: `${service}'s database restored`,
  target: service,
  affects: servedBy[service] ?? [],
  isGraceful: true,
  lastsMs: 500,
  async begin({ environment }) {
    await environment.processes.stop(service);
    await backUp(environment, service);
  },
  async end(context) {
    await restoreRows(context.environment, service);
    await recoverService(service, context);
  },
});

/**
 * The backup is older than the latest check-ins. Those are counted as lost, and the projections are
 * out of date.
 */
export const restoredToEarlier: Fault = {
  ...restored('onsite'),
  name: "onsite's database restored from an older backup",
  async begin({ environment }) {
    await backUp(environment, 'onsite');
    await delay(OLDER_BY_MS);
    await environment.processes.stop('onsite');
  },
  async end(context) {
    const { environment, history, losses } = context;
    const stoppedAt = performance.now();
    await restoreRows(environment, 'onsite');
    losses.set(restoredToEarlier, await acceptLoss(environment.sql, history, stoppedAt));
    await recoverService('onsite', context);
  },
};

export const restoreFaults: Fault[] = [
  restored('catalog'),
  restored('registration'),
  restored('commerce'),
  restoredToEarlier,
];
