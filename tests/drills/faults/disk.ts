import { serviceNames } from '@event-api/contracts/topology';
import { fillDisk, freeDisk } from '@event-api/test-support/full-disk';
import type { Fault } from './fault.ts';

/**
 * PostgreSQL rejects all writes. A timeout of the gateway (504) is not an accepted response:
 * rejected writes respond quickly.
 */
export const fullDisk: Fault = {
  name: 'postgres disk full',
  // The same target as the other PostgreSQL faults, because it needs a running server.
  target: 'postgres',
  affects: serviceNames,
  lastsMs: 1500,
  begin: async ({ environment }) => {
    await Promise.all(environment.sqlOfEach.map(fillDisk));
  },
  end: async ({ environment }) => {
    await Promise.all(environment.sqlOfEach.map(freeDisk));
  },
};
