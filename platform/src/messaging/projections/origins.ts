import { type Origin, rewoundType, subjectFor } from '@event-api/contracts/messages/snapshot';
import type { StreamMessage } from '../bus/consumer.ts';

/**
 * How far the projections of an origin's records can be trusted. `confirmed`: they follow the owner's database.
 * `unconfirmed`: they are being rebuilt, or the owner has not been reached since following began. `different`: the
 * owner's database was put back, and they may contain records that do not exist.
 */
export type OriginStatus = 'confirmed' | 'unconfirmed' | 'different';

/** The lineage from which the projections of an origin come. Null if it is not known yet. */
export interface OriginState {
  lineage: string | null;
  status: OriginStatus;
}

export type OriginStates = Partial<Record<Origin, OriginState>>;

const unknown: OriginState = { lineage: null, status: 'unconfirmed' };

export type FollowDecision =
  | { outcome: 'follow'; states: OriginStates }
  /** The projections of an origin come from another lineage than its database has now. */
  | { outcome: 'resync'; states: OriginStates };

/** Compares the stored lineages with those of the owners; null for an owner that did not respond. */
export function decideFollow(
  stored: OriginStates,
  owners: Partial<Record<Origin, string | null>>,
): FollowDecision {
  const states: OriginStates = { ...stored };
  let differs = false;
  for (const [origin, lineage] of Object.entries(owners) as [Origin, string | null][]) {
    const before = stored[origin] ?? unknown;
    const status = statusAfter(before, lineage);
    states[origin] = { lineage: before.lineage, status };
    differs ||= status === 'different';
  }
  return { outcome: differs ? 'resync' : 'follow', states };
}

function statusAfter(before: OriginState, lineage: string | null): OriginStatus {
  if (lineage === null) return before.status === 'different' ? 'different' : 'unconfirmed';
  return lineage === before.lineage ? 'confirmed' : 'different';
}

/** The states after a rebuild from owners with these lineages. */
export const confirmedStates = (owners: Partial<Record<Origin, string>>): OriginStates =>
  Object.fromEntries(
    Object.entries(owners).map(([origin, lineage]) => [origin, { lineage, status: 'confirmed' }]),
  );

/**
 * The states with the origin of the first message that comes from another lineage than the projections, or null if
 * there is none. A marker counts also while the lineage of the projections is unknown. Messages of a release without
 * lineages never count.
 */
export function findForeignLineage(
  messages: readonly StreamMessage[],
  states: OriginStates,
): OriginStates | null {
  for (const [origin, state] of Object.entries(states) as [Origin, OriginState][]) {
    const subject = subjectFor(origin);
    const foreign = messages.find(
      (message) =>
        message.subject === subject &&
        message.lineage !== null &&
        message.lineage !== state.lineage &&
        (state.lineage !== null || isMarker(message, origin)),
    );
    if (foreign) return { ...states, [origin]: { ...state, status: 'different' } };
  }
  return null;
}

const isMarker = ({ data }: StreamMessage, origin: Origin): boolean =>
  data.includes(`"type":"${rewoundType(origin)}"`);

/** The least trustworthy of these states. While a resync is pending no state is confirmed. */
export function worstStatus(
  states: OriginStates,
  origins: readonly Origin[],
  isResyncPending: boolean,
): OriginStatus {
  const statuses = origins.map((origin) => (states[origin] ?? unknown).status);
  if (statuses.includes('different')) return 'different';
  return isResyncPending || statuses.includes('unconfirmed') ? 'unconfirmed' : 'confirmed';
}
