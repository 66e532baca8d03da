import {
  decideApproval,
  decideCancellation,
  decideRegistration,
  decideRejection,
} from '../registrations/rules.ts';
import { decideRelease, decideRevocation } from '../reservations/closing/rules.ts';
import { decideFulfilment } from '../reservations/fulfilment/rules.ts';
import { decideReservation } from '../reservations/rules.ts';
import { applyChanges } from '../seats/apply-changes.ts';
import {
  type AdmissionState,
  type Change,
  decideExpiries,
  decidePromotions,
} from '../seats/rules.ts';
import type { AdmissionRequest, AdmissionResult } from './requests.ts';

/**
 * Decides requests one after the other, each on what those before it have left: `state` is carried along.
 *
 * Claims that have run out are closed first, and before the first request and after each those who wait
 * move up, so that no decision sees a seat that is somebody's. Nothing here reads, writes or waits.
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

/** Decides one request; `settle` asks for nothing but what every batch does anyway. */
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
    case 'claim':
      return decideReservation(state, request.input);
    case 'fulfil':
      return decideFulfilment(state, request.input);
    case 'release':
      return decideRelease(state, request.reservationId, request.onlyIfExpired);
    case 'revoke':
      return decideRevocation(state, request.orderId);
    case 'settle':
      return { outcome: 'settled' };
  }
}
