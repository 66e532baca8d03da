import type { CreateOrder } from '@event-api/contracts/http/orders';
import { lockCurrency } from '@event-api/contracts/internal/events';
import {
  type ReservationInput,
  releaseReservation,
  reserveSeats,
} from '@event-api/contracts/internal/reservations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import {
  addonSnapshot,
  bundleSnapshot,
  eventSnapshot,
  ticketTypeSnapshot,
} from '@event-api/contracts/messages/catalog';
import { notFound } from '@event-api/platform/core/errors';
import type { Faults } from '@event-api/platform/core/faults';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import { isCommitUnknown } from '@event-api/platform/db/errors';
import { discardIds, isRetry } from '@event-api/platform/http/idempotency/scope';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type {
  ProjectionRefresher,
  RecordRef,
} from '@event-api/platform/messaging/projections/refresher';
import { malformed } from '../errors.ts';
import { expandOrder, type OrderDraft } from '../orders/lines/rules.ts';
import { listTotal, type PricedOrder, priceOrder } from '../orders/prices/rules.ts';
import { findOrder, type OrderRow } from '../orders/queries.ts';
import { validateResponses } from '../orders/responses/rules.ts';
import { insertOrder, type NewOrder, type OfferRow, readOffer } from './queries.ts';
import { type CheckedDraft, itemNotOnSale, type ReserveResult, refusalOf } from './refusals.ts';
import { findItemBlock } from './sale/rules.ts';

export interface PlaceDeps {
  db: Database;
  refresher: ProjectionRefresher;
  catalog: ServiceClient;
  registration: ServiceClient;
  faults: Faults;
}

export type PlaceResult =
  | { outcome: 'placed'; order: OrderRow }
  | { outcome: 'already_registered'; registrationId: string };

type ReservedResult = Extract<ReserveResult, { outcome: 'claimed' }>;

/**
 * Places an order: its seats are set aside first, by registration, all or none; then it is priced, the
 * event's currency is locked, and the order is kept. What fails in between gives the seats back, and where that fails,
 * too, they come back when the claim runs out. What a code may make free is claimed as free; where it
 * costs something all the same and asks for approval, it is claimed anew as what costs money.
 *
 * Errors: 400 for lines, attendees and responses; 404; 412 of a sale; 503.
 * Source: docs/algorithms/checkout.md.
 */
export async function placeOrder(
  deps: PlaceDeps,
  scope: EventScope,
  input: CreateOrder,
  mayBeFree = input.redemptionCode !== null,
): Promise<PlaceResult> {
  const id = newId('ord');
  const existing = isRetry() && (await findOrder(deps.db, id));
  if (existing) return { outcome: 'placed', order: existing };
  const checked = await loadDraft(deps, scope, input);
  const { draft } = checked;
  const reservation = reservationInput(scope, id, input, draft, mayBeFree);
  const result = await deps.registration
    .call(reserveSeats, reservation)
    .catch(async (error: unknown) => {
      // Whether it has taken effect nobody knows.
      await releaseSeats(deps, reservation);
      throw error;
    });
  await deps.faults.hit('place.claimed');
  if (result.outcome === 'already_registered') return result;
  if (result.outcome !== 'claimed') {
    const refusal = refusalOf(result, checked);
    // An earlier run has claimed and died, and its hold is over. The next id is the same in every run, too.
    if (refusal === null) return placeOrder(deps, scope, input, mayBeFree);
    throw refusal;
  }
  const priced = priceOrder(draft, result);
  if (reservation.isFree && priced.totalAmount > 0 && result.needsApproval !== false) {
    await deps.registration.call(releaseReservation, keyOf(reservation));
    return placeOrder(deps, scope, input, false);
  }
  const order = await buildOrder(deps, input, { reservation, result, checked, priced }).catch(
    async (error: unknown) => {
      await releaseSeats(deps, reservation);
      throw error;
    },
  );
  return saveOrder(deps, reservation, order);
}

/** What the lines mean, by copies that are brought up to date before any refusal. */
async function loadDraft(
  { db, refresher }: PlaceDeps,
  scope: EventScope,
  input: CreateOrder,
): Promise<CheckedDraft & { offer: OfferRow }> {
  const itemIds = input.items.map(({ itemId }) => itemId);
  const evaluate = async () => {
    const offer = await readOffer(db, scope, itemIds);
    if (!offer) throw notFound();
    return {
      offer,
      expansion: expandOrder(offer, input),
      block: findItemBlock(offer, input.items),
      wrong: validateResponses(offer.form, input.responses),
    };
  };
  let { offer, expansion, block, wrong } = await evaluate();
  if (expansion.outcome !== 'expanded' || block || wrong.length > 0) {
    await refresher.refresh(recordsOf(scope, input, offer));
    ({ offer, expansion, block, wrong } = await evaluate());
  }
  const issues = [...(expansion.outcome === 'expanded' ? [] : expansion.issues), ...wrong];
  if (expansion.outcome !== 'expanded' || issues.length > 0) throw malformed(issues);
  return { offer, draft: expansion as OrderDraft, block };
}

const typeOf = {
  registration_type: ticketTypeSnapshot.type,
  addon: addonSnapshot.type,
  bundle: bundleSnapshot.type,
};

function recordsOf(
  { businessUnitId, eventId }: EventScope,
  { items }: CreateOrder,
  { bundles }: OfferRow,
): RecordRef[] {
  const inBundles = [...bundles.values()].flatMap((bundle) => bundle.items);
  const wanted = [...items, ...inBundles].map(({ itemType, itemId }) => ({
    type: typeOf[itemType],
    businessUnitId,
    id: itemId,
  }));
  const event = { type: eventSnapshot.type, businessUnitId, id: eventId };
  return [...new Map([event, ...wanted].map((record) => [record.id, record])).values()];
}

function reservationInput(
  scope: EventScope,
  claimId: string,
  { email, name, redemptionCode }: CreateOrder,
  draft: OrderDraft,
  mayBeFree: boolean,
): ReservationInput {
  return {
    ...scope,
    claimId,
    buyer: { email, name },
    seats: draft.seats.map((seat) => ({
      ticketTypeId: seat.ticketTypeId,
      email: seat.email,
      name: seat.name,
      inBundle: seat.inBundle,
    })),
    addonIds: draft.addonIds,
    redemptionCode,
    isFree: listTotal(draft) === 0 || mayBeFree,
  };
}

/** The order as it is to be kept, in a currency that stays. */
async function buildOrder(
  deps: PlaceDeps,
  input: CreateOrder,
  values: {
    reservation: ReservationInput;
    result: ReservedResult;
    checked: CheckedDraft & { offer: OfferRow };
    priced: PricedOrder;
  },
): Promise<NewOrder> {
  const { reservation, result, priced } = values;
  const { offer, draft, block } = values.checked;
  const { claimId: id, businessUnitId, eventId } = reservation;
  if (block) throw itemNotOnSale(block);
  const currency = offer.currencyLocked
    ? offer.currency
    : (await deps.catalog.call(lockCurrency, { businessUnitId, eventId })).currency;
  await deps.faults.hit('place.locked');
  return {
    id,
    businessUnitId,
    eventId,
    email: input.email,
    name: input.name,
    currency,
    priced,
    addonIds: draft.addonIds,
    redemptionCode: result.redemptionCode,
    responses: input.responses,
    buyerRegistrationId: result.buyerRegistrationId,
    holdExpiresAt: result.expiresAt,
  };
}

/**
 * Writes the order. Seats are given back only where it is certain that it was not written: where the connection broke
 * nobody knows, and a repeat with the same key finds the order, or writes it on the seats that it still has.
 */
async function saveOrder(
  deps: PlaceDeps,
  reservation: ReservationInput,
  order: NewOrder,
): Promise<PlaceResult> {
  try {
    await insertOrder(deps.db, order);
  } catch (error) {
    if (!isCommitUnknown(error)) await releaseSeats(deps, reservation);
    throw error;
  }
  await deps.faults.hit('place.kept');
  const saved = await findOrder(deps.db, order.id);
  if (!saved) throw new Error('an order that was just placed is not there');
  return { outcome: 'placed', order: saved };
}

/** For good. Not worth failing for: a claim that stays ends by itself. */
async function releaseSeats(
  { registration }: PlaceDeps,
  reservation: ReservationInput,
): Promise<void> {
  discardIds();
  await registration.call(releaseReservation, keyOf(reservation)).catch(() => {});
}

const keyOf = ({ businessUnitId, eventId, claimId }: ReservationInput) => ({
  businessUnitId,
  eventId,
  claimId,
});
