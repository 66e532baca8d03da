import type { Database } from '@event-api/platform/db/database';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';

/** Dependencies of the program's commands and lists. */
export interface ProgramDeps {
  db: Database;
  refresher: ProjectionRefresher;
}
