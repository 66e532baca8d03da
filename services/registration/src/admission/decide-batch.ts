import { decideChange } from '../registrations/changes/rules.ts';
import {
  decideApproval,
  decideCancellation,
  decideConfirmation,
  decideRegistration,
  decideRejection,
} from '../registrations/rules.ts';
import { decideRelease, decideRevocation } from '../reservations/closing/rules.ts';
import { decideFulfilment } from '../reservations/fulfilment/rules.ts';
import { decideReservation } from '../reservations/rules.ts';
import { applyChanges } from '../seats/apply-changes.ts';
import { decideExpiries, decidePromotions } from '../seats/promotion/rules.ts';
import type { AdmissionState, Change } from '../seats/rules.ts';
import type { AdmissionRequest, AdmissionResult } from './requests.ts';

/**
 * Decides requests in their order. Each decision updates `state`, which the next one uses.
 *
 * Expired reservations are closed first. Promotions are decided before the first request and after
 * each one, so that no request takes a seat of a waitlisted registration. Pure: no I/O.
 */
export function decideBatch(
  state: AdmissionState,
  requests: readonly AdmissionRequest[],
): { results: AdmissionResult[]; changes: Change[] } {
  const changes: Change[] = [];
  const take = (more: Change[]) => {
    applyChanges(state, more);
    changes.push(...more);
  };
  take(decideExpiries(state));
  take(decidePromotions(state));
  const results = requests.map((request) => {
    const result = decide(state, request);
    if ('changes' in result) {
      take(result.changes);
      take(decidePromotions(state));
    }
    return result;
  });
  return { results, changes };
}

/** Decides one request. `promote` adds nothing: every batch expires and promotes. */
function decide(state: AdmissionState, request: AdmissionRequest): AdmissionResult {
  switch (request.kind) {
    case 'register':
      return decideRegistration(state, request.input);
    case 'approve':
      return decideApproval(state, request.registrationId);
    case 'reject':
      return decideRejection(state, request.registrationId, request.reason);
    case 'cancel':
      return decideCancellation(state, request.registrationId);
    case 'confirm':
      return decideConfirmation(state, request.registrationId);
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
    case 'promote':
      return { outcome: 'promoted' };
  }
}
