import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Database, Tx } from '@event-api/platform/db/database';
import { notFound } from '@event-api/platform/errors';
import type { Faults } from '@event-api/platform/faults';
import type { RegistrationRow } from '../registrations/queries.ts';
import { decideAll } from './decide.ts';
import { lockEvent } from './lock-event.ts';
import { readState } from './read-state.ts';
import { type AdmissionRequest, type Answer, mentionedBy } from './requests.ts';
import { isUnsettled } from './rules.ts';
import { writeChanges } from './write-changes.ts';

export interface BatchResult {
  answers: Answer[];
  /** What has changed, as it is now. */
  rows: Map<string, RegistrationRow>;
  /** More people can move up than one batch moves. */
  moreToSettle: boolean;
  /** The ledger says that people can move up, and yet nobody was found to be moved: it has drifted. */
  isStuck: boolean;
}

/**
 * Decides requests of one event, in their order, in one transaction under the event's lock.
 *
 * Errors: 404 for an unknown event. Locks: the event's row of `admission`, nothing else. Emits: the
 * seats of its ticket types.
 * Source: docs/algorithms/admission.md.
 */
export async function runBatch(
  { db, faults }: { db: Database; faults: Faults },
  scope: EventScope,
  requests: readonly AdmissionRequest[],
): Promise<BatchResult> {
  return db.transaction(async (tx) => {
    const locked = await lock(tx, scope, faults);
    const mentioned = mentionedBy(requests);
    const { state, asRead } = await readState(tx, scope, locked, mentioned);
    await faults.reach('admission.read');
    const { answers, changes } = decideAll(state, requests);
    const rows = await writeChanges(tx, scope, state, changes, asRead);
    await faults.reach('admission.written');
    const isLeft = isUnsettled(state);
    // Whoever has moved somebody may go on; a repeat of one that found nobody would find nobody again.
    const hasMoved = changes.some(({ kind }) => kind === 'move');
    return { answers, rows, moreToSettle: isLeft && hasMoved, isStuck: isLeft && !hasMoved };
  });
}

async function lock(tx: Tx, scope: EventScope, faults: Faults) {
  const locked = await lockEvent(tx, scope, faults.guardIsOff('admission.lock'));
  if (!locked) throw notFound();
  return locked;
}
