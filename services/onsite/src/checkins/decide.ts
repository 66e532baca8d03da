import type { EventScope } from '@event-api/contracts/internal/scope';
import type { CheckinDecider } from '@event-api/contracts/operator/checkins';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { type Badge, type CheckinDecision, decideCheckin } from '@event-api/rules/checkin-decision';
import type { PerkDelivery } from '../projections/projections.queries.ts';
import type { CheckinQueues } from './batch.ts';
import type { DoorLookup } from './checkins.queries.ts';
import { hashedBadge } from './code-hash.ts';
import type { Fallbacks } from './fallback.ts';
import { fetchBadge } from './fetch-badge.ts';
import { mayAdmitAlone, type ProjectionTrust } from './trust.rules.ts';

export interface DecideDeps {
  queues: Pick<CheckinQueues, 'read'>;
  /** Client of registration's internal operations, with the timeout of a door. */
  registration: ServiceClient;
  fallbacks: Fallbacks;
}

/** A decision with its inputs. */
export interface DecidedCheckin {
  decision: CheckinDecision;
  badge: Badge | null;
  decidedBy: CheckinDecider;
  /** What delivers the perks, as registration sent it. Null if the projections have decided. */
  perkSources: readonly PerkDelivery[] | null;
}

/**
 * Decides a check-in. If the projections reject the badge, or if they may not admit it alone, the
 * badge is fetched from registration and the decision is made again. If registration is
 * unavailable, the first decision stands.
 * Errors: 503 when the queue is full.
 */
export async function decideAtDoor(
  { queues, registration, fallbacks }: DecideDeps,
  scope: EventScope,
  input: Omit<DoorLookup, keyof EventScope>,
  trust: ProjectionTrust,
): Promise<DecidedCheckin> {
  const { badge, gates } = await queues.read({ ...input, ...scope });
  const hashed = hashedBadge(input);
  const decision = decideCheckin(hashed, badge, gates);
  const byProjections = { decision, badge, perkSources: null };
  const isAdmitted = decision.outcome === 'admitted' && mayAdmitAlone(trust);
  // Registration knows no doors.
  if (isAdmitted || gates === null) return { ...byProjections, decidedBy: 'projections' };
  const fetched = await fetchBadge(registration, scope, input);
  if (fetched.outcome === 'unavailable') {
    fallbacks.record(fetched.error);
    return { ...byProjections, decidedBy: 'fallback' };
  }
  const { badge: own, perkSources } =
    fetched.outcome === 'found' ? fetched : { badge: null, perkSources: null };
  return {
    decision: decideCheckin(hashed, own, gates),
    badge: own,
    decidedBy: 'registration',
    perkSources,
  };
}
