import type { RosterEvent } from '@event-api/contracts/http/roster';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import type { CheckinDecider } from '@event-api/contracts/operator/checkins';
import { ApiError } from '@event-api/platform/core/errors';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { type Badge, type CheckinDecision, decideCheckin } from '@event-api/rules/checkin-decision';
import type { PerkDelivery } from '../projections/projections.queries.ts';
import { timeouts } from '../timeouts.ts';
import type { CheckinQueues } from './batch.ts';
import type { DoorLookup } from './checkins.queries.ts';
import { hashedBadge } from './code-hash.ts';
import type { Fallbacks } from './fallback.ts';
import { fetchBadge } from './fetch-badge.ts';
import { mayAdmitAlone, type ProjectionTrust } from './trust.rules.ts';

export interface DecideDeps {
  queues: Pick<CheckinQueues, 'read'>;
  refresher: Pick<ProjectionRefresher, 'refresh'>;
  /** Client of registration's internal operations, with the timeout of a door. */
  registration: ServiceClient;
  fallbacks: Fallbacks;
}

type Presented = Omit<DoorLookup, keyof EventScope>;

/** With what a check-in is decided, besides the records. */
export interface DecidedWith {
  trust: ProjectionTrust;
  at: Date;
}

/** A decision with its inputs. */
export interface DecidedCheckin {
  decision: CheckinDecision;
  badge: Badge | null;
  event: RosterEvent;
  decidedBy: CheckinDecider;
  /** What delivers the perks, as registration sent it. Null if the projections have decided. */
  perkSources: readonly PerkDelivery[] | null;
}

/**
 * Decides a check-in. A refusal because the event is cancelled, or by the times of admission, is
 * decided again after the event and the ticket type were fetched from catalog; if catalog is
 * unavailable, the first decision stands.
 * Errors: 503 when the queue is full.
 */
export async function decideAtDoor(
  deps: DecideDeps,
  scope: EventScope,
  input: Presented,
  decidedWith: DecidedWith,
): Promise<DecidedCheckin> {
  const decided = await decideOnce(deps, scope, input, decidedWith);
  if (!restsOnCatalog.includes(decided.decision.outcome)) return decided;
  const isFresh = await fetchTimes(deps.refresher, scope, decided.badge);
  return isFresh ? decideOnce(deps, scope, input, decidedWith) : decided;
}

/** Refusals by what catalog says. */
const restsOnCatalog: readonly CheckinDecision['outcome'][] = [
  'admission_closed',
  'event_cancelled',
];

/** Fetches what has times of admission from catalog. Returns false if it did not respond. */
async function fetchTimes(
  refresher: DecideDeps['refresher'],
  scope: EventScope,
  badge: Badge | null,
): Promise<boolean> {
  const { businessUnitId } = scope;
  const id = badge?.registrationTypeId ?? null;
  const type = id === null ? [] : [{ type: ticketTypeSnapshot.type, businessUnitId, id }];
  try {
    await refresher.refresh([eventRef(scope), ...type], timeouts.ownerMs);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/**
 * If the projections reject the badge, or if they may not admit it alone, the badge is fetched from
 * registration and the decision is made again. If registration is unavailable, the first decision
 * stands.
 */
async function decideOnce(
  { queues, registration, fallbacks }: DecideDeps,
  scope: EventScope,
  input: Presented,
  { trust, at }: DecidedWith,
): Promise<DecidedCheckin> {
  const { badge, door } = await queues.read({ ...input, ...scope });
  const { event } = door;
  const hashed = hashedBadge(input);
  const decision = decideCheckin(hashed, badge, door, at);
  const byProjections = { decision, badge, event, perkSources: null };
  const isAdmitted = decision.outcome === 'admitted' && mayAdmitAlone(trust);
  // Registration knows no doors.
  if (isAdmitted || door.gates === null) return { ...byProjections, decidedBy: 'projections' };
  const fetched = await fetchBadge(registration, scope, input);
  if (fetched.outcome === 'unavailable') {
    fallbacks.record(fetched.error);
    return { ...byProjections, decidedBy: 'fallback' };
  }
  const { badge: own, perkSources } =
    fetched.outcome === 'found' ? fetched : { badge: null, perkSources: null };
  return {
    decision: decideCheckin(hashed, own, door, at),
    badge: own,
    event,
    decidedBy: 'registration',
    perkSources,
  };
}
