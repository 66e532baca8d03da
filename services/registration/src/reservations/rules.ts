import type { SaleBlock } from '@event-api/contracts/internal/reservations';
import {
  type AdmissionState,
  type Change,
  type CodeState,
  isExpired,
  isUsable,
  type Person,
  type ReservationState,
  saleBlock,
  seatsForNewcomers,
  usesLeftOf,
} from '../seats/rules.ts';
import { findExceededLimit, type LimitRefusal } from './limits/rules.ts';

/** One seat of a reservation: its attendee and ticket type. */
export interface RequestedSeat {
  person: Person;
  ticketTypeId: string;
  /** Codes do not apply to a seat of a bundle, and it takes none of their uses. */
  inBundle: boolean;
}

export interface ReserveRequest {
  reservationId: string;
  buyerEmail: string;
  seats: readonly RequestedSeat[];
  addonIds: readonly string[];
  codeKey: string | null;
  isFree: boolean;
  reservationMs: number;
}

export type ReserveDecision =
  | {
      outcome: 'reserved';
      reservation: ReservationState;
      code: CodeState | null;
      /** The active registration of the buyer in the event. */
      buyerRegistrationId: string | null;
      changes: Change[];
    }
  | { outcome: 'already_registered'; registrationId: string }
  | { outcome: 'attendee_registered'; seat: number }
  | ReserveRefusal;

/** `seat` is the index of the first seat that the reason concerns. */
export type ReserveRefusal =
  | LimitRefusal
  | ({ outcome: 'refused' } & (
      | { reason: 'NOT_FOUND'; seat: number }
      | { reason: 'EVENT_ARCHIVED' }
      | { reason: 'NOT_ON_SALE'; seat: number; block: SaleBlock }
      | { reason: 'NOT_REGISTERED' }
      | { reason: 'CODE_INVALID' }
      | { reason: 'CODE_FITS_NOTHING' }
      | { reason: 'CODE_USES_EXCEEDED'; usesLeft: number; usesRequested: number }
      | { reason: 'SOLD_OUT'; seat: number; seatsLeft: number; seatsRequested: number }
      | { reason: 'CLOSED' }
    ));

/**
 * Decides whether all seats of an order can be reserved; otherwise none is. An existing reservation
 * is returned as it is. One that was closed before it arrived stays closed.
 * Source: docs/rules.md, "Seat reservations".
 */
export function decideReservation(state: AdmissionState, request: ReserveRequest): ReserveDecision {
  const existing = state.reservations.get(request.reservationId);
  if (existing) return decideExistingReservation(state, existing, request);
  const { seats } = request;
  const unknown = seats.findIndex(({ ticketTypeId }) => !state.types.has(ticketTypeId));
  if (unknown >= 0) return { outcome: 'refused', reason: 'NOT_FOUND', seat: unknown };
  const registered = findRegistered(state, request);
  if (registered) return registered;
  if (state.eventStatus === 'archived') return { outcome: 'refused', reason: 'EVENT_ARCHIVED' };
  const blocked = findBlocked(state, request);
  if (blocked) return blocked;
  const decided = decideCode(state, request);
  if (decided.outcome === 'refused') return decided;
  const exceeded = findExceededLimit(state, request);
  if (exceeded) return exceeded;
  const requestedSeats = countReserved(seats, reservesSeat(state));
  const soldOut = findSoldOut(state, seats, requestedSeats);
  if (soldOut) return soldOut;
  const { code } = decided;
  const reservation: ReservationState = {
    id: request.reservationId,
    state: 'active',
    expiresAt: new Date(state.now.getTime() + request.reservationMs),
    buyerEmail: request.buyerEmail,
    seatCount: seats.length,
    seats: requestedSeats,
    redemptionCodeId: code?.id ?? null,
    codeUses: code ? countUses(code, seats) : 0,
    fulfilment: null,
  };
  return reservedDecision(state, request, {
    reservation,
    code,
    changes: [{ kind: 'reserve', reservation }],
  });
}

function decideExistingReservation(
  state: AdmissionState,
  reservation: ReservationState,
  request: ReserveRequest,
): ReserveDecision {
  if (reservation.state !== 'active' || isExpired(reservation, state.now)) {
    return { outcome: 'refused', reason: 'CLOSED' };
  }
  const code =
    [...state.codes.values()].find(({ id }) => id === reservation.redemptionCodeId) ?? null;
  return reservedDecision(state, request, { reservation, code, changes: [] });
}

const reservedDecision = (
  { active }: AdmissionState,
  { buyerEmail }: ReserveRequest,
  result: { reservation: ReservationState; code: CodeState | null; changes: Change[] },
): ReserveDecision => ({
  outcome: 'reserved',
  buyerRegistrationId: active.get(buyerEmail) ?? null,
  ...result,
});

/** Reports the buyer's own active registration before that of another attendee. */
function findRegistered(
  state: AdmissionState,
  { seats, buyerEmail, addonIds }: ReserveRequest,
): ReserveDecision | null {
  const own = state.active.get(buyerEmail);
  if (seats.length === 0) {
    return addonIds.length > 0 && !own ? { outcome: 'refused', reason: 'NOT_REGISTERED' } : null;
  }
  if (own && seats.some(({ person }) => person.normalEmail === buyerEmail)) {
    return { outcome: 'already_registered', registrationId: own };
  }
  const other = seats.findIndex(({ person }) => state.active.has(person.normalEmail));
  return other >= 0 ? { outcome: 'attendee_registered', seat: other } : null;
}

/** A type that requires approval is sold only in free orders. */
function findBlocked(
  state: AdmissionState,
  { seats, isFree }: ReserveRequest,
): ReserveRefusal | undefined {
  for (const [seat, { ticketTypeId }] of seats.entries()) {
    const type = state.types.get(ticketTypeId);
    if (!type) continue;
    const needsApproval = type.requiresApproval && !isFree;
    const block = saleBlock(type, state.now) ?? (needsApproval ? 'requires_approval' : null);
    if (block) return { outcome: 'refused', reason: 'NOT_ON_SALE', seat, block };
  }
}

function findSoldOut(
  state: AdmissionState,
  seats: readonly RequestedSeat[],
  requestedSeats: ReadonlyMap<string, number>,
): ReserveRefusal | undefined {
  for (const [typeId, seatsRequested] of requestedSeats) {
    const type = state.types.get(typeId);
    const seatsLeft = type ? seatsForNewcomers(state, type) : 0;
    if (seatsLeft >= seatsRequested) continue;
    const seat = seats.findIndex(({ ticketTypeId }) => ticketTypeId === typeId);
    return { outcome: 'refused', reason: 'SOLD_OUT', seat, seatsLeft, seatsRequested };
  }
}

/** A code that a lookup does not find is invalid, for any reason. */
function decideCode(
  state: AdmissionState,
  { codeKey, seats }: ReserveRequest,
): { outcome: 'valid'; code: CodeState | null } | ReserveRefusal {
  if (codeKey === null) return { outcome: 'valid', code: null };
  const code = state.codes.get(codeKey);
  if (!isUsable(code, state.now, 1) || isOfArchivedType(state, code)) {
    return { outcome: 'refused', reason: 'CODE_INVALID' };
  }
  const usesRequested = countUses(code, seats);
  if (usesRequested === 0) return { outcome: 'refused', reason: 'CODE_FITS_NOTHING' };
  const usesLeft = usesLeftOf(code);
  if (usesRequested <= usesLeft) return { outcome: 'valid', code };
  return { outcome: 'refused', reason: 'CODE_USES_EXCEEDED', usesLeft, usesRequested };
}

const isOfArchivedType = (state: AdmissionState, { ticketTypeId }: CodeState): boolean =>
  state.types.get(ticketTypeId)?.status === 'archived';

export const countUses = (code: CodeState, seats: readonly RequestedSeat[]): number =>
  seats.filter((seat) => codeApplies(code, seat)).length;

/** Whether a code applies to a seat. */
export const codeApplies = (code: CodeState, { ticketTypeId, inBundle }: RequestedSeat): boolean =>
  ticketTypeId === code.ticketTypeId && !inBundle;

/**
 * Whether a type reserves a seat. One that requires approval takes it only when the registration is
 * approved.
 */
export const reservesSeat =
  (state: AdmissionState) =>
  (ticketTypeId: string): boolean =>
    !state.types.get(ticketTypeId)?.requiresApproval;

/** How many of these seats are reserved, by ticket type. */
export function countReserved(
  seats: readonly RequestedSeat[],
  isReserved: (ticketTypeId: string) => boolean,
): Map<string, number> {
  const reserved = new Map<string, number>();
  for (const { ticketTypeId } of seats) {
    if (isReserved(ticketTypeId)) reserved.set(ticketTypeId, (reserved.get(ticketTypeId) ?? 0) + 1);
  }
  return reserved;
}

/** A reservation without seats, for one that is closed before it arrives. */
export const emptyReservation = (id: string, buyerEmail: string | null): ReservationState => ({
  id,
  state: 'active',
  expiresAt: null,
  buyerEmail,
  seatCount: 0,
  seats: new Map(),
  redemptionCodeId: null,
  codeUses: 0,
  fulfilment: null,
});

/** The limit that a reservation exceeded, or null. */
export function exceededLimit(decision: ReserveDecision): 'holds' | 'seats' | null {
  if (decision.outcome !== 'refused') return null;
  if (decision.reason === 'TOO_MANY_HOLDS') return 'holds';
  return decision.reason === 'TOO_MANY_SEATS' ? 'seats' : null;
}
