import type { Billing } from '@event-api/contracts/http/billing';
import type { CreateOrder } from '@event-api/contracts/http/checkout';
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
import { notFound, unavailable } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database } from '@event-api/platform/db/database';
import { isCommitUnknown } from '@event-api/platform/db/errors';
import { discardIds, isRetry } from '@event-api/platform/http/idempotency/scope';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type {
  ProjectionRefresher,
  RecordRef,
} from '@event-api/platform/messaging/projections/refresher';
import { validateResponses } from '@event-api/rules/form-responses';
import { malformed } from '../errors.ts';
import { checkBilling, isReverseCharged } from '../orders/billing.rules.ts';
import {
  attendeeEmailOf,
  expandOrder,
  type OrderDraft,
  recipientsOf,
  unitsOf,
} from '../orders/lines.rules.ts';
import { findOrder, type OrderRow, reloadOrder } from '../orders/orders.queries.ts';
import { type PricedOrder, priceBeforeCode, priceOrder } from '../orders/prices.rules.ts';
import { type AccountDeps, chooseAccount } from '../payments/accounts/provider-of.ts';
import { timeouts } from '../timeouts.ts';
import { insertOrder, type NewOrder, type OfferRow, readOffer } from './checkout.queries.ts';
import {
  approvalRequired,
  type CheckedDraft,
  itemNotOnSale,
  type ReserveResult,
  refusalOf,
} from './refusals.ts';
import { findItemBlock } from './sale.rules.ts';

export interface PlaceDeps extends AccountDeps {
  db: Database;
  refresher: ProjectionRefresher;
  catalog: ServiceClient;
  registration: ServiceClient;
}

export type PlaceResult =
  | { outcome: 'placed'; order: OrderRow }
  | Extract<ReserveResult, { outcome: 'already_registered' }>;

type ReservedResult = Extract<ReserveResult, { outcome: 'reserved' }>;

/**
 * Places an order. Registration reserves all seats or none; then the order is priced, the currency
 * of the event is locked, and the order is stored. A failure in between releases the reservation;
 * if the release fails, too, the reservation expires by itself.
 *
 * A redemption code may make an order free, and only registration knows its discount. So an order
 * with a code is priced after its reservation, and released and refused if it costs something and
 * contains a ticket type that requires approval.
 *
 * Errors: 400 for lines, attendees, billing and responses; 404; 412 of a sale; 503.
 * Source: docs/algorithms/checkout.md.
 */
export async function placeOrder(
  deps: PlaceDeps,
  scope: EventScope,
  input: CreateOrder,
): Promise<PlaceResult> {
  for (let attempt = 1; attempt <= timeouts.placeAttempts; attempt++) {
    const result = await tryToPlace(deps, scope, input);
    if (result.outcome !== 'id_closed') return result;
  }
  throw unavailable(new Error('every reservation id of the request is closed'));
}

async function tryToPlace(
  deps: PlaceDeps,
  scope: EventScope,
  input: CreateOrder,
): Promise<PlaceResult | { outcome: 'id_closed' }> {
  const id = newId('ord');
  const existing = isRetry() && (await findOrder(deps.db, id));
  if (existing) return { outcome: 'placed', order: existing };
  const checked = await loadDraft(deps, scope, input);
  const { draft } = checked;
  const reservation = reservationInput(scope, id, input, draft);
  const result = await deps.registration
    .call(reserveSeats, { ...reservation, price: priceBeforeCode(draft, input) })
    .catch(async (error: unknown) => {
      // The reservation may have taken effect: release it.
      await releaseSeats(deps, reservation);
      throw error;
    });
  reachStep('place.reserved');
  if (result.outcome === 'already_registered') return result;
  if (result.outcome !== 'reserved') {
    const refusal = refusalOf(result, checked);
    // The reservation of an earlier run has expired or was released. Ids are the same in every run.
    if (refusal === null) return { outcome: 'id_closed' };
    throw refusal;
  }
  const { billing } = checked;
  const isReverseCharge = isReverseCharged(checked.offer, billing);
  const priced = priceOrder(draft, result, checked.offer, { isReverseCharge });
  if (priced.totalAmount > 0 && result.approvalSeat !== null) {
    await releaseSeats(deps, reservation);
    throw approvalRequired(checked, result.approvalSeat);
  }
  const build = async () => {
    // An order that nobody can pay must not hold seats.
    if (priced.totalAmount > 0) await chooseAccount(deps, scope.businessUnitId);
    const taxed = { priced, billing, isReverseCharge };
    return buildOrder(deps, input, { reservation, result, checked, ...taxed });
  };
  const order = await build().catch(async (error: unknown) => {
    await releaseSeats(deps, reservation);
    throw error;
  });
  return saveOrder(deps, reservation, order);
}

interface LoadedDraft extends CheckedDraft {
  offer: OfferRow;
  billing: Billing | null;
}

/**
 * Loads and validates the order. Before it rejects anything, and before it accepts anything while
 * the projections are not confirmed, it refreshes them and validates again.
 */
async function loadDraft(
  { db, refresher }: PlaceDeps,
  scope: EventScope,
  input: CreateOrder,
): Promise<LoadedDraft> {
  const itemIds = input.items.map(({ itemId }) => itemId);
  const evaluate = async () => {
    const offer = await readOffer(db, scope, itemIds);
    if (!offer) throw notFound();
    return {
      offer,
      expansion: expandOrder(offer, input),
      block: findItemBlock(offer, input.items),
      responseIssues: validateResponses(offer.form, input.responses),
    };
  };
  let { offer, expansion, block, responseIssues } = await evaluate();
  const isRejected = expansion.outcome !== 'expanded' || block || responseIssues.length > 0;
  const records = recordsOf(scope, input, offer);
  const isConfirmed = await refresher.confirm(records);
  if (isRejected || isConfirmed) {
    if (!isConfirmed) await refresher.refresh(records);
    ({ offer, expansion, block, responseIssues } = await evaluate());
  }
  const billed = checkBilling(input.billing);
  const issues = [
    ...(expansion.outcome === 'expanded' ? [] : expansion.issues),
    ...(billed.outcome === 'invalid' ? [billed.issue] : []),
    ...responseIssues,
  ];
  if (expansion.outcome !== 'expanded' || billed.outcome === 'invalid' || issues.length > 0) {
    throw malformed(issues);
  }
  return { offer, draft: expansion as OrderDraft, block, billing: billed.billing };
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
  reservationId: string,
  { email, name, redemptionCode }: CreateOrder,
  draft: OrderDraft,
): ReservationInput {
  return {
    ...scope,
    reservationId,
    buyer: { email, name },
    seats: draft.seats.map((seat) => ({
      ticketTypeId: seat.ticketTypeId,
      email: attendeeEmailOf(seat),
      name: seat.name,
      inBundle: seat.inBundle,
    })),
    addonIds: draft.addonIds,
    addons: recipientsOf(draft.addons),
    addonUnits: unitsOf(draft.addons),
    redemptionCode,
  };
}

/** The order to store. Locks the currency of the event, so that it cannot change any more. */
async function buildOrder(
  deps: PlaceDeps,
  input: CreateOrder,
  values: {
    reservation: ReservationInput;
    result: ReservedResult;
    checked: LoadedDraft;
    priced: PricedOrder;
    billing: Billing | null;
    isReverseCharge: boolean;
  },
): Promise<NewOrder> {
  const { reservation, result, priced, billing, isReverseCharge } = values;
  const { offer, draft, block } = values.checked;
  const { reservationId: id, businessUnitId, eventId } = reservation;
  if (block) throw itemNotOnSale(block);
  const currency = offer.currencyLocked
    ? offer.currency
    : (await deps.catalog.call(lockCurrency, { businessUnitId, eventId })).currency;
  reachStep('place.locked');
  return {
    id,
    businessUnitId,
    eventId,
    email: input.email,
    name: input.name,
    currency,
    priced,
    addonIds: draft.addonIds,
    addons: draft.addons,
    redemptionCode: result.redemptionCode,
    responses: input.responses,
    refundPolicy: offer.refundPolicy,
    billing,
    isReverseCharge,
    buyerRegistrationId: result.buyerRegistrationId,
    holdExpiresAt: result.expiresAt,
  };
}

/**
 * Stores the order. The seats are released only if the order was certainly not stored. If the
 * connection breaks during the commit, the reservation stays: a retry with the same key finds the
 * order, or stores it with those seats.
 */
async function saveOrder(
  deps: PlaceDeps,
  reservation: ReservationInput,
  order: NewOrder,
): Promise<PlaceResult> {
  const inserted = await insertOrder(deps.db, order).catch(async (error: unknown) => {
    if (!isCommitUnknown(error)) await releaseSeats(deps, reservation);
    throw error;
  });
  reachStep('place.saved');
  return { outcome: 'placed', order: inserted ?? (await reloadOrder(deps.db, order.id)) };
}

/**
 * Releases a reservation for good. Errors are ignored: a reservation that stays expires by itself.
 */
async function releaseSeats(
  { registration }: PlaceDeps,
  reservation: ReservationInput,
): Promise<void> {
  discardIds();
  await registration.call(releaseReservation, keyOf(reservation)).catch(() => {});
}

const keyOf = ({ businessUnitId, eventId, reservationId }: ReservationInput) => ({
  businessUnitId,
  eventId,
  reservationId,
});
