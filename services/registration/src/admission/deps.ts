import type { Database } from '@event-api/platform/db/database';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { Admission } from './queue.ts';

/** What commands need that take or release seats. */
export interface AdmissionDeps {
  db: Database;
  admission: Admission;
  refresher: ProjectionRefresher;
}
