import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import { lockEvent } from '../seats/lock-event.ts';
import { type CodeRow, markDisabled, readCode } from './queries.ts';

/**
 * Disables a code for good; a repeat answers it unchanged. Who has used it keeps what it gave.
 *
 * Locks: the event's row of `admission`, as every batch of requests does. So a use was decided before
 * this took the lock, and has been committed, or is decided on the disabled code: none is given once
 * this has been answered. Errors: 404.
 */
export async function disableRedemptionCode(
  db: Database,
  scope: EventScope,
  codeId: string,
): Promise<CodeRow> {
  const existing = await readCode(db, scope, codeId);
  if (existing.status === 'disabled') return existing;
  return db.transaction(async (tx) => {
    if (!(await lockEvent(tx, scope, false))) throw notFound();
    return markDisabled(tx, scope, codeId);
  });
}
