import { decideRelease, decideRevocation } from '../claims/closing/rules.ts';
import { decideFulfilment } from '../claims/fulfilment/rules.ts';
import { decideClaim } from '../claims/rules.ts';
import {
  decideApproval,
  decideCancellation,
  decideRegistration,
  decideRejection,
} from '../registrations/rules.ts';
import { applyChanges } from './apply.ts';
import type { AdmissionRequest, Answer } from './requests.ts';
import { type AdmissionState, type Change, decideExpiries, decidePromotions } from './rules.ts';

/**
 * Decides requests one after the other, each on what those before it have left: `state` is carried along.
 *
 * Claims that have run out are closed first, and before the first request and after each those who wait
 * move up, so that no decision sees a seat that is somebody's. Nothing here reads, writes or waits.
 */
export function decideAll(
  state: AdmissionState,
  requests: readonly AdmissionRequest[],
): { answers: Answer[]; changes: Change[] } {
  const changes: Change[] = [];
  const take = (more: Change[]) => {
    applyChanges(state, more);
    changes.push(...more);
  };
  take(decideExpiries(state));
  take(decidePromotions(state));
  const answers = requests.map((asked) => {
    const answer = decide(state, asked);
    if ('changes' in answer) {
      take(answer.changes);
      take(decidePromotions(state));
    }
    return answer;
  });
  return { answers, changes };
}

/** Decides one request; `settle` asks for nothing but what every batch does anyway. */
function decide(state: AdmissionState, asked: AdmissionRequest): Answer {
  switch (asked.kind) {
    case 'register':
      return decideRegistration(state, asked.request);
    case 'approve':
      return decideApproval(state, asked.registrationId);
    case 'reject':
      return decideRejection(state, asked.registrationId, asked.reason);
    case 'cancel':
      return decideCancellation(state, asked.registrationId);
    case 'claim':
      return decideClaim(state, asked.request);
    case 'fulfil':
      return decideFulfilment(state, asked.request);
    case 'release':
      return decideRelease(state, asked.claimId, asked.onlyIfOver);
    case 'revoke':
      return decideRevocation(state, asked.orderId);
    case 'settle':
      return { outcome: 'settled' };
  }
}
