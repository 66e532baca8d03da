import type { Db } from '../db/database.ts';
import { sqlState } from '../db/errors.ts';
import { reasonOf } from '../log.ts';
import type { Pending, Poison } from './apply.ts';
import type { Copy, Keeps } from './copy.ts';
import type { PositionRow } from './position.ts';
import type { ProjectionQueries } from './queries.ts';

/** Snapshots to write, and the step of the position that is taken with them. */
export interface Step {
  pending: readonly Pending[];
  poison: readonly Poison[];
  from: PositionRow;
  to: PositionRow;
  keeps: Keeps;
}

/**
 * Writes all of it in one commit; what the database refuses for good is found by halving and buried.
 * Answers what could not be applied. Errors: `Fenced`; the database's when it is away or busy.
 */
export async function writeStep(
  deps: { db: Db; queries: ProjectionQueries; copies: readonly Copy[] },
  step: Step,
): Promise<readonly Poison[]> {
  const { pending, poison, from, to, keeps } = step;
  const copies = deps.copies
    .map((copy) => ({
      copy,
      snapshots: pending.filter((one) => one.copy === copy).map(({ snapshot }) => snapshot),
    }))
    .filter(({ snapshots }) => snapshots.length > 0);
  try {
    await deps.queries.move(deps.db, from, to, { poison, copies, keeps });
    return poison;
  } catch (error) {
    const [one] = pending;
    if (!isForGood(error) || !one) throw error;
    if (pending.length === 1) {
      return writeStep(deps, { ...step, pending: [], poison: [...poison, buried(one, error)] });
    }
    const half = Math.ceil(pending.length / 2);
    // The first half is applied under the old position: a kill in between only repeats it.
    const first = { ...step, pending: pending.slice(0, half), to: from };
    const second = { ...step, pending: pending.slice(half), poison: [] };
    return [...(await writeStep(deps, first)), ...(await writeStep(deps, second))];
  }
}

/** A value that will not fit at any repeat. */
const isForGood = (error: unknown): boolean => /^2[23]/.test(sqlState(error) ?? '');

const buried = ({ seq, index, snapshot }: Pending, error: unknown): Poison => ({
  seq,
  index,
  body: JSON.stringify(snapshot),
  error: error instanceof Error ? error.message : String(error),
  reason: reasonOf(error),
});
