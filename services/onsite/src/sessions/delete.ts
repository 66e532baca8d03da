import type { EventScope } from '@event-api/contracts/internal/scope';
import { refreshEvent } from '../projections/refresh-event.ts';
import type { ProgramDeps } from '../venues/commands.ts';
import { lockSession, removeSession, type SessionRow } from './queries.ts';

/** Takes a session off the agenda and answers what it was; its check-ins stay. Errors: 404; 503. Locks: the session. */
export async function deleteSession(
  deps: ProgramDeps,
  { sessionId, ...scope }: EventScope & { sessionId: string },
): Promise<SessionRow> {
  await refreshEvent(deps, scope);
  return deps.db.transaction(async (tx) => {
    const session = await lockSession(tx, scope, sessionId);
    await removeSession(tx, scope, sessionId);
    return session;
  });
}
