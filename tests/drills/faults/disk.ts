import { fillDisk, freeDisk } from '@event-api/test-support/full-disk';
import { services } from '../environment/environment.ts';
import type { Fault } from './fault.ts';

/** Nothing can be written any more. A request that the gateway cuts off is not excused: it writes nothing. */
export const fullDisk: Fault = {
  name: 'the disk of postgres full',
  // Never while PostgreSQL is away, which nobody could then tell that its disk is full.
  target: 'postgres',
  affects: services,
  lastsMs: 1500,
  begin: ({ environment }) => fillDisk(environment.sql),
  end: ({ environment }) => freeDisk(environment.sql),
};
