import type { DrillEnvironment } from './environment.ts';

/** A guard of the platform that a drill can take away, to prove that it would notice. */
export interface Guard {
  summary: string;
  /** The process whose switch it is, and the switch. */
  process: string;
  switch: string;
  /** What of the database goes with it. */
  sql?: string;
}

export const guards: Record<string, Guard> = {
  'order-lock': {
    summary: 'an order is not locked, and a payment may be kept twice',
    process: 'commerce',
    switch: 'off:order.lock',
    sql: 'alter table commerce.settlement drop constraint settlement_payment',
  },
  idempotency: {
    summary: 'commerce does not look at Idempotency-Key',
    process: 'commerce',
    switch: 'off:idempotency',
  },
};

/** Starts the processes of these guards anew, without them. Errors: a guard that there is not. */
export async function disableGuards(
  environment: DrillEnvironment,
  names: readonly string[],
): Promise<void> {
  const chosen = names.map((name) => {
    const guard = guards[name];
    if (!guard) throw new Error(`no guard ${name}: there are ${Object.keys(guards).join(', ')}`);
    return guard;
  });
  for (const process of new Set(chosen.map((guard) => guard.process))) {
    const faults = chosen.filter((guard) => guard.process === process).map((guard) => guard.switch);
    await environment.processes.stop(process);
    await environment.processes.restart(process, { NODE_ENV: 'test', FAULTS: faults.join(',') });
  }
  for (const { sql } of chosen) if (sql) await environment.sql(sql);
}
