import { registrationSnapshot } from '@event-api/contracts/messages/registration';
import { scopeOf } from '@event-api/platform/http/record-scope';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { FastifyRequest } from 'fastify';
import { requireEventOfDoor } from './require-event.ts';
import {
  type Confirmation,
  decideTrust,
  type ProjectionTrust,
  type TrustFacts,
} from './trust.rules.ts';

/**
 * Reads whether registration confirms the badges, and decides how far a check-in may trust the
 * projections. Call it directly before the decision: a database can be put back at any time.
 * Errors: those of the database.
 */
export async function readTrust(
  refresher: Pick<ProjectionRefresher, 'statusOf'>,
  facts: Omit<TrustFacts, 'badges'>,
): Promise<ProjectionTrust> {
  return decideTrust({ ...facts, badges: await refresher.statusOf([registrationSnapshot.type]) });
}

/** The two steps of a route of check-ins. */
export interface TrustAtDoor {
  /** Checks the event of the path, before the body is validated. Errors: 404. */
  requireEventAtDoor(request: FastifyRequest): Promise<void>;
  /** See `readTrust`. */
  trustOf(request: FastifyRequest): Promise<ProjectionTrust>;
}

export function createTrustAtDoor(refresher: ProjectionRefresher): TrustAtDoor {
  const events = new WeakMap<FastifyRequest, Confirmation>();
  return {
    async requireEventAtDoor(request) {
      events.set(request, await requireEventOfDoor(refresher, scopeOf(request)));
    },
    async trustOf(request) {
      const event = events.get(request);
      if (event === undefined) throw new Error('the event of a check-in was not checked');
      return readTrust(refresher, { readAfter: request.readAfter, event });
    },
  };
}
