import type { Database } from '@event-api/platform/db/database';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';

/** What commands and lists of the program need. */
export interface ProgramDeps {
  db: Database;
  refresher: ProjectionRefresher;
}
