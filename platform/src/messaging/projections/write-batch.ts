import { safeMessage, sqlState } from '../../core/error-reason.ts';
import type { Db } from '../../db/database.ts';
import type { CheckpointRow } from './checkpoint.ts';
import type { DeadLetterInput, DecodedSnapshot } from './decode.ts';
import type { ConflictPolicy, Projection } from './projection.ts';
import type { ProjectionQueries } from './queries.ts';

/** Snapshots to write, and the step of the position that is taken with them. */
export interface ProjectionBatch {
  pending: readonly DecodedSnapshot[];
  deadLetters: readonly DeadLetterInput[];
  from: CheckpointRow;
  to: CheckpointRow;
  conflictPolicy: ConflictPolicy;
}

/**
 * Writes all of it in one commit; what the database refuses for good is found by halving and buried.
 * Answers what could not be applied. Errors: `Fenced`; the database's when it is away or busy.
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
    // The first half is applied under the old position: a kill in between only repeats it.
    const first = { ...batch, pending: pending.slice(0, half), to: from };
    const second = { ...batch, pending: pending.slice(half), deadLetters: [] };
    return [...(await writeBatch(deps, first)), ...(await writeBatch(deps, second))];
  }
}

/** A value that will not fit at any repeat. */
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
