import { type Origin, rewoundType, subjectFor } from '@event-api/contracts/messages/snapshot';
import type { StreamMessage } from '../bus/consumer.ts';
import type { OwnerLineage } from './snapshot-client.ts';

/**
 * How far the projections of an origin's records can be trusted. `confirmed`: they follow the
 * owner's database. `unconfirmed`: they are being rebuilt, or the owner has not been reached since
 * following began. `different`: the owner's database was restored, and they may contain records
 * that do not exist.
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

/**
 * Compares the stored lineages with those of the owners; null for an owner that did not respond.
 */
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
    differs ||= status === 'different' || (lineage !== null && before.lineage === null);
  }
  return { outcome: differs ? 'resync' : 'follow', states };
}

function statusAfter(before: OriginState, lineage: string | null): OriginStatus {
  if (lineage === null) return before.status === 'different' ? 'different' : 'unconfirmed';
  if (lineage === before.lineage) return 'confirmed';
  // Projections of a release without lineages are rebuilt, but nothing says that they contain wrong
  // records.
  return before.lineage === null ? 'unconfirmed' : 'different';
}

/** The states after a rebuild from owners with these lineages. */
export const confirmedStates = (owners: Partial<Record<Origin, string>>): OriginStates =>
  Object.fromEntries(
    Object.entries(owners).map(([origin, lineage]) => [origin, { lineage, status: 'confirmed' }]),
  );

/**
 * A lineage from which the projections of an origin do not come, and which messages of this origin
 * carry.
 */
export interface OtherLineage {
  origin: Origin;
  lineage: string;
}

/**
 * The other lineages that these messages carry, each once. While the lineage of the projections is
 * unknown, only that of a marker counts. Messages of a release without lineages never count.
 */
export function findOtherLineages(
  messages: readonly StreamMessage[],
  states: OriginStates,
): OtherLineage[] {
  return (Object.entries(states) as [Origin, OriginState][]).flatMap(([origin, state]) => {
    const others = messages.filter(
      (message) =>
        isOfOtherLineage(message, origin, state) &&
        (state.lineage !== null || isMarker(message, origin)),
    );
    const lineages = new Set(others.flatMap(({ lineage }) => lineage ?? []));
    return [...lineages].map((lineage) => ({ origin, lineage }));
  });
}

/** The messages to apply: without those of another lineage than that of the projections. */
export const withoutOtherLineages = (
  messages: readonly StreamMessage[],
  states: OriginStates,
): StreamMessage[] =>
  messages.filter(
    (message) =>
      !(Object.entries(states) as [Origin, OriginState][]).some(
        ([origin, state]) => state.lineage !== null && isOfOtherLineage(message, origin, state),
      ),
  );

const isOfOtherLineage = (message: StreamMessage, origin: Origin, state: OriginState): boolean =>
  message.subject === subjectFor(origin) &&
  message.lineage !== null &&
  message.lineage !== state.lineage;

export type OtherLineageDecision =
  /**
   * An owner's database has another lineage now, or nothing shows that the messages are not its
   * own.
   */
  | { outcome: 'resync'; states: OriginStates }
  /** The messages come from databases that are not those of the owners. */
  | { outcome: 'ignore' };

/**
 * Decides what messages of other lineages mean, by the lineages that the owners have now; null for
 * one that did not respond. A process of the owner that has not noticed a new lineage yet publishes
 * with the one before it; its records exist. Any other lineage is that of another database.
 */
export function decideOtherLineages(
  states: OriginStates,
  others: readonly OtherLineage[],
  owners: Partial<Record<Origin, OwnerLineage | null>>,
): OtherLineageDecision {
  const isUnrelated = ({ origin, lineage }: OtherLineage): boolean => {
    const owner = owners[origin];
    if (!owner || owner.previousLineage === undefined) return false;
    return owner.lineage === states[origin]?.lineage && owner.previousLineage !== lineage;
  };
  const own = others.filter((other) => !isUnrelated(other));
  if (own.length === 0) return { outcome: 'ignore' };
  const next = { ...states };
  for (const { origin } of own)
    next[origin] = { ...(states[origin] ?? unknown), status: 'different' };
  return { outcome: 'resync', states: next };
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
