import { isLostConnection } from '@event-api/platform/db/errors';
import pg from 'pg';
import type { Owner } from '../history/responses.ts';
import type { Fault } from './fault.ts';

/** A table that everything needs is locked: its writers wait until they give up, and their pool runs dry. */
function lockStorm(table: string, affects: readonly Owner[]): Fault {
  let client: pg.Client | undefined;
  return {
    name: `${table} locked`,
    target: table,
    affects,
    lastsMs: 3000,
    async begin({ environment }) {
      client = new pg.Client({ connectionString: environment.databaseUrl });
      // PostgreSQL may be taken away under it, and the lock with it.
      client.on('error', () => {});
      try {
        await client.connect();
        await client.query(
          `begin; set local lock_timeout = '2s'; lock table ${table} in exclusive mode`,
        );
      } catch (error) {
        // Away already, by another fault: nobody can write to the table either.
        if (!isLostConnection(error)) throw error;
      }
    },
    async end() {
      await client?.end().catch(() => {});
      client = undefined;
    },
  };
}

export const lockFaults: Fault[] = [
  lockStorm('catalog.event', ['catalog', 'registration', 'commerce']),
  lockStorm('registration.seat_ledger', ['registration', 'commerce']),
  lockStorm('commerce.customer_order', ['commerce']),
  lockStorm('onsite.checkin', ['onsite']),
];
