import { setTimeout as delay } from 'node:timers/promises';
import { type CopyKeeper, resyncCopies } from '@event-api/contracts/operator/copies';
import { reconcileCommerce } from '@event-api/contracts/operator/refunds';
import type { Surroundings } from '../surroundings.ts';
import type { Fault, Stage } from './fault.ts';
import { servedBy } from './processes.ts';

/** Who copies from a service, and so has heard of what its database no longer has. */
const followersOf: Record<CopyKeeper, readonly CopyKeeper[]> = {
  catalog: ['registration', 'commerce', 'onsite'],
  registration: ['catalog', 'onsite'],
  commerce: [],
  onsite: [],
};

/** How old the copy is that check-ins are lost with. */
const OLDER_BY_MS = 3000;

const keptIn = (service: CopyKeeper) => `kept_${service}`;

async function tablesOf({ sql }: Surroundings, schema: string): Promise<string[]> {
  const rows = await sql<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = '${schema}'`,
  );
  return rows.map(({ name }) => name);
}

/** Copies all rows of a service as of one moment. */
async function keep(around: Surroundings, service: CopyKeeper): Promise<void> {
  const kept = keptIn(service);
  const tables = await tablesOf(around, service);
  await around.sql(
    [
      'set transaction isolation level repeatable read',
      `create schema ${kept}`,
      ...tables.map((name) => `create table ${kept}.${name} as table ${service}.${name}`),
    ].join(';'),
  );
}

/** Puts the rows that were kept in the place of those that are there; nothing, where none were kept. */
async function takeBack(around: Surroundings, service: CopyKeeper): Promise<void> {
  const kept = keptIn(service);
  const tables = await tablesOf(around, kept);
  if (tables.length === 0) return;
  await around.sql(
    [
      // Rows come back table by table, whatever refers to whatever.
      "select set_config('session_replication_role', 'replica', true)",
      `truncate ${tables.map((name) => `${service}.${name}`).join(', ')}`,
      ...tables.map((name) => `insert into ${service}.${name} table ${kept}.${name}`),
      `drop schema ${kept} cascade`,
    ].join(';'),
  );
}

/** As the runbook has it: the rows, the process, then whoever copies from it, and the money. */
const comeBack = (service: CopyKeeper) => async (stage: Stage) => {
  const { around } = stage;
  await takeBack(around, service);
  await around.processes.restart(service);
  for (const follower of followersOf[service]) {
    await around.operator.call(resyncCopies(follower), { service: follower });
  }
  if (service !== 'commerce') return;
  const { unbalanced } = await around.operator.call(reconcileCommerce, {});
  for (const currency of unbalanced) stage.journal.breaks('money is balanced', { currency });
};

/** What was written until the service stopped comes back: so nothing that it had acknowledged is gone. */
const restored = (service: CopyKeeper): Fault => ({
  name: `${service}'s database restored`,
  target: service,
  excuses: servedBy[service] ?? [],
  isGentle: true,
  lastsMs: 500,
  async begin({ around }) {
    await around.processes.stop(service);
    await keep(around, service);
  },
  end: comeBack(service),
});

/** The copy is older than the last check-ins: they are gone, as the journal is told, and the copies are behind. */
const earlier: Fault = {
  ...restored('onsite'),
  name: "onsite's database restored from an earlier copy",
  async begin({ around, journal }) {
    await keep(around, 'onsite');
    await delay(OLDER_BY_MS);
    await around.processes.stop('onsite');
    const gone = await around.sql<{ id: string }>(
      `select id from onsite.checkin except select id from ${keptIn('onsite')}.checkin`,
    );
    for (const { id } of gone) journal.lost.add(id);
  },
};

export const restoreFaults: Fault[] = [
  restored('catalog'),
  restored('registration'),
  restored('commerce'),
  earlier,
];
