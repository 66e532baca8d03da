import type { TypeRefusal } from '@event-api/contracts/internal/reservations';
import { seatsOfGroup } from '@event-api/rules/remaining-seats';
import { closeReservation } from '../seats/promotion/promotion.rules.ts';
import {
  type AdmissionState,
  type Change,
  isActive,
  type RegistrationState,
  saleBlock,
  seatsForNewcomers,
  type TypeState,
} from '../seats/seats.rules.ts';
import { presentHolder } from './closing.rules.ts';
import { type ChangedCount, findChangedLimit } from './order-limits.rules.ts';

/** A seat of an order and the ticket type that it gets. */
export interface RequestedType {
  /** The registration of the seat, or the seat itself if it is open. */
  holderId: string;
  ticketTypeId: string;
  /** What is paid for the seat from now on. */
  amount: number;
}

export interface TypeChangeRequest {
  orderId: string;
  /** Identifies the change: it is decided once. */
  changeId: string;
  seats: readonly RequestedType[];
  /** Seats of the order by the ticket types that the change concerns. */
  counts: readonly ChangedCount[];
  /** Whether a refusal is stored. One that a newer projection may overrule is not. */
  isFinal: boolean;
  /**
   * Whether the change has happened before a restore. Seats that have ended are left out, and sale
   * rules are not checked again.
   */
  again: boolean;
}

export type TypeChangeDecision =
  /** The changes are none if an earlier request was decided so. */
  | { outcome: 'changed'; changes: Change[] }
  | (TypeRefusal & { changes: Change[] })
  /** Registration does not have the order. */
  | { outcome: 'unknown' };

/** A seat as registration has it. */
type Holder =
  | { kind: 'open'; id: string; ticketTypeId: string; hasSeat: boolean }
  | { kind: 'registration'; registration: RegistrationState; ticketTypeId: string | null };

export interface Move extends RequestedType {
  holder: Holder;
}

/**
 * Decides whether seats of a fulfilled order get other ticket types: all of them or none, once. Each
 * type is on sale, requires no approval and has a seat for a newcomer, behind its waitlist, and the
 * order keeps its limits per order, as far as it kept them before. A seat
 * that the change gives up counts for its capacity group, and not for another seat of the change. An
 * application, or a registration that waits without an offer, takes a seat and is confirmed. The
 * registrations and open seats keep their ids, add-ons and code. A change that has happened before a
 * restore needs only the seats. One whose seats are held takes them, and the rules of a sale are not
 * checked again.
 */
export function decideTypeChange(
  state: AdmissionState,
  request: TypeChangeRequest,
): TypeChangeDecision {
  const { orderId, changeId } = request;
  const reservation = state.reservations.get(orderId);
  // It stays released: the order gets no seats any more.
  if (reservation?.state === 'released') return { ...seatCancelled(0), changes: [] };
  const fulfilment = reservation?.fulfilment;
  if (!fulfilment) return { outcome: 'unknown' };
  const decided = fulfilment.typeChanges?.[changeId];
  if (decided === 'changed') return { outcome: 'changed', changes: [] };
  if (decided) return { outcome: 'refused', reason: 'CLOSED', changes: [] };
  const moves = movesOf(state, request);
  const hold = state.reservations.get(changeId);
  const held = hold?.state === 'active' ? hold.seats : null;
  const refusal = request.again
    ? findLost(state, moves)
    : held
      ? findHeldRefusal(state, moves, held)
      : findRefusal(state, moves, request.counts);
  const released = held ? closeReservation(state, changeId, 'released') : [];
  const record = (
    outcome: 'changed' | 'refused',
    amounts: ReadonlyMap<string, number>,
  ): Change => ({
    ...{ kind: 'record_type_change', orderId, changeId, outcome, amounts },
  });
  if (refusal) {
    const refused = [...released, record('refused', new Map())];
    return { ...refusal, changes: request.isFinal ? refused : [] };
  }
  const present = moves.filter(isPresent);
  const amounts = new Map(present.map(({ holder, amount }) => [idOf(holder), amount]));
  return {
    outcome: 'changed',
    changes: [
      ...released,
      ...present.flatMap((move) => changesOf(move)),
      record('changed', amounts),
    ],
  };
}

export const movesOf = (
  state: AdmissionState,
  { orderId, seats }: Pick<TypeChangeRequest, 'orderId' | 'seats'>,
): Requested[] => seats.map((seat) => ({ ...seat, holder: holderOf(state, orderId, seat) }));

export const seatCancelled = (seat: number) =>
  ({ outcome: 'refused', reason: 'SEAT_CANCELLED', seat }) as const;

export type Requested = RequestedType & { holder: Holder | null };

export const isPresent = (move: Requested): move is Move => move.holder !== null;

const idOf = (holder: Holder): string =>
  holder.kind === 'open' ? holder.id : holder.registration.id;

/** The open seat or the active registration; null if it has ended or is of another order. */
function holderOf(
  state: AdmissionState,
  orderId: string,
  { holderId }: RequestedType,
): Holder | null {
  const seat = state.reservations.get(holderId);
  if (seat?.state === 'active' && seat.openSeat?.orderId === orderId) {
    const { ticketTypeId } = seat.openSeat;
    return { kind: 'open', id: seat.id, ticketTypeId, hasSeat: seat.seats.has(ticketTypeId) };
  }
  const registration = state.registrations.get(presentHolder(state, orderId, holderId));
  if (registration?.orderId !== orderId || !isActive(registration.status)) return null;
  return { kind: 'registration', registration, ticketTypeId: registration.ticketTypeId };
}

/** Why seats do not get the types again that they had: only for want of a seat. */
function findLost(state: AdmissionState, moves: readonly Requested[]): TypeRefusal | null {
  const unknown = moves.findIndex(({ ticketTypeId }) => !state.types.has(ticketTypeId));
  if (unknown >= 0) {
    return { outcome: 'refused', reason: 'NOT_ON_SALE', seat: unknown, block: 'archived' };
  }
  const seat = findSoldOut(state, moves.filter(isPresent));
  return seat === null ? null : { outcome: 'refused', reason: 'SOLD_OUT', seat };
}

/** Why seats that are held are not taken: one has ended, or the event is cancelled. */
function findHeldRefusal(
  state: AdmissionState,
  moves: readonly Requested[],
  held: ReadonlyMap<string, number>,
): TypeRefusal | null {
  if (state.isCancelled) return { outcome: 'refused', reason: 'EVENT_ARCHIVED' };
  const cancelled = moves.findIndex((move) => !isPresent(move));
  if (cancelled >= 0) return seatCancelled(cancelled);
  const seat = findSoldOut(state, moves.filter(isPresent), { held });
  return seat === null ? null : { outcome: 'refused', reason: 'SOLD_OUT', seat };
}

/** `keepsSeats`: the seats that the change gives up stay taken, and make no room in their groups. */
export function findRefusal(
  state: AdmissionState,
  moves: readonly Requested[],
  counts: readonly ChangedCount[],
  { keepsSeats = false }: { keepsSeats?: boolean } = {},
): TypeRefusal | null {
  if (state.eventStatus === 'archived') return { outcome: 'refused', reason: 'EVENT_ARCHIVED' };
  if (state.eventEndsAt && state.eventEndsAt <= state.now) {
    return { outcome: 'refused', reason: 'EVENT_ENDED' };
  }
  const cancelled = moves.findIndex((move) => !isPresent(move));
  if (cancelled >= 0) return seatCancelled(cancelled);
  for (const [seat, { ticketTypeId }] of moves.entries()) {
    const block = blockOf(state, ticketTypeId);
    if (block) return { outcome: 'refused', reason: 'NOT_ON_SALE', seat, block };
  }
  const broken = findChangedLimit(state.types, counts);
  if (broken) return broken;
  const seat = findSoldOut(state, moves.filter(isPresent), { keepsSeats });
  return seat === null ? null : { outcome: 'refused', reason: 'SOLD_OUT', seat };
}

function blockOf(state: AdmissionState, ticketTypeId: string) {
  const type = state.types.get(ticketTypeId);
  if (!type) return 'archived';
  return saleBlock(type, state.now) ?? (type.requiresApproval ? 'requires_approval' : null);
}

const hasSeat = (holder: Holder): boolean =>
  holder.kind === 'open' ? holder.hasSeat : holder.registration.status === 'confirmed';

/** Whether a move takes a seat of its new type. */
export const needsSeat = ({ holder, ticketTypeId }: Move): boolean =>
  !hasSeat(holder) || holder.ticketTypeId !== ticketTypeId;

/**
 * The index of the first seat whose type or capacity group has no seat left for it, or null. `held`
 * seats are the change's own.
 */
function findSoldOut(
  state: AdmissionState,
  moves: readonly Move[],
  {
    held = new Map(),
    keepsSeats = false,
  }: { held?: ReadonlyMap<string, number>; keepsSeats?: boolean } = {},
): number | null {
  // The registration gets its seat by its offer, or not at all.
  const offered = moves.findIndex(
    ({ holder }) => holder.kind === 'registration' && holder.registration.offerId !== null,
  );
  if (offered >= 0) return offered;
  const givenUp = moves.filter((move) => !keepsSeats && needsSeat(move) && hasSeat(move.holder));
  const taken = new Map<string, number>();
  const heldOfGroup = (id: string) =>
    [...held].reduce(
      (sum, [type, count]) => (state.types.get(type)?.group?.id === id ? sum + count : sum),
      0,
    );
  for (const [index, move] of moves.entries()) {
    const type = state.types.get(move.ticketTypeId);
    if (!type || !needsSeat(move)) continue;
    const group = type.group && withoutSeats(state, type.group, givenUp);
    const ofType = countUp(taken, type.id) - (held.get(type.id) ?? 0);
    const ofGroup = group ? countUp(taken, `group ${group.id}`) - heldOfGroup(group.id) : 0;
    if (ofType > 0 && seatsForNewcomers(state, { ...type, group }) < ofType) return index;
    if (group && ofGroup > 0 && seatsOfGroup(group) < ofGroup) return index;
  }
  return null;
}

/** A capacity group without the seats that the change gives up. */
const withoutSeats = (
  state: AdmissionState,
  group: NonNullable<TypeState['group']>,
  givenUp: readonly Move[],
): NonNullable<TypeState['group']> => {
  const isOfGroup = ({ holder }: Move) =>
    state.types.get(holder.ticketTypeId ?? '')?.group?.id === group.id;
  return { ...group, taken: group.taken - givenUp.filter(isOfGroup).length };
};

function countUp(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

function changesOf({ holder, ticketTypeId }: Move): Change[] {
  if (holder.kind === 'open') {
    const { id, ticketTypeId: from } = holder;
    return from === ticketTypeId && holder.hasSeat
      ? []
      : [{ kind: 'move_open_seat', id, from, ticketTypeId }];
  }
  const { id, status } = holder.registration;
  const details = { name: undefined, holder: null, responses: null };
  return [
    ...(status === 'confirmed'
      ? []
      : [{ kind: 'set_status', id, to: 'confirmed', reason: null } as const]),
    { kind: 'change_registration', id, ...details, ticketTypeId },
  ];
}
