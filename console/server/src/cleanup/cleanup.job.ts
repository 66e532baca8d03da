import { every, type Loop } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import type { Db } from '@event-api/platform/db/database';
import { deleteOldInvitations } from '../invitations/invitations.queries.ts';
import { deleteExpiredChallenges } from '../passkeys/passkeys.queries.ts';
import { deleteEndedSessions } from '../sessions/sessions.queries.ts';
import { timeouts } from '../timeouts.ts';

/** Deletes ended sessions, unused challenges and old invitations. */
export const startCleanup = ({ db, log }: { db: Db; log: Pick<Logger, 'warn'> }): Loop =>
  every(
    async () => {
      await deleteEndedSessions(db);
      await deleteExpiredChallenges(db);
      await deleteOldInvitations(db);
    },
    {
      intervalMs: timeouts.cleanupIntervalMs,
      onError: reportRepeated((error, suppressed) =>
        log.warn({ err: error, suppressed }, 'failed to delete ended sessions, will retry'),
      ),
    },
  );
