import type { Actor } from '@event-api/contracts/actor';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { AuditedRequest } from '@event-api/platform/audit/audited-request';
import { notFound } from '@event-api/platform/core/errors';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database } from '@event-api/platform/db/database';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { RegistrationRow } from '../registrations/registrations.queries.ts';
import { canPromoteMore } from '../seats/promotion/promotion.rules.ts';
import { confirmWaitlists } from './confirm-waitlists.ts';
import { decideBatch } from './decide-batch.ts';
import { lockAndReadState } from './read-state.ts';
import { reportChanges } from './report-changes.ts';
import { type AdmissionRequest, type AdmissionResult, recordsReferencedBy } from './requests.ts';
import { writeBatch } from './write-batch.ts';

/** A request with who sent it. */
export interface SubmittedRequest {
  request: AdmissionRequest;
  actor: Actor;
  /** Its entry of the audit log, or null. */
  audited: AuditedRequest | null;
}

export interface BatchResult {
  results: AdmissionResult[];
  /** The registrations that the batch created or changed, by id. */
  rows: Map<string, RegistrationRow>;
  /** More registrations can be promoted than one batch promotes. */
  hasMorePromotions: boolean;
  /** The ledger counts waitlisted registrations that do not exist. */
  hasDrifted: boolean;
}

export interface BatchDeps {
  db: Database;
  refresher: ProjectionRefresher;
}

/**
 * Decides requests of one event in their order, in one transaction under the event's lock.
 *
 * Errors: 404 for an unknown event. Locks: only the event's row of `event_lock`. Emits: the changed
 * seat ledgers and registrations. Reports: one change of each registration per request that changes
 * it, on behalf of the actor of the request.
 * Source: docs/algorithms/admission.md.
 */
export async function runBatch(
  { db, refresher }: BatchDeps,
  scope: EventScope,
  submitted: readonly SubmittedRequest[],
): Promise<BatchResult> {
  const requests = submitted.map(({ request }) => request);
  const refs = recordsReferencedBy(requests);
  const mayPromote = await confirmWaitlists({ db, refresher }, scope);
  return db.transaction(async (tx) => {
    const read = await lockAndReadState(tx, scope, refs, mayPromote);
    if (!read) throw notFound('event');
    const { state, loaded } = read;
    reachStep('admission.read');
    const { results, changes, reported } = decideBatch(state, requests);
    const rows = await writeBatch(tx, scope, state, changes, loaded);
    reportChanges(tx, scope, { reported, rows, submitted });
    reachStep('admission.written');
    const hasMore = canPromoteMore(state);
    // After a batch without a promotion, another one would find no registration to promote either.
    const hasPromotion = changes.some(
      (change) =>
        change.kind === 'set_status' || (change.kind === 'reserve' && change.reservation.offer),
    );
    return {
      results,
      rows,
      hasMorePromotions: hasMore && hasPromotion,
      hasDrifted: hasMore && !hasPromotion,
    };
  });
}
