import {
  netChanges,
  type RegistrationChange,
  type Touched,
  touch,
} from '../changes/registration-changes.ts';
import { decideChange } from '../registrations/changes.rules.ts';
import {
  decideApproval,
  decideCancellation,
  decideConfirmation,
  decideRegistration,
  decideRejection,
} from '../registrations/registrations.rules.ts';
import { decideAssignment } from '../reservations/assignment.rules.ts';
import { decideRelease, decideReturn, decideRevocation } from '../reservations/closing.rules.ts';
import { decideFulfilment } from '../reservations/fulfilment.rules.ts';
import { decideReservation } from '../reservations/reservations.rules.ts';
import { decideTypeChange } from '../reservations/type-changes.rules.ts';
import { decideTypeHold } from '../reservations/type-holds.rules.ts';
import { applyChanges } from '../seats/apply-changes.ts';
import { decideExpiries, decidePromotions } from '../seats/promotion/promotion.rules.ts';
import type { AdmissionState, Change } from '../seats/seats.rules.ts';
import type { AdmissionRequest, AdmissionResult } from './requests.ts';

/**
 * The net changes of registrations by one request; `request` is null for the waitlist before the
 * first request.
 */
export interface ReportedChange extends RegistrationChange {
  request: number | null;
}

export interface DecidedBatch {
  /** One result per request. */
  results: AdmissionResult[];
  /** What to write, in the order of the decisions. */
  changes: Change[];
  /**
   * What the change feed reports, in the order of the decisions: one change per request and
   * registration.
   */
  reported: ReportedChange[];
}

/**
 * Decides requests in their order. Each decision updates `state`, which the next one uses.
 *
 * Expired reservations are closed first. Promotions are decided before the first request and after
 * each one, so that no request takes a seat of a waitlisted registration. Pure: no I/O.
 */
export function decideBatch(
  state: AdmissionState,
  requests: readonly AdmissionRequest[],
): DecidedBatch {
  const changes: Change[] = [];
  const reported: ReportedChange[] = [];
  /**
   * Applies the parts of one command, each decided on the state after the former, and reports their
   * net effect.
   */
  const take = (request: number | null, parts: readonly (() => Change[])[]) => {
    const touched: Touched = new Map();
    for (const part of parts) {
      const more = part();
      touch(touched, state, more);
      applyChanges(state, more);
      changes.push(...more);
    }
    for (const change of netChanges(touched, state)) reported.push({ request, ...change });
  };
  const promote = () => decidePromotions(state);
  take(null, [() => decideExpiries(state), promote]);
  const results = requests.map((request, index) => {
    const result = decide(state, request);
    if ('changes' in result) take(index, [() => result.changes, promote]);
    return result;
  });
  return { results, changes, reported };
}

/** Decides one request. `promote` adds nothing: every batch expires and promotes. */
function decide(state: AdmissionState, request: AdmissionRequest): AdmissionResult {
  switch (request.kind) {
    case 'register':
      return decideRegistration(state, request.input);
    case 'approve':
      return decideApproval(state, request);
    case 'reject':
      return decideRejection(state, request);
    case 'cancel':
      return decideCancellation(state, request);
    case 'confirm':
      return decideConfirmation(state, request);
    case 'change':
      return decideChange(state, request.input);
    case 'reserve':
      return decideReservation(state, request.input);
    case 'fulfil':
      return decideFulfilment(state, request.input);
    case 'release':
      return decideRelease(state, request.reservationId, request.onlyIfExpired);
    case 'revoke':
      return decideRevocation(state, request.orderId, request.registrationIds);
    case 'return_units':
      return decideReturn(request.orderId, request.units);
    case 'assign':
      return decideAssignment(state, request.input);
    case 'change_types':
      return decideTypeChange(state, request.input);
    case 'hold_types':
      return decideTypeHold(state, request.input);
    case 'promote':
      return { outcome: 'promoted' };
  }
}
