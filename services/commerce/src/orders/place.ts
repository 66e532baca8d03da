import type { CreateOrder } from '@event-api/contracts/http/orders';
import { lockCurrency } from '@event-api/contracts/internal/events';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { type Claim, claimSeats, releaseClaim } from '@event-api/contracts/internal/seats';
import {
  addonSnapshot,
  bundleSnapshot,
  eventSnapshot,
  ticketTypeSnapshot,
} from '@event-api/contracts/messages/catalog';
import type { Database } from '@event-api/platform/db/database';
import { mayHaveTakenEffect } from '@event-api/platform/db/errors';
import { notFound } from '@event-api/platform/errors';
import type { Faults } from '@event-api/platform/faults';
import type { ServiceClient } from '@event-api/platform/http/call-service';
import { isRerun, spendIds } from '@event-api/platform/idempotency/scope';
import { newId } from '@event-api/platform/ids';
import type { AskOwner, CopiedRecord } from '@event-api/platform/projections/ask-owner';
import { malformed } from '../errors.ts';
import { insertOrder, type NewOrder, type OfferRow, readOffer } from './placing/queries.ts';
import { type ClaimAnswer, type Draft, itemNotOnSale, refusalOf } from './placing/refusals.ts';
import { type Expanded, expandOrder } from './placing/rules.ts';
import { findItemBlock } from './placing/sale/rules.ts';
import { listAmount, type Priced, priceOrder } from './prices/rules.ts';
import { findOrder, type OrderRow } from './queries.ts';
import { judgeResponses } from './responses/rules.ts';

export interface PlaceDeps {
  db: Database;
  askOwner: AskOwner;
  catalog: ServiceClient;
  registration: ServiceClient;
  faults: Faults;
}

export type Placed =
  | { outcome: 'placed'; order: OrderRow }
  | { outcome: 'already_registered'; registrationId: string };

type Claimed = Extract<ClaimAnswer, { outcome: 'claimed' }>;

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
): Promise<Placed> {
  const id = newId('ord');
  const existing = isRerun() && (await findOrder(deps.db, id));
  if (existing) return { outcome: 'placed', order: existing };
  const draft = await readDraft(deps, scope, input);
  const { expanded } = draft;
  const claim = claimFor(scope, id, input, expanded, mayBeFree);
  const answer = await deps.registration.call(claimSeats, claim).catch(async (error: unknown) => {
    // Whether it has taken effect nobody knows.
    await giveBack(deps, claim);
    throw error;
  });
  await deps.faults.reach('place.claimed');
  if (answer.outcome === 'already_registered') return answer;
  if (answer.outcome !== 'claimed') {
    const refusal = refusalOf(answer, draft);
    // An earlier run has claimed and died, and its hold is over. The next id is the same in every run, too.
    if (refusal === null) return placeOrder(deps, scope, input, mayBeFree);
    throw refusal;
  }
  const priced = priceOrder(expanded, answer);
  if (claim.isFree && priced.totalAmount > 0 && answer.needsApproval !== false) {
    await deps.registration.call(releaseClaim, keyOf(claim));
    return placeOrder(deps, scope, input, false);
  }
  const order = await priceClaim(deps, input, { claim, answer, draft, priced }).catch(
    async (error: unknown) => {
      await giveBack(deps, claim);
      throw error;
    },
  );
  return keepOrder(deps, claim, order);
}

/** What the lines mean, by copies that are brought up to date before any refusal. */
async function readDraft(
  { db, askOwner }: PlaceDeps,
  scope: EventScope,
  input: CreateOrder,
): Promise<Draft & { offer: OfferRow }> {
  const itemIds = input.items.map(({ itemId }) => itemId);
  const look = async () => {
    const offer = await readOffer(db, scope, itemIds);
    if (!offer) throw notFound();
    return {
      offer,
      expansion: expandOrder(offer, input),
      block: findItemBlock(offer, input.items),
      wrong: judgeResponses(offer.form, input.responses),
    };
  };
  let { offer, expansion, block, wrong } = await look();
  if (expansion.outcome !== 'expanded' || block || wrong.length > 0) {
    await askOwner.refresh(recordsOf(scope, input, offer));
    ({ offer, expansion, block, wrong } = await look());
  }
  const issues = [...(expansion.outcome === 'expanded' ? [] : expansion.issues), ...wrong];
  if (expansion.outcome !== 'expanded' || issues.length > 0) throw malformed(issues);
  return { offer, expanded: expansion as Expanded, block };
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
): CopiedRecord[] {
  const inBundles = [...bundles.values()].flatMap((bundle) => bundle.items);
  const wanted = [...items, ...inBundles].map(({ itemType, itemId }) => ({
    type: typeOf[itemType],
    businessUnitId,
    id: itemId,
  }));
  const event = { type: eventSnapshot.type, businessUnitId, id: eventId };
  return [...new Map([event, ...wanted].map((record) => [record.id, record])).values()];
}

function claimFor(
  scope: EventScope,
  claimId: string,
  { email, name, redemptionCode }: CreateOrder,
  expanded: Expanded,
  mayBeFree: boolean,
): Claim {
  return {
    ...scope,
    claimId,
    buyer: { email, name },
    seats: expanded.seats.map((seat) => ({
      ticketTypeId: seat.ticketTypeId,
      email: seat.email,
      name: seat.name,
      inBundle: seat.inBundle,
    })),
    addonIds: expanded.addonIds,
    redemptionCode,
    isFree: listAmount(expanded) === 0 || mayBeFree,
  };
}

/** The order as it is to be kept, in a currency that stays. */
async function priceClaim(
  deps: PlaceDeps,
  input: CreateOrder,
  values: { claim: Claim; answer: Claimed; draft: Draft & { offer: OfferRow }; priced: Priced },
): Promise<NewOrder> {
  const { claim, answer, priced } = values;
  const { offer, expanded, block } = values.draft;
  const { claimId: id, businessUnitId, eventId } = claim;
  if (block) throw itemNotOnSale(block);
  const currency = offer.currencyLocked
    ? offer.currency
    : (await deps.catalog.call(lockCurrency, { businessUnitId, eventId })).currency;
  await deps.faults.reach('place.locked');
  return {
    id,
    businessUnitId,
    eventId,
    email: input.email,
    name: input.name,
    currency,
    priced,
    addonIds: expanded.addonIds,
    redemptionCode: answer.redemptionCode,
    responses: input.responses,
    buyerRegistrationId: answer.buyerRegistrationId,
    holdExpiresAt: answer.expiresAt,
  };
}

/**
 * Writes the order. Seats are given back only where it is certain that it was not written: where the connection broke
 * nobody knows, and a repeat with the same key finds the order, or writes it on the seats that it still has.
 */
async function keepOrder(deps: PlaceDeps, claim: Claim, order: NewOrder): Promise<Placed> {
  try {
    await insertOrder(deps.db, order);
  } catch (error) {
    if (!mayHaveTakenEffect(error)) await giveBack(deps, claim);
    throw error;
  }
  await deps.faults.reach('place.kept');
  const kept = await findOrder(deps.db, order.id);
  if (!kept) throw new Error('an order that was just placed is not there');
  return { outcome: 'placed', order: kept };
}

/** For good. Not worth failing for: a claim that stays ends by itself. */
async function giveBack({ registration }: PlaceDeps, claim: Claim): Promise<void> {
  spendIds();
  await registration.call(releaseClaim, keyOf(claim)).catch(() => {});
}

const keyOf = ({ businessUnitId, eventId, claimId }: Claim) => ({
  businessUnitId,
  eventId,
  claimId,
});
