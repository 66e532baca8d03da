import {
  type AdmissionState,
  type Change,
  type ClaimState,
  type CodeState,
  isActive,
  isOnSale,
  isOver,
  isUsable,
  type Person,
  seatsForNewcomers,
} from '../admission/rules.ts';

/** One seat of a claim: who is to sit on it, and of which type. */
export interface ClaimedSeat {
  person: Person;
  ticketTypeId: string;
  /** Codes give nothing on a seat of a bundle, and it takes none of their uses. */
  inBundle: boolean;
}

export interface ClaimRequest {
  claimId: string;
  buyerEmail: string;
  seats: readonly ClaimedSeat[];
  addonIds: readonly string[];
  codeKey: string | null;
  isFree: boolean;
  holdMs: number;
}

export type ClaimDecision =
  | { outcome: 'claimed'; claim: ClaimState; code: CodeState | null; changes: Change[] }
  | { outcome: 'already_registered'; registrationId: string }
  | { outcome: 'attendee_registered'; seat: number }
  | { outcome: 'refused'; reason: ClaimRefusal; seat: number | null };

export type ClaimRefusal =
  | 'NOT_FOUND'
  | 'EVENT_ARCHIVED'
  | 'NOT_ON_SALE'
  | 'CODE_INVALID'
  | 'CODE_FITS_NOTHING'
  | 'SOLD_OUT'
  | 'NOT_REGISTERED'
  | 'CLOSED';

/**
 * Whether all the seats of an order can be set aside, which is all or nothing. A claim that is known
 * answers as it did; one that was closed before it arrived stays closed.
 * Source: docs/rules.md, "Claims".
 */
export function decideClaim(state: AdmissionState, request: ClaimRequest): ClaimDecision {
  const known = state.claims.get(request.claimId);
  if (known) return repeated(state, known);
  const { seats } = request;
  const unknown = seats.findIndex(({ ticketTypeId }) => !state.types.has(ticketTypeId));
  if (unknown >= 0) return refused('NOT_FOUND', unknown);
  const registered = findRegistered(state, request);
  if (registered) return registered;
  if (state.eventStatus === 'archived') return refused('EVENT_ARCHIVED');
  const closed = seats.findIndex(
    ({ ticketTypeId }) => !isForSale(state, ticketTypeId, request.isFree),
  );
  if (closed >= 0) return refused('NOT_ON_SALE', closed);
  const code = judgeCode(state, request);
  if (code === 'CODE_INVALID' || code === 'CODE_FITS_NOTHING') return refused(code);
  const wanted = countHeld(seats, seatIsHeld(state));
  for (const [typeId, quantity] of wanted) {
    const type = state.types.get(typeId);
    if (type && seatsForNewcomers(state, type) < quantity) {
      return refused(
        'SOLD_OUT',
        seats.findIndex(({ ticketTypeId }) => ticketTypeId === typeId),
      );
    }
  }
  const claim: ClaimState = {
    id: request.claimId,
    state: 'held',
    expiresAt: new Date(state.now.getTime() + request.holdMs),
    seats: wanted,
    redemptionCodeId: code?.id ?? null,
    codeUses: code ? usesOf(code, seats) : 0,
    fulfilment: null,
  };
  return { outcome: 'claimed', claim, code, changes: [{ kind: 'hold', claim }] };
}

function repeated(state: AdmissionState, claim: ClaimState): ClaimDecision {
  if (claim.state !== 'held' || isOver(claim, state.now)) return refused('CLOSED');
  const code = [...state.codes.values()].find(({ id }) => id === claim.redemptionCodeId) ?? null;
  return { outcome: 'claimed', claim, code, changes: [] };
}

const refused = (reason: ClaimRefusal, seat: number | null = null): ClaimDecision => ({
  outcome: 'refused',
  reason,
  seat,
});

/** The buyer's own registration is an answer; another attendee's is a refusal. */
function findRegistered(
  state: AdmissionState,
  { seats, buyerEmail, addonIds }: ClaimRequest,
): ClaimDecision | null {
  const own = state.active.get(buyerEmail);
  if (seats.length === 0) return addonIds.length > 0 && !own ? refused('NOT_REGISTERED') : null;
  if (own && seats.some(({ person }) => person.normalEmail === buyerEmail)) {
    return { outcome: 'already_registered', registrationId: own };
  }
  const other = seats.findIndex(({ person }) => state.active.has(person.normalEmail));
  return other >= 0 ? { outcome: 'attendee_registered', seat: other } : null;
}

function isForSale(state: AdmissionState, typeId: string, isFree: boolean): boolean {
  const type = state.types.get(typeId);
  return type !== undefined && isOnSale(type, state.now) && (isFree || !type.requiresApproval);
}

function judgeCode(
  state: AdmissionState,
  { codeKey, seats }: ClaimRequest,
): CodeState | null | 'CODE_INVALID' | 'CODE_FITS_NOTHING' {
  if (codeKey === null) return null;
  const code = state.codes.get(codeKey);
  if (!isUsable(code, state.now, 1)) return 'CODE_INVALID';
  const uses = usesOf(code, seats);
  if (uses === 0) return 'CODE_FITS_NOTHING';
  return isUsable(code, state.now, uses) ? code : 'CODE_INVALID';
}

export const usesOf = (code: CodeState, seats: readonly ClaimedSeat[]): number =>
  seats.filter((seat) => isOfCode(code, seat)).length;

/** Whether a code is what a seat is sold by. */
export const isOfCode = (code: CodeState, { ticketTypeId, inBundle }: ClaimedSeat): boolean =>
  ticketTypeId === code.ticketTypeId && !inBundle;

/** A type that asks for approval holds no seat: it gives one only when it approves. */
export const seatIsHeld =
  (state: AdmissionState) =>
  (ticketTypeId: string): boolean =>
    !state.types.get(ticketTypeId)?.requiresApproval;

/** How many of these seats are held, by ticket type. */
export function countHeld(
  seats: readonly ClaimedSeat[],
  isHeld: (ticketTypeId: string) => boolean,
): Map<string, number> {
  const held = new Map<string, number>();
  for (const { ticketTypeId } of seats) {
    if (isHeld(ticketTypeId)) held.set(ticketTypeId, (held.get(ticketTypeId) ?? 0) + 1);
  }
  return held;
}

/** A claim of nothing, for one that is closed before it has arrived. */
export const emptyClaim = (id: string): ClaimState => ({
  id,
  state: 'held',
  expiresAt: null,
  seats: new Map(),
  redemptionCodeId: null,
  codeUses: 0,
  fulfilment: null,
});

export type ReleaseDecision = {
  outcome: 'held' | 'released' | 'expired' | 'fulfilled';
  changes: Change[];
};

/**
 * Gives a claim back, for good: it can never be taken again. One that is unknown is written as
 * released, so that it finds itself closed if it arrives late. With `onlyIfOver` a claim that runs stays,
 * and one that has run out can still be taken again by a fulfilment.
 */
export function decideRelease(
  state: AdmissionState,
  claimId: string,
  onlyIfOver: boolean,
): ReleaseDecision {
  const claim = state.claims.get(claimId);
  if (!claim) {
    const released: ClaimState = { ...emptyClaim(claimId), state: 'released' };
    return { outcome: 'released', changes: [{ kind: 'hold', claim: released }] };
  }
  if (claim.state === 'fulfilled' || claim.state === 'released') {
    return { outcome: claim.state, changes: [] };
  }
  if (!onlyIfOver) return { outcome: 'released', changes: [closed(claimId, 'released')] };
  if (claim.state === 'expired') return { outcome: 'expired', changes: [] };
  if (!isOver(claim, state.now)) return { outcome: 'held', changes: [] };
  return { outcome: 'expired', changes: [closed(claimId, 'expired')] };
}

const closed = (id: string, to: 'released' | 'expired'): Change => ({
  kind: 'close_claim',
  id,
  to,
  fulfilment: null,
});

/** Takes back what an order has made: its active registrations, and its add-ons from whoever has them. */
export function decideRevocation(state: AdmissionState, orderId: string): { changes: Change[] } {
  const changes: Change[] = [...state.registrations.values()]
    .filter((registration) => registration.orderId === orderId && isActive(registration.status))
    .map(({ id }) => ({ kind: 'move', id, to: 'cancelled', reason: null }));
  const registrationId = state.claims.get(orderId)?.fulfilment?.addonRegistrationId;
  if (registrationId) changes.push({ kind: 'remove_addons', registrationId, orderId });
  return { changes };
}
