import { decideBatch, type ReportedChange } from '../src/admission/decide-batch.ts';
import type { AdmissionResult } from '../src/admission/requests.ts';
import { canPromoteMore } from '../src/seats/promotion/promotion.rules.ts';
import {
  type AdmissionState,
  type Change,
  isActive,
  type RegistrationState,
  type ReservationState,
} from '../src/seats/seats.rules.ts';
import { createRequests, type RequestInput, type StateChange } from './actions.ts';
import { codeState, fromNow, stateOf, typeState } from './states.ts';

/** Lower than the possible length, so that batches load only the start of the waitlist. */
const waitlistLimit = 2;

/**
 * An event in memory. Each batch is decided on a state that is read from rows, as from a database,
 * and only rows are kept. Checks count the rows and do not trust the counters.
 */
export function createModel() {
  const rows = new Map<string, RegistrationState>();
  const stored = stateOf({
    types: [
      typeState({ capacity: 3, allowWaitlist: true }),
      typeState({ id: 'night', capacity: 2 }),
      typeState({ id: 'jury', capacity: 2, allowWaitlist: true, requiresApproval: true }),
      typeState({ id: 'paid', capacity: 2, allowWaitlist: true, priceAmount: 2500 }),
    ],
    codes: [codeState({ maxUses: 3 })],
    limits: { maxHolds: 2, maxSeats: 5 },
  });
  const requestOf = createRequests();
  /**
   * The maximum of taken seats per type: its capacity, or the taken seats when it was lowered below
   * them.
   */
  const allowed = new Map<string, number>();
  const overtaken: string[] = [];
  /** Registrations that an operator has confirmed or tried to. */
  const isConfirmed = new Set<string>();
  const miscounted: string[] = [];
  /** The status of each registration as a reader of the change feed knows it. */
  const feed = new Map<string, string>();
  const history = new Map<string, string[]>();
  const misreported: string[] = [];
  let registered = 0;
  let elapsedMs = 0;

  function runBatch(inputs: readonly RequestInput[]): AdmissionResult[] {
    const state = readState(stored, rows, elapsedMs);
    const requests = inputs.map(requestOf);
    for (const request of requests)
      if (request.kind === 'confirm') isConfirmed.add(request.registrationId);
    const { results, changes, reported } = decideBatch(state, requests);
    for (const change of reported) follow(change);
    for (const change of changes) {
      if (change.kind === 'register') storeRow(state, change);
      if (change.kind === 'set_status') changeStatus(state, change);
      if (change.kind === 'hand_over') handOver(state, change);
      if (change.kind === 'change_registration') changeDetails(change);
      if (change.kind === 'reserve' && change.reservation.offer) openOffer(change.reservation);
      if (change.kind === 'close_reservation') closeOffer(state, change);
    }
    for (const [email, counted] of countBuyers(state.reservations, rows)) {
      const { holds, seats } = state.buyers.get(email) ?? {};
      if (holds !== counted.holds || seats !== counted.seats) miscounted.push(email);
      if (counted.holds > stored.limits.maxHolds)
        miscounted.push(`${email} has too many reservations`);
    }
    Object.assign(stored, {
      types: state.types,
      codes: state.codes,
      reservations: state.reservations,
      otherOrders: state.otherOrders,
    });
    if (canPromoteMore(state)) runBatch([]);
    return results;
  }

  function follow({ registrationId, type, previous, current }: ReportedChange): void {
    const known = feed.get(registrationId) ?? null;
    if (known !== previous) misreported.push(`${registrationId}: ${previous} after ${known}`);
    const isMove = previous !== current;
    const isNamed =
      type === (previous === null ? 'registration.created' : `registration.${current}`);
    if (isMove !== isNamed) misreported.push(`${registrationId}: ${type} to ${current}`);
    feed.set(registrationId, current);
    history.set(registrationId, [...(history.get(registrationId) ?? []), `${type} ${current}`]);
  }

  function storeRow(
    state: AdmissionState,
    { person, status, ticketTypeId }: Extract<Change, { kind: 'register' }>,
  ) {
    const row = state.registrations.get(person.registrationId);
    if (!row) throw new Error('the registration is missing in the state');
    const [oldest] = waitlistOf(rows, ticketTypeId);
    const isOvertaking = status === 'confirmed' && row.orderId === null && oldest;
    if (isOvertaking) overtaken.push(`${row.id} has overtaken ${oldest.id}`);
    registered += 1;
    rows.set(row.id, {
      ...row,
      status,
      // A later request of the batch may have changed both.
      ticketTypeId,
      normalEmail: person.normalEmail,
      offerId: null,
      offersMissed: 0,
      waitlistOrder: registered,
    });
  }

  function rowOf(id: string): RegistrationState {
    const row = rows.get(id);
    if (!row) throw new Error('a change of an unknown registration');
    return row;
  }

  function changeStatus(
    state: AdmissionState,
    { id, to, order }: Extract<Change, { kind: 'set_status' }>,
  ): void {
    const row = rowOf(id);
    const [oldest] = waitlistOf(rows, row.ticketTypeId);
    const isPromotion = row.status === 'waitlisted' && to === 'confirmed' && !order;
    if (isPromotion && oldest !== row && !isConfirmed.has(id)) {
      overtaken.push(`${id} has overtaken ${oldest?.id}`);
    }
    row.status = to;
    if (!order) return;
    const buyerEmail = state.reservations.get(order.id)?.buyerEmail ?? null;
    Object.assign(row, { ...order, id, orderId: order.id, buyerEmail });
  }

  function changeDetails({
    id,
    holder,
    ticketTypeId,
  }: Extract<Change, { kind: 'change_registration' }>): void {
    const row = rowOf(id);
    if (holder) row.normalEmail = holder.normalEmail;
    if (holder && row.orderId === null) row.buyerEmail = holder.normalEmail;
    if (ticketTypeId === null) return;
    const [oldest] = waitlistOf(rows, ticketTypeId);
    if (row.status === 'confirmed' && oldest) overtaken.push(`${id} has overtaken ${oldest.id}`);
    row.ticketTypeId = ticketTypeId;
    if (row.status !== 'waitlisted') return;
    registered += 1;
    row.waitlistOrder = registered;
  }

  function openOffer({ id, offer }: ReservationState): void {
    const row = rowOf(offer?.registrationId ?? '');
    const [oldest] = waitlistOf(rows, row.ticketTypeId);
    if (oldest !== row) overtaken.push(`${row.id} got an offer before ${oldest?.id}`);
    row.offerId = id;
  }

  function closeOffer(
    state: AdmissionState,
    { id, to }: Extract<Change, { kind: 'close_reservation' }>,
  ): void {
    const registrationId = state.reservations.get(id)?.offer?.registrationId;
    if (!registrationId) return;
    const row = rowOf(registrationId);
    row.offerId = null;
    if (to !== 'expired') return;
    registered += 1;
    Object.assign(row, { offersMissed: row.offersMissed + 1, waitlistOrder: registered });
  }

  function handOver(
    state: AdmissionState,
    { registrationId, to }: Extract<Change, { kind: 'hand_over' }>,
  ): void {
    const row = rows.get(registrationId);
    if (!row || !isActive(row.status)) throw new Error('a registration that cannot be handed over');
    if (state.reservations.get(to.orderId)?.state !== 'fulfilled') {
      overtaken.push(`${registrationId} was handed over to an order that is not fulfilled`);
    }
    row.orderId = to.orderId;
    row.buyerEmail = to.buyerEmail ?? row.normalEmail;
  }

  function applyStateChange(one: StateChange): void {
    if (one.kind === 'wait') elapsedMs += one.ms;
    const type = 'typeId' in one ? stored.types.get(one.typeId) : undefined;
    if (type && one.kind === 'approval') type.requiresApproval = one.requiresApproval;
    if (type && one.kind === 'price') type.priceAmount = one.amount;
    if (type && one.kind === 'capacity') {
      type.capacity = one.seats;
      allowed.set(type.id, Math.max(one.seats ?? Infinity, type.confirmed + type.reserved));
    }
  }

  return {
    /** Runs one batch and returns its outcomes. */
    run(batch: readonly RequestInput[], before: readonly StateChange[] = []): string[] {
      for (const one of before) applyStateChange(one);
      return runBatch(batch).map((one) => ('outcome' in one ? one.outcome : 'revoked'));
    },
    /** The final state, and the reported changes of each registration. */
    outcome: () => ({
      rows: [...rows.values()].map(({ id, status }) => `${id} ${status}`).sort(),
      reservations: [...stored.reservations.values()]
        .map(({ id, state }) => `${id} ${state}`)
        .sort(),
      changes: new Map([...history].sort()),
      types: [...stored.types.values()].map(({ waitlist: _, ...type }) => type),
    }),
    broken: () => [
      ...overtaken,
      ...misreported,
      ...[...rows.values()]
        .filter(({ id, status }) => feed.get(id) !== status)
        .map(({ id, status }) => `the feed does not have ${id} as ${status}`),
      ...miscounted,
      ...brokenCounts(stored, [...rows.values()], allowed),
    ],
  };
}

const waitlistOf = (rows: ReadonlyMap<string, RegistrationState>, typeId: string | null) =>
  [...rows.values()]
    .filter((row) => row.ticketTypeId === typeId && row.status === 'waitlisted' && !row.offerId)
    .sort((a, b) => a.waitlistOrder - b.waitlistOrder);

function readState(
  stored: AdmissionState,
  rows: ReadonlyMap<string, RegistrationState>,
  elapsedMs: number,
): AdmissionState {
  const types = [...stored.types.values()].map((one) => {
    const waitlisted = waitlistOf(rows, one.id).slice(0, waitlistLimit);
    return [one.id, { ...one, waitlist: waitlisted.map(({ id }) => id) }] as const;
  });
  const live = [...rows.values()].filter(({ status }) => isActive(status));
  return {
    ...stored,
    now: fromNow(elapsedMs),
    types: new Map(types),
    registrations: new Map([...rows].map(([id, row]) => [id, { ...row }])),
    active: new Map(live.map((row) => [row.normalEmail, row.id])),
    codes: new Map([...stored.codes].map(([key, code]) => [key, { ...code }])),
    reservations: new Map(stored.reservations),
    buyers: countBuyers(stored.reservations, rows),
    otherOrders: new Map(stored.otherOrders),
  };
}

/** The buyer state of each person of the model, counted from the rows. */
function countBuyers(
  reservations: AdmissionState['reservations'],
  rows: ReadonlyMap<string, RegistrationState>,
): AdmissionState['buyers'] {
  const live = [...reservations.values()].filter(({ state }) => state === 'active');
  const active = [...rows.values()].filter(({ status }) => isActive(status));
  const people = Array.from({ length: 16 }, (_, n) => `p${n}`);
  return new Map(
    people.map((email) => {
      const holds = live.filter(({ buyerEmail }) => buyerEmail === email);
      const own = active.filter(({ buyerEmail }) => buyerEmail === email);
      return [
        email,
        { holds: holds.length, seats: sumOf(holds, (one) => one.seatCount) + own.length },
      ];
    }),
  );
}

/** The counters that differ from the rows. */
function brokenCounts(
  state: AdmissionState,
  rows: readonly RegistrationState[],
  allowed: Map<string, number>,
): string[] {
  const broken: string[] = [];
  const check = (what: string, holds: boolean) => void (holds || broken.push(what));
  const reservations = [...state.reservations.values()].filter(
    (reservation) => reservation.state === 'active',
  );
  const offers = [...state.reservations.values()].filter(({ offer }) => offer);
  for (const { id, capacity, confirmed, waitlisted, offered, reserved } of state.types.values()) {
    const count = (status: string) =>
      rows.filter((row) => row.ticketTypeId === id && row.status === status).length;
    check(`${id}: confirmed`, confirmed === count('confirmed'));
    check(`${id}: waitlisted`, waitlisted === count('waitlisted'));
    const withOffer = rows.filter((row) => row.ticketTypeId === id && row.offerId);
    check(`${id}: offered`, offered === withOffer.length);
    check(
      `${id}: an offer of a registration that is not waitlisted`,
      withOffer.every(({ status }) => status === 'waitlisted'),
    );
    check(`${id}: reserved`, reserved === sumOf(reservations, ({ seats }) => seats.get(id) ?? 0));
    const [taken, seats] = [confirmed + reserved, capacity ?? Infinity];
    check(`${id}: oversold`, taken <= (allowed.get(id) ?? seats));
    allowed.set(id, Math.max(seats, taken));
    check(`${id}: waitlisted despite an available seat`, waitlisted === offered || taken >= seats);
  }
  for (const { id, state, offer } of offers) {
    const row = rows.find((each) => each.id === offer?.registrationId);
    const isOpen = state === 'active' || state === 'taken';
    check(`${id}: open`, isOpen === (row?.offerId === id));
    if (state === 'expired') check(`${id}: missed`, (row?.offersMissed ?? 0) > 0);
    if (state === 'taken') {
      const order = reservations.some((one) => one.id === offer?.takenBy);
      check(`${id}: taken by an order that is not open`, order);
    }
    if (state === 'fulfilled' || state === 'released') {
      check(`${id}: ended`, ['confirmed', 'cancelled'].includes(row?.status ?? ''));
    }
  }
  for (const { id, uses, maxUses } of state.codes.values()) {
    const users = rows.filter((row) => isActive(row.status) && row.redemptionCodeId === id).length;
    const reservedUses = sumOf(reservations, (one) =>
      one.redemptionCodeId === id ? one.codeUses : 0,
    );
    check('uses', uses === users + reservedUses && uses <= (maxUses ?? Infinity));
  }
  const emails = rows.filter((row) => isActive(row.status)).map(({ normalEmail }) => normalEmail);
  check('an email is active twice', new Set(emails).size === emails.length);
  return broken;
}

const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);
