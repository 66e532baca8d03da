import {
  type AdmissionState,
  type Change,
  type Fulfilment,
  isOver,
  seatsForNewcomers,
} from '../../admission/rules.ts';
import {
  type ClaimRequest,
  countHeld,
  emptyClaim,
  isOfCode,
  seatIsHeld,
  usesOf,
} from '../rules.ts';

export type FulfilDecision =
  | { outcome: 'fulfilled'; fulfilment: Fulfilment; changes: Change[] }
  | { outcome: 'gone' }
  | { outcome: 'released' };

/**
 * Turns a claim into registrations. Sale rules are not judged again. A person who has registered
 * meanwhile keeps that registration, and the seat is given back. With `retake`, a claim that has run
 * out is taken again in the same decision, if its seats and uses can still be had. Add-ons alone are gone when
 * nobody is there any more whom they could join.
 */
export function decideFulfilment(
  state: AdmissionState,
  request: ClaimRequest & { retake: boolean },
): FulfilDecision {
  const claim = state.claims.get(request.claimId);
  if (claim?.state === 'fulfilled' && claim.fulfilment) {
    return { outcome: 'fulfilled', fulfilment: claim.fulfilment, changes: [] };
  }
  if (claim?.state === 'released') return { outcome: 'released' };
  const isLive = claim?.state === 'held' && !isOver(claim, state.now);
  // What the claim held when it was made: whether its types ask for approval may have changed since.
  const isHeld = claim ? (id: string) => claim.seats.has(id) : seatIsHeld(state);
  if (!isLive && !(request.retake && canRetake(state, request, isHeld))) return { outcome: 'gone' };
  if (isForNobody(state, request)) return { outcome: 'gone' };
  const { changes, fulfilment } = admitAll(state, request, isHeld);
  const opened: Change[] = claim
    ? []
    : [{ kind: 'hold', claim: emptyClaim(request.claimId, request.buyerEmail) }];
  return {
    outcome: 'fulfilled',
    fulfilment,
    changes: [
      ...opened,
      { kind: 'close_claim', id: request.claimId, to: 'fulfilled', fulfilment },
      ...changes,
    ],
  };
}

const isForNobody = (
  state: AdmissionState,
  { seats, addonIds, buyerEmail }: ClaimRequest,
): boolean => seats.length === 0 && addonIds.length > 0 && !state.active.has(buyerEmail);

/** Whether the seats and uses of those who are not registered by now can be had anew. */
function canRetake(
  state: AdmissionState,
  { seats, codeKey }: ClaimRequest,
  isHeld: (ticketTypeId: string) => boolean,
): boolean {
  const needed = seats.filter(({ person }) => !state.active.has(person.normalEmail));
  for (const [typeId, quantity] of countHeld(needed, isHeld)) {
    const type = state.types.get(typeId);
    if (!type || seatsForNewcomers(state, type) < quantity) return false;
  }
  if (codeKey === null) return true;
  const code = state.codes.get(codeKey);
  if (!code) return false;
  return code.maxUses === null || code.uses + usesOf(code, needed) <= code.maxUses;
}

function admitAll(
  state: AdmissionState,
  request: ClaimRequest,
  isHeld: (ticketTypeId: string) => boolean,
): { changes: Change[]; fulfilment: Fulfilment } {
  const { claimId, codeKey, addonIds } = request;
  const code = codeKey === null ? undefined : state.codes.get(codeKey);
  const changes: Change[] = [];
  const seats = request.seats.map((seat) => {
    const { person, ticketTypeId } = seat;
    const known = state.active.get(person.normalEmail);
    if (known) return { registrationId: known, made: false };
    changes.push({
      kind: 'register',
      person,
      status: isHeld(ticketTypeId) ? 'confirmed' : 'pending',
      ticketTypeId,
      redemptionCodeId: code && isOfCode(code, seat) ? code.id : null,
      orderId: claimId,
    });
    return { registrationId: person.registrationId, made: true };
  });
  const addonRegistrationId = addonReceiver(state, request, seats);
  if (addonRegistrationId) {
    changes.push({
      kind: 'add_addons',
      registrationId: addonRegistrationId,
      orderId: claimId,
      addonIds,
    });
  }
  return { changes, fulfilment: { seats, addonRegistrationId } };
}

/** Whose add-ons they are: the buyer's where there is one, else the first seat's. */
function addonReceiver(
  state: AdmissionState,
  { seats, buyerEmail, addonIds }: ClaimRequest,
  fulfilled: Fulfilment['seats'],
): string | null {
  if (addonIds.length === 0) return null;
  const ownSeat = seats.findIndex(({ person }) => person.normalEmail === buyerEmail);
  const own = fulfilled[ownSeat]?.registrationId ?? state.active.get(buyerEmail);
  return own ?? fulfilled[0]?.registrationId ?? null;
}
