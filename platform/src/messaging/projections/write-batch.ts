import { safeMessage, sqlState } from '../../core/error-reason.ts';
import type { Db } from '../../db/database.ts';
import type { CheckpointRow } from './checkpoint.ts';
import type { DeadLetterInput, DecodedSnapshot } from './decode.ts';
import type { ConflictPolicy, Projection } from './projection.ts';
import type { ProjectionQueries } from './projections.queries.ts';

/** Snapshots to write, and the checkpoint to advance with them. */
export interface ProjectionBatch {
  pending: readonly DecodedSnapshot[];
  deadLetters: readonly DeadLetterInput[];
  from: CheckpointRow;
  to: CheckpointRow;
  conflictPolicy: ConflictPolicy;
}

/**
 * Writes a batch in one commit. If the database rejects it permanently, the batch is halved until
 * the invalid snapshots are found; these become dead letters. Returns the dead letters. Errors:
 * `CheckpointConflict`; those of an unavailable or busy database.
 */
export async function writeBatch(
  deps: { db: Db; queries: ProjectionQueries; projections: readonly Projection[] },
  batch: ProjectionBatch,
): Promise<readonly DeadLetterInput[]> {
  const { pending, deadLetters, from, to, conflictPolicy } = batch;
  const projections = deps.projections
    .map((projection) => ({
      projection,
      snapshots: pending
        .filter((decoded) => decoded.projection === projection)
        .map(({ snapshot }) => snapshot),
    }))
    .filter(({ snapshots }) => snapshots.length > 0);
  try {
    await deps.queries.advance(deps.db, from, to, { deadLetters, projections, conflictPolicy });
    return deadLetters;
  } catch (error) {
    const [head] = pending;
    if (!isPermanent(error) || !head) throw error;
    if (pending.length === 1) {
      return writeBatch(deps, {
        ...batch,
        pending: [],
        deadLetters: [...deadLetters, toDeadLetter(head, error)],
      });
    }
    const half = Math.ceil(pending.length / 2);
    // The first half leaves the checkpoint unchanged: after a crash in between it is applied again,
    // without effect.
    const first = { ...batch, pending: pending.slice(0, half), to: from };
    const second = { ...batch, pending: pending.slice(half), deadLetters: [] };
    return [...(await writeBatch(deps, first)), ...(await writeBatch(deps, second))];
  }
}

/** A value that no retry makes valid. */
const isPermanent = (error: unknown): boolean => /^2[23]/.test(sqlState(error) ?? '');

const toDeadLetter = (
  { seq, index, snapshot }: DecodedSnapshot,
  error: unknown,
): DeadLetterInput => ({
  seq,
  index,
  body: JSON.stringify(snapshot),
  error: error instanceof Error ? error.message : String(error),
  reason: safeMessage(error),
});
