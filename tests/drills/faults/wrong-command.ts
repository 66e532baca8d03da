import { setTimeout as delay } from 'node:timers/promises';
import { FAST_SHUTDOWN } from '@event-api/local-servers/postgres-user';
import { type BackedUpServer, replayed } from '../environment/backups.ts';
import type { DrillEnvironment } from '../environment/environment.ts';
import { acceptLoss } from '../history/loss.ts';
import type { DrillContext, Fault } from './fault.ts';
import { servedBy } from './processes.ts';
import { repairContradictions } from './restored-service.ts';

const SERVICE = 'registration';
/** How long the platform works on the backup before the wrong command. */
const SOLD_MS = 8000;

/** The moment before the command, by the clock of the database and by that of the drill. */
let before = { time: new Date(0), at: 0 };

function ownServer({ postgresServers }: DrillEnvironment): BackedUpServer {
  const found = postgresServers.find(({ process }) => process === SERVICE);
  if (!found) throw new Error(`${SERVICE} has no server of its own`);
  return found;
}

/**
 * An operator overwrites all registrations instead of one. It is noticed seconds later: what
 * registration has acknowledged since is lost with the damage.
 */
const wrongCommand: Fault = {
  name: `a wrong command in ${SERVICE}'s database`,
  target: SERVICE,
  affects: servedBy[SERVICE] ?? [],
  lastsMs: 3000,
  async prepare({ environment }) {
    await environment.backups().take(ownServer(environment));
    await delay(SOLD_MS);
  },
  async begin({ environment, history }) {
    const { sql } = ownServer(environment);
    const [row] = await sql<{ now: Date }>('select clock_timestamp() as now');
    before = { time: row?.now ?? new Date(0), at: performance.now() };
    await delay(50);
    const overwritten = await sql(
      `update registration.registration set name = 'Test' returning id`,
    );
    if (overwritten.length === 0) history.breaks('the command overwrites records', {});
  },
  end: (context) => restoreBefore(context),
};

/** Follows the runbook, "One service's database is restored from a backup". */
async function restoreBefore(context: DrillContext): Promise<void> {
  const { environment, history, losses } = context;
  const { processes } = environment;
  const server = ownServer(environment);
  await processes.stop(SERVICE);
  const stoppedAt = performance.now();
  const registrations = await idsOf(server);
  // Its shutdown archives the rest of the log.
  await processes.stop(server.program, FAST_SHUTDOWN);
  await environment.backups().restore(server, { kind: 'time', time: before.time });
  await processes.restart(server.program);
  await replayed(server);
  losses.set(wrongCommand, await acceptLoss(environment.sql, history, stoppedAt));
  // Also those that no response has named, such as the registrations of an order.
  const left = await idsOf(server);
  for (const id of registrations) if (!left.has(id)) history.lost.add(id);
  const [row] = await server.sql<{ damaged: number }>(
    `select count(*)::int as damaged from registration.registration where name = 'Test'`,
  );
  if (row?.damaged !== 0) history.breaks('a restore undoes the command', row);
  await processes.restart(SERVICE);
  await repairContradictions(context);
}

const idsOf = async ({ sql }: BackedUpServer): Promise<Set<string>> => {
  const rows = await sql<{ id: string }>('select id from registration.registration');
  return new Set(rows.map(({ id }) => id));
};

export const wrongCommandFaults: Fault[] = [wrongCommand];
