import { switchedProcess } from '@event-api/platform/testing/switches/switched-process';
import type { DrillEnvironment } from './environment.ts';

/**
 * A guard of the platform that a drill can disable, to prove that the checks detect its absence.
 */
export interface Guard {
  summary: string;
  /** The process that has the guard, and the test switch that disables it. */
  process: string;
  switch: string;
  /** SQL that disables the matching constraint. */
  sql?: string;
}

/** This guard is a setting of PostgreSQL, with which the servers of a drill with hosts start. */
export const synchronousStandbys = 'synchronous-standbys';

export const guards: Record<string, Guard> = {
  'order-lock': {
    summary: 'orders are not locked, and a payment may have two settlements',
    process: 'commerce',
    switch: 'off:order.lock',
    sql: 'alter table commerce.settlement drop constraint if exists settlement_payment',
  },
  idempotency: {
    summary: 'commerce ignores Idempotency-Key',
    process: 'commerce',
    switch: 'off:idempotency',
  },
  'order-limits': {
    summary: 'registration knows no minimum and maximum of an order',
    process: 'registration',
    switch: 'off:order-limits',
  },
  'order-quotes': {
    summary: 'a quote of a change is executed twice, and whatever it pays back',
    process: 'commerce',
    switch: 'off:order-change.quote',
  },
  'change-numbering': {
    summary:
      'the feed reads changes of registrations by their position instead of by committed numbers',
    process: 'registration',
    // The pause before each commit lets later changes be read first, as a busy database does.
    switch: 'off:changes.numbering,pause:admission.written',
  },
};

/**
 * Restarts the processes of these guards with the guards disabled. Errors: unknown guard; a guard of
 * hosts, and the environment has none.
 */
export async function disableGuards(
  environment: DrillEnvironment,
  names: readonly string[],
): Promise<void> {
  if (names.includes(synchronousStandbys) && !environment.hosts)
    throw new Error(`only the drill partition runs without ${synchronousStandbys}`);
  const ofProcesses = names.filter((name) => name !== synchronousStandbys);
  const chosen = ofProcesses.map((name) => {
    const guard = guards[name];
    if (!guard)
      throw new Error(`unknown guard ${name}; available: ${Object.keys(guards).join(', ')}`);
    return guard;
  });
  for (const process of new Set(chosen.map((guard) => guard.process))) {
    const switches = chosen
      .filter((guard) => guard.process === process)
      .map((guard) => guard.switch);
    await environment.processes.stop(process);
    await environment.processes.restart(process, switchedProcess(switches.join(',')));
  }
  for (const { sql } of chosen) if (sql) await environment.sql(sql);
}
