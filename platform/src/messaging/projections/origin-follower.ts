import type { Logger } from '../../core/log.ts';
import type { Database } from '../../db/database.ts';
import type { StreamMessage } from '../bus/consumer.ts';
import { type CheckpointRow, resyncRequested } from './checkpoint.ts';
import {
  decideFollow,
  decideOtherLineages,
  findOtherLineages,
  type OriginStates,
} from './origins.ts';
import type { OwnerLineages } from './owner-lineages.ts';
import type { ProjectionQueries } from './projections.queries.ts';

/**
 * Compares the lineages of the owners' databases with those of the projections, and stores the
 * result with the checkpoint. Each method returns the stored checkpoint; if its projections must be
 * rebuilt, a resync is pending in it. Errors: `CheckpointConflict`; those of the database.
 */
export interface OriginFollower {
  /**
   * Reads the lineages of all owners, before messages of a database that was restored are applied.
   */
  start(at: CheckpointRow): Promise<{ at: CheckpointRow; mustResync: boolean }>;
  /**
   * Stores the state of owners that did not respond at the start. Requests their lineages in the
   * background.
   */
  confirm(at: CheckpointRow): Promise<CheckpointRow>;
  /** Decides what it means that these messages carry another lineage than the stored one. */
  check(messages: readonly StreamMessage[], at: CheckpointRow): Promise<CheckpointRow>;
}

export function createOriginFollower(options: {
  db: Database;
  queries: ProjectionQueries;
  ownerLineages: OwnerLineages;
  /** Called with the lineages of messages that come from another database than the owner's. */
  onShared: (lineages: readonly string[]) => void;
  log: Logger;
}): OriginFollower {
  const { db, queries, ownerLineages, onShared, log } = options;

  async function writeStates(at: CheckpointRow, origins: OriginStates): Promise<CheckpointRow> {
    if (JSON.stringify(origins) === JSON.stringify(at.origins)) return at;
    const to = { ...at, origins };
    await queries.advance(db, at, to);
    return to;
  }

  async function requestResync(at: CheckpointRow, origins: OriginStates): Promise<CheckpointRow> {
    const to = { ...at, origins, schemaFingerprint: resyncRequested };
    await queries.advance(db, at, to);
    return to;
  }

  return {
    async start(at) {
      const { outcome, states } = decideFollow(at.origins, await ownerLineages.tryRead());
      return { at: await writeStates(at, states), mustResync: outcome === 'resync' };
    },
    async confirm(at) {
      const owners = ownerLineages.poll(at.origins);
      if (!owners) return at;
      const { outcome, states } = decideFollow(at.origins, owners);
      return outcome === 'follow' ? writeStates(at, states) : requestResync(at, states);
    },
    async check(messages, at) {
      const others = findOtherLineages(messages, at.origins);
      if (others.length === 0) return at;
      const owners = await ownerLineages.tryReadWithPrevious(others.map(({ origin }) => origin));
      const decision = decideOtherLineages(at.origins, others, owners);
      if (decision.outcome === 'ignore') {
        onShared(others.map(({ lineage }) => lineage));
        return at;
      }
      log.warn({ after: at.seq }, 'the database of an owner was put back');
      return requestResync(at, decision.states);
    },
  };
}
