import { copyKeepers, resyncCopies } from '@event-api/contracts/operator/copies';
import { eventually } from '@event-api/platform/testing/eventually';
import { type Fault, nobody } from './fault.ts';

/** Every service makes its copies anew, one after the other, while everybody goes on. */
export const copiesAnew: Fault = {
  name: 'copies made anew',
  target: 'copies',
  excuses: nobody,
  lastsMs: 0,
  async begin({ around }) {
    for (const service of copyKeepers) {
      // Refused while the owner, the bus or the database is away, for which there may be another fault.
      await eventually(() => around.operator.call(resyncCopies(service), { service }), 30_000);
    }
  },
  end: async () => {},
};
