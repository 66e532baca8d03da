import { processNamed, type ServiceName } from '@event-api/contracts/topology';
import { isLostConnection } from '@event-api/platform/db/errors';
import pg from 'pg';
import type { Owner } from '../history/responses.ts';
import type { Fault } from './fault.ts';

/** Locks a table. Writers wait until their timeout, and their connection pool is exhausted. */
function lockStorm(table: `${ServiceName}.${string}`, affects: readonly Owner[]): Fault {
  let client: pg.Client | undefined;
  return {
    name: `${table} locked`,
    target: table,
    affects,
    lastsMs: 3000,
    async begin({ environment }) {
      const { name } = processNamed(table.split('.')[0] ?? '');
      client = new pg.Client({ connectionString: environment.databaseUrls[name] });
      // A concurrent fault may stop PostgreSQL, which also releases the lock.
      client.on('error', () => {});
      try {
        await client.connect();
        await client.query(
          `begin; set local lock_timeout = '2s'; lock table ${table} in exclusive mode`,
        );
      } catch (error) {
        // A concurrent fault has stopped PostgreSQL, so the table cannot be written anyway.
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
