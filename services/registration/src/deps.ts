import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Database } from '@event-api/platform/db/database';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { WalletSigner } from './config.ts';

/** What the routes and commands of the service need. */
export interface RegistrationDeps {
  db: Database;
  refresher: ProjectionRefresher;
  /** Null: the platform signs no wallet passes. */
  wallet: WalletSigner | null;
  /**
   * Expires reservations and promotes from the waitlist before an event is read, where this is due.
   * Waits for `timeoutMs` at most, by default one second. A failed promotion does not fail the
   * read.
   */
  expireAndPromoteIfDue: (scope: EventScope, timeoutMs?: number) => Promise<void>;
}
