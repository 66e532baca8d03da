import { projectionServices, resyncProjections } from '@event-api/contracts/operator/projections';
import { eventually } from '@event-api/platform/testing/eventually';
import { type Fault, noServices } from './fault.ts';

/** Every service makes its copies anew, one after the other, while everybody goes on. */
export const resyncAllProjections: Fault = {
  name: 'copies made anew',
  target: 'copies',
  affects: noServices,
  lastsMs: 0,
  async begin({ environment }) {
    for (const service of projectionServices) {
      // Refused while the owner, the bus or the database is away, for which there may be another fault.
      await eventually(
        () => environment.operator.call(resyncProjections(service), { service }),
        30_000,
      );
    }
  },
  end: async () => {},
};
