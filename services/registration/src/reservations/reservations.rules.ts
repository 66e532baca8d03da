import { seatsOfGroup } from '@event-api/rules/remaining-seats';
import {
  type AdmissionState,
  type Change,
  type CodeState,
  isExpired,
  isUsable,
  type ReservationState,
  seatsForNewcomers,
  usesLeftOf,
} from '../seats/seats.rules.ts';
import {
  countUnits,
  findBlockedUnits,
  findSoldOutUnits,
  type RequestedUnits,
  type UnitRefusal,
  unitsOf,
} from './addon-units.rules.ts';
import { findUnregistered, type RequestedAddon } from './addons.rules.ts';
import { countLimitedSeats, findExceededLimit, type LimitRefusal } from './limits.rules.ts';
import { findOrderLimit, type OrderLimitRefusal } from './order-limits.rules.ts';
import {
  findBlocked,
  findRegistered,
  type RegisteredRefusal,
  type SaleRefusal,
} from './refusals.rules.ts';
import { type AssignedSeat, assignSeats, type RequestedSeat } from './seat-sources.rules.ts';

/** What an order wants of registration, the same in each of its steps. */
export interface OrderRequest {
  reservationId: string;
  buyerEmail: string;
  seats: readonly RequestedSeat[];
  addonIds: readonly string[];
  /** Who receives each add-on; undefined if the buyer receives all of them. */
  addons?: readonly RequestedAddon[] | undefined;
  /** How many units of each add-on; undefined for one of each. */
  addonUnits?: readonly RequestedUnits[] | undefined;
  codeKey: string | null;
}

export interface ReserveRequest extends OrderRequest {
  /** Whether the order may contain seats that require approval. */
  acceptsApproval: boolean;
  reservationMs: number;
}

export type ReserveDecision =
  | {
      outcome: 'reserved';
      reservation: ReservationState;
      code: CodeState | null;
      /** The active registration of the buyer in the event. */
      buyerRegistrationId: string | null;
      /** The first seat that requires approval and so is not reserved. */
      approvalSeat: number | null;
      changes: Change[];
    }
  | RegisteredRefusal
  | ReserveRefusal;

/** `seat` is the index of the first seat that the reason concerns. */
export type ReserveRefusal =
  | LimitRefusal
  | SaleRefusal
  | UnitRefusal
  | OrderLimitRefusal
  | ({ outcome: 'refused' } & (
      | { reason: 'NOT_FOUND'; seat: number }
      | { reason: 'EVENT_ARCHIVED' }
      | { reason: 'CODE_INVALID' }
      | { reason: 'CODE_FITS_NOTHING' }
      | { reason: 'CODE_USES_EXCEEDED'; usesLeft: number; usesRequested: number }
      | { reason: 'SOLD_OUT'; seat: number; seatsLeft: number; seatsRequested: number }
      | { reason: 'CLOSED' }
    ));

/**
 * Decides whether all seats and units of an order can be reserved; otherwise none is. An existing
 * reservation is returned as it is. One that was closed before it arrived stays closed.
 */
export function decideReservation(state: AdmissionState, request: ReserveRequest): ReserveDecision {
  const existing = state.reservations.get(request.reservationId);
  if (existing) return decideExistingReservation(state, existing, request);
  const { seats } = request;
  const unknown = seats.findIndex(({ ticketTypeId }) => !state.types.has(ticketTypeId));
  if (unknown >= 0) return { outcome: 'refused', reason: 'NOT_FOUND', seat: unknown };
  const assigned = assignSeats(state, seats);
  const registered = findRegistered(state, request, assigned);
  if (registered) return registered;
  const seatEmails = seats.map(({ person }) => person?.normalEmail ?? null);
  const unregistered = findUnregistered(state.active, { ...request, seatEmails });
  if (unregistered) return { outcome: 'refused', reason: 'NOT_REGISTERED', ...unregistered };
  if (state.eventStatus === 'archived') return { outcome: 'refused', reason: 'EVENT_ARCHIVED' };
  const blocked = findBlocked(state, request, assigned);
  if (blocked) return blocked;
  const units = unitsOf(request);
  const blockedUnits = findBlockedUnits(state, units);
  if (blockedUnits) return blockedUnits;
  const decided = decideCode(state, request, assigned);
  if (decided.outcome === 'refused') return decided;
  const limitedSeats = countLimitedSeats(request.buyerEmail, assigned);
  const exceeded = findExceededLimit(state, request.buyerEmail, limitedSeats);
  if (exceeded) return exceeded;
  const brokenLimit = findOrderLimit(state, { seats, units }, assigned);
  if (brokenLimit) return brokenLimit;
  const newSeats = seats.filter((_, n) => assigned[n]?.source !== 'offer');
  const requestedSeats = countReserved(newSeats, reservesSeat(state));
  const soldOut = findSoldOut(state, seats, requestedSeats) ?? findSoldOutUnits(state, units);
  if (soldOut) return soldOut;
  const { code } = decided;
  const offeredSeats = seats.filter((_, n) => assigned[n]?.source === 'offer');
  const reservation: ReservationState = {
    id: request.reservationId,
    state: 'active',
    expiresAt: new Date(state.now.getTime() + request.reservationMs),
    buyerEmail: request.buyerEmail,
    seatCount: limitedSeats,
    seats: new Map([
      ...countReserved(offeredSeats, () => true, requestedSeats),
      ...countUnits(units),
    ]),
    redemptionCodeId: code?.id ?? null,
    codeUses: decided.uses,
    fulfilment: null,
    offeredTo: assigned.flatMap((seat) => (seat.source === 'offer' ? seat.registration.id : [])),
    offer: null,
    openSeat: null,
  };
  return reservedDecision(state, request, {
    reservation,
    code,
    approvalSeat: indexOrNull(
      seats.findIndex(
        ({ ticketTypeId }, n) =>
          assigned[n]?.source !== 'offer' && !requestedSeats.has(ticketTypeId),
      ),
    ),
    changes: [...takeOffers(assigned, request.reservationId), { kind: 'reserve', reservation }],
  });
}

const takeOffers = (assigned: readonly AssignedSeat[], orderId: string): Change[] =>
  assigned.flatMap((seat) =>
    seat.source === 'offer' ? [{ kind: 'take_offer' as const, id: seat.offer.id, orderId }] : [],
  );

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
  const approvalSeat = indexOrNull(
    request.seats.findIndex(({ ticketTypeId }) => !reservation.seats.has(ticketTypeId)),
  );
  return reservedDecision(state, request, { reservation, code, approvalSeat, changes: [] });
}

const indexOrNull = (index: number): number | null => (index < 0 ? null : index);

const reservedDecision = (
  { active }: AdmissionState,
  { buyerEmail }: ReserveRequest,
  result: {
    reservation: ReservationState;
    code: CodeState | null;
    approvalSeat: number | null;
    changes: Change[];
  },
): ReserveDecision => ({
  outcome: 'reserved',
  buyerRegistrationId: active.get(buyerEmail) ?? null,
  ...result,
});

/** The first type or capacity group with fewer seats left than the order needs. */
export function findSoldOut(
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
  const grouped = Map.groupBy(requestedSeats, ([typeId]) => state.types.get(typeId)?.group ?? null);
  for (const [group, requested] of grouped) {
    const seatsLeft = group ? seatsOfGroup(group) : Number.POSITIVE_INFINITY;
    const seatsRequested = requested.reduce((sum, [, quantity]) => sum + quantity, 0);
    if (seatsLeft >= seatsRequested) continue;
    const typeIds = requested.map(([typeId]) => typeId);
    const seat = seats.findIndex(({ ticketTypeId }) => typeIds.includes(ticketTypeId));
    return { outcome: 'refused', reason: 'SOLD_OUT', seat, seatsLeft, seatsRequested };
  }
}

/**
 * Decides about the code of an order, or about the code with which a registration got its offer.
 * A code that a lookup does not find is invalid, for any reason. Only uses that are new are judged:
 * a use that a registration was given stays valid when the code expires, is used up or disabled.
 */
function decideCode(
  state: AdmissionState,
  { codeKey, seats }: ReserveRequest,
  assigned: readonly AssignedSeat[],
): { outcome: 'valid'; code: CodeState | null; uses: number } | ReserveRefusal {
  if (codeKey === null) return codeOfOffers(state, seats, assigned);
  const code = state.codes.get(codeKey);
  if (!code || isOfArchivedType(state, code)) return { outcome: 'refused', reason: 'CODE_INVALID' };
  const ownUses = countOwnUses(code, assigned);
  const usesOfSeats = countUses(code, seats);
  const usesRequested = usesOfSeats - ownUses;
  if (ownUses > 0 && usesRequested === 0) return { outcome: 'valid', code, uses: 0 };
  if (!isUsable(code, state.now, ownUses > 0 ? 0 : 1)) {
    return { outcome: 'refused', reason: 'CODE_INVALID' };
  }
  if (usesOfSeats === 0) return { outcome: 'refused', reason: 'CODE_FITS_NOTHING' };
  const usesLeft = usesLeftOf(code);
  if (usesRequested <= usesLeft) return { outcome: 'valid', code, uses: usesRequested };
  return { outcome: 'refused', reason: 'CODE_USES_EXCEEDED', usesLeft, usesRequested };
}

/**
 * The code of an order that names none: that of the registrations whose offers it takes, if it
 * fits no other seat. The discount of a code is the same for all seats that it fits.
 */
function codeOfOffers(
  state: AdmissionState,
  seats: readonly RequestedSeat[],
  assigned: readonly AssignedSeat[],
): { outcome: 'valid'; code: CodeState | null; uses: number } {
  const code = [...state.codes.values()].find((each) => {
    const ownUses = countOwnUses(each, assigned);
    return ownUses > 0 && ownUses === countUses(each, seats) && !isOfArchivedType(state, each);
  });
  return { outcome: 'valid', code: code ?? null, uses: 0 };
}

/**
 * The uses that waitlisted registrations with an offer have already. The order needs no others for
 * them.
 */
const countOwnUses = ({ id }: CodeState, assigned: readonly AssignedSeat[]): number =>
  assigned.filter((seat) => seat.source === 'offer' && seat.registration.redemptionCodeId === id)
    .length;

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

/** How many of these seats are reserved, by ticket type, in addition to others. */
export function countReserved(
  seats: readonly RequestedSeat[],
  isReserved: (ticketTypeId: string) => boolean,
  others: ReadonlyMap<string, number> = new Map(),
): Map<string, number> {
  const reserved = new Map(others);
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
  offeredTo: [],
  offer: null,
  openSeat: null,
});

/** The limit that a reservation exceeded, or null. */
export function exceededLimit(decision: ReserveDecision): 'holds' | 'seats' | null {
  if (decision.outcome !== 'refused') return null;
  if (decision.reason === 'TOO_MANY_HOLDS') return 'holds';
  return decision.reason === 'TOO_MANY_SEATS' ? 'seats' : null;
}
