import { resyncProjections } from '@event-api/contracts/operator/projections';
import { projectingServices } from '@event-api/contracts/topology';
import { eventually } from '@event-api/platform/testing/eventually';
import { type Fault, noServices } from './fault.ts';

/** Resyncs the projections of all services one after the other, under load. */
export const resyncAllProjections: Fault = {
  name: 'projections resynced',
  target: 'projections',
  affects: noServices,
  lastsMs: 0,
  async begin({ environment }) {
    for (const service of projectingServices) {
      // The command is rejected while the owner, the bus or the database is unavailable because of
      // a concurrent fault.
      await eventually(
        () => environment.operator.call(resyncProjections(service), { service }),
        30_000,
      );
    }
  },
  end: async () => {},
};
