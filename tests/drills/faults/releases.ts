import { apiProcessNames } from '@event-api/contracts/topology';
import { type Fault, noServices } from './fault.ts';

/**
 * Each process is released alone, beside the previous or the current release of the others. No
 * request may fail.
 */
export const releaseFaults: Fault[] = apiProcessNames.map((name) => ({
  name: `${name} released`,
  target: name,
  affects: noServices,
  isGraceful: true,
  lastsMs: 1000,
  begin: ({ environment }) => environment.release(name),
  end: async () => {},
}));
