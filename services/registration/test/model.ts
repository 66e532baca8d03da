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
import { brokenCounts, createLimits } from './model-checks.ts';
import { countBuyers, type Delivered, readState, takenOf, waitlistOf } from './model-state.ts';
import { addonState, codeState, stateOf, typeState } from './states.ts';

/** Hides a limit from the decisions, and returns what shows it to the checks again. */
export type Hide = (state: AdmissionState) => () => void;

/**
 * An event in memory. Each batch is decided on a state that is read from rows, as from a database,
 * and only rows are kept. Checks count the rows and do not trust the counters.
 */
export function createModel(hide: Hide = () => () => {}) {
  const rows = new Map<string, RegistrationState>();
  const stored = stateOf({
    types: [
      typeState({ capacity: 3, allowWaitlist: true }),
      typeState({ id: 'night', capacity: 2, maxPerOrder: 1 }),
      typeState({ id: 'late', allowWaitlist: true, minPerOrder: 2 }),
      typeState({ id: 'jury', capacity: 2, allowWaitlist: true, requiresApproval: true }),
      typeState({ id: 'paid', capacity: 2, allowWaitlist: true, priceAmount: 2500 }),
    ],
    addons: [addonState({ capacity: 4, minPerOrder: 2, maxPerOrder: 3 })],
    codes: [codeState({ maxUses: 3 })],
    limits: { maxHolds: 2, maxSeats: 5 },
  });
  /** The capacity of each group, and the group of each type. */
  const groups = new Map([
    ['hall', 4],
    ['room', 3],
  ]);
  const groupOf = new Map<string, string | null>([
    ...(['day', 'night', 'late'].map((id) => [id, 'hall']) as [string, string][]),
    ...(['jury', 'paid'].map((id) => [id, 'room']) as [string, string][]),
  ]);
  /** The add-ons of registrations, also of those that have ended. */
  let delivered: Delivered[] = [];
  const requestOf = createRequests();
  const limits = createLimits();
  const overtaken: string[] = [];
  /** Who waited on another waitlist of the group, longer than the registration that got a seat. */
  let passed: { by: string; id: string; typeId: string; order: number }[] = [];
  /** Registrations that gave up an offer, and with it had a seat. */
  const gaveUpOffer = new Set<string>();
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
    const state = readState(stored, rows, { groups, groupOf, delivered, elapsedMs });
    const requests = inputs.map(requestOf);
    for (const request of requests)
      if (request.kind === 'confirm') isConfirmed.add(request.registrationId);
    const show = hide(state);
    const { results, changes, reported } = decideBatch(state, requests);
    show();
    for (const change of reported) follow(change);
    for (const change of changes) {
      if (change.kind === 'register') storeRow(state, change);
      if (change.kind === 'set_status') changeStatus(state, change);
      if (change.kind === 'hand_over') handOver(state, change);
      if (change.kind === 'change_registration') changeDetails(change);
      if (change.kind === 'reserve' && change.reservation.offer) openOffer(change.reservation);
      if (change.kind === 'close_reservation') closeOffer(state, change);
      if (change.kind === 'add_addons') deliver(change);
      if (change.kind === 'remove_addons') delivered = delivered.filter(isNotOf(change));
    }
    for (const [email, counted] of countBuyers(state.reservations, rows)) {
      const { holds, seats } = state.buyers.get(email) ?? {};
      if (holds !== counted.holds || seats !== counted.seats) miscounted.push(email);
      if (counted.holds > stored.limits.maxHolds)
        miscounted.push(`${email} has too many reservations`);
    }
    Object.assign(stored, {
      types: state.types,
      addons: state.addons,
      codes: state.codes,
      reservations: state.reservations,
      otherOrders: state.otherOrders,
    });
    if (canPromoteMore(state)) runBatch([]);
    overtaken.push(...passedOver(state));
    return results;
  }

  function deliver({
    registrationId,
    orderId,
    units,
  }: Extract<Change, { kind: 'add_addons' }>): void {
    delivered.push(...units.map((each) => ({ registrationId, orderId, ...each })));
  }

  /** Remembers who has waited longer than a registration that gets a seat of a group. */
  function noteAdmission({ id, ticketTypeId, waitlistOrder }: RegistrationState): void {
    const group = groupOf.get(ticketTypeId ?? '');
    if (!group || isConfirmed.has(id)) return;
    for (const [typeId, itsGroup] of groupOf) {
      const [oldest] = waitlistOf(rows, typeId);
      if (typeId === ticketTypeId || itsGroup !== group || !oldest) continue;
      const { id: oldestId, waitlistOrder: order } = oldest;
      if (order < waitlistOrder) passed.push({ by: id, id: oldestId, typeId, order });
    }
  }

  /** Those of them that still wait although their type has a seat of its own. */
  function passedOver(state: AdmissionState): string[] {
    const waiting = passed.filter(({ id, typeId, order }) => {
      const type = state.types.get(typeId);
      const isWaiting = waitlistOf(rows, typeId).some(
        (row) => row.id === id && row.waitlistOrder === order,
      );
      return type && isWaiting && type.confirmed + type.reserved < (type.capacity ?? Infinity);
    });
    passed = [];
    return waiting.map(({ by, id }) => `${by} has passed ${id} of another type`);
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
    if (status === 'confirmed' && row.orderId === null)
      noteAdmission({ ...row, ticketTypeId, waitlistOrder: registered });
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
    if (isPromotion && !gaveUpOffer.has(id)) noteAdmission(row);
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
    noteAdmission(row);
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
    if (to === 'released') gaveUpOffer.add(registrationId);
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
      limits.change(type.id, one.seats, type.confirmed + type.reserved);
    }
    if (one.kind === 'units') {
      for (const addon of stored.addons.values()) {
        addon.capacity = one.units;
        limits.change(addon.id, one.units, addon.confirmed + addon.reserved);
      }
    }
    if (one.kind === 'group') groups.set(one.groupId, one.seats);
    if (one.kind === 'member') groupOf.set(one.typeId, one.groupId);
    for (const [id, capacity] of groups)
      limits.change(id, capacity, takenOf(stored.types, groupOf, id));
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
      types: [...stored.types.values()].map(
        ({ waitlist: _, waitlistContinues: __, ...type }) => type,
      ),
      addons: [...stored.addons.values()],
    }),
    broken: () => [
      ...overtaken,
      ...misreported,
      ...[...rows.values()]
        .filter(({ id, status }) => feed.get(id) !== status)
        .map(({ id, status }) => `the feed does not have ${id} as ${status}`),
      ...miscounted,
      ...brokenCounts(stored, { rows: [...rows.values()], delivered, groupOf, limits }),
    ],
  };
}

const isNotOf =
  ({ registrationId, orderId }: Extract<Change, { kind: 'remove_addons' }>) =>
  (units: { registrationId: string; orderId: string }): boolean =>
    units.registrationId !== registrationId || units.orderId !== orderId;
