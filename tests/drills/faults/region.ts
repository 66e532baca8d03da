import { setTimeout as delay } from 'node:timers/promises';
import { reconcileCommerce } from '@event-api/contracts/operator/refunds';
import { compareRestored, completeRestore } from '@event-api/contracts/operator/restore';
import { apiProcessNames, publisherNames } from '@event-api/contracts/topology';
import { eventually } from '@event-api/platform/testing/eventually';
import { replayed } from '../environment/backups.ts';
import { wipe } from '../environment/environment.ts';
import { acceptLoss } from '../history/loss.ts';
import { allServices, type DrillContext, type Fault } from './fault.ts';
import { noteLostMoney, sendPaymentsAgain } from './provider-events.ts';
import { recoveryOperator } from './recovery-operator.ts';

/** PostgreSQL ends at once: nothing more is archived. */
const IMMEDIATE_SHUTDOWN = 'SIGQUIT';
/** A segment is archived a moment after it has ended, later on a busy machine. */
const ARCHIVING_MS = 10_000;
const BOUND = 'a region loses only what was acknowledged within one interval of the archive';

/** When the region was lost. */
let lostAt = 0;

/**
 * Everything is lost at once: every process, PostgreSQL with its data, NATS with its streams and
 * Redis. What remains is in another place: the backups with the archived log, and the payment
 * provider.
 */
const regionLost: Fault = {
  name: 'the region is lost',
  target: 'region',
  affects: [...allServices],
  lastsMs: 1000,
  async prepare({ environment, random }) {
    const backups = environment.backups();
    for (const server of environment.postgresServers) await backups.take(server);
    // At any moment between two archived segments.
    await delay(backups.intervalMs * (1 + random.next()));
  },
  async begin({ environment: { processes, postgresServers, natsStore } }) {
    lostAt = performance.now();
    await Promise.all([
      ...apiProcessNames.map((name) => processes.stop(name, 'SIGKILL')),
      ...postgresServers.map(({ program }) => processes.stop(program, IMMEDIATE_SHUTDOWN)),
      processes.stop('nats', 'SIGKILL'),
      processes.stop('redis', 'SIGKILL'),
    ]);
    for (const { data } of postgresServers) wipe(data);
    wipe(natsStore);
  },
  end: (context) => restoreElsewhere(context),
};

/** Follows the runbook, "PostgreSQL is restored from a backup", with new servers of all kinds. */
async function restoreElsewhere(context: DrillContext): Promise<void> {
  const { environment, history, losses } = context;
  const { processes, postgresServers } = environment;
  const operator = recoveryOperator(context);
  const backups = environment.backups();
  await Promise.all([
    processes.restart('nats'),
    processes.restart('redis'),
    ...postgresServers.map(async (server) => {
      await backups.restore(server, { kind: 'end' });
      await processes.restart(server.program);
      await replayed(server);
    }),
  ]);
  const loss = await acceptLoss(environment.sql, history, lostAt);
  losses.set(regionLost, loss);
  if (loss.spanMs > backups.intervalMs + ARCHIVING_MS)
    history.breaks(BOUND, { spanMs: loss.spanMs, intervalMs: backups.intervalMs });
  await noteLostMoney(context);
  await Promise.all(apiProcessNames.map((name) => processes.restart(name)));
  // NATS is new as well, so that nothing shows what was lost.
  for (const service of publisherNames)
    await eventually(() => operator.call(completeRestore(service), { service }));
  await sendPaymentsAgain(context);
  await operator.call(reconcileCommerce, {});
  const { differences } = await eventually(() => operator.call(compareRestored, {}));
  for (const difference of differences)
    history.breaks('one server returns orders and registrations to one moment', difference);
}

export const regionFaults: Fault[] = [regionLost];
