import type { CreateCheckin } from '@event-api/contracts/http/checkins';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { referenceNotFound } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { z } from 'zod';
import { badgeMismatch, gateClosed, notConfirmed } from '../errors.ts';
import type { CheckinQueues, CheckinResult } from './batch.ts';
import type { Fallbacks } from './fallback.ts';
import { fetchBadge } from './fetch-badge.ts';
import { type CheckinDecision, decideCheckin } from './rules.ts';

export interface CheckinDeps {
  db: Database;
  queues: CheckinQueues;
  /** Client of registration's internal operations, with the timeout of a door. */
  registration: ServiceClient;
}

type Input = z.output<typeof CreateCheckin>;

/**
 * Checks a registration in at a door, once. If the projections reject the badge, or if they are stale
 * (`projectionsAreStale`), the badge is fetched from registration and the decision is made again. If registration is
 * unavailable, the first decision stands.
 *
 * Errors: 404 for an unknown door, registration or badge; 400 for an id and a badge code of different registrations;
 * 412 `NOT_CONFIRMED`, then `GATE_CLOSED`, also for a registration that has passed before; 503. Source:
 * docs/algorithms/check-in.md.
 */
export async function createCheckin(
  deps: CheckinDeps & { fallbacks: Fallbacks },
  scope: EventScope,
  input: Input,
  options: { projectionsAreStale: boolean },
): Promise<CheckinResult> {
  const { subjectType, subjectId = scope.eventId, method } = input;
  const decision = await decide(deps, scope, { ...input, ...options, subjectId });
  const registrationId = requireAdmitted(decision, input);
  const values = { id: newId('chk'), registrationId, subjectType, subjectId, method };
  const written = await deps.queues.write({ ...scope, ...values });
  // A check-in that an earlier attempt of this request has written does not count as an earlier scan.
  const isOther = written.checkin.id !== values.id;
  return { ...written, alreadyCheckedIn: written.alreadyCheckedIn && isOther };
}

/** Decides a check-in, with registration's badge where needed. Errors: 404 for an unknown door. */
async function decide(
  { queues, registration, fallbacks }: CheckinDeps & { fallbacks: Fallbacks },
  scope: EventScope,
  input: Input & { subjectId: string; projectionsAreStale: boolean },
): Promise<CheckinDecision> {
  const { badge: projectedBadge, gates } = await queues.read({ ...scope, ...input });
  if (!gates) throw referenceNotFound('subjectId');
  const first = decideCheckin(input, projectedBadge, gates);
  if (first.outcome === 'admitted' && !input.projectionsAreStale) return first;
  const result = await fetchBadge(registration, scope, input);
  if (result.outcome === 'unavailable') {
    fallbacks.record(result.error);
    return first;
  }
  return decideCheckin(input, result.outcome === 'found' ? result.badge : null, gates);
}

function requireAdmitted(decision: CheckinDecision, { registrationId }: Input): string {
  switch (decision.outcome) {
    case 'admitted':
      return decision.registrationId;
    case 'unknown':
      throw referenceNotFound(registrationId === undefined ? 'checkinCode' : 'registrationId');
    case 'badge_mismatch':
      throw badgeMismatch();
    case 'not_confirmed':
      throw notConfirmed();
    case 'gate_closed':
      throw gateClosed();
  }
}
