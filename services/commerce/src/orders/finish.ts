import { type Fulfilment, fulfilClaim, releaseClaim } from '@event-api/contracts/internal/seats';
import type { Database } from '@event-api/platform/db/database';
import type { Faults } from '@event-api/platform/faults';
import type { ServiceClient } from '@event-api/platform/http/call-service';
import { tokenForCalls } from '@event-api/platform/read-after/scope';
import { formatReadAfter } from '@event-api/platform/read-after/token';
import type { Counts } from '../counts.ts';
import { closeOrder } from './close.ts';
import type { OrderRow } from './queries.ts';
import { isCancelling } from './rules.ts';

export interface FinishDeps {
  db: Database;
  registration: ServiceClient;
  faults: Faults;
  counts: Counts;
}

/** What other processes must have read to see what this request has caused. */
export function tokenToKeep(): string | null {
  const token = tokenForCalls();
  return token && formatReadAfter(token);
}

/**
 * Has an order fulfilled whose intent or settlement is written, and writes what comes of it. Repeating
 * it is safe at any time: a claim is fulfilled once. Seats that have run out are taken again, if they can be
 * had and nobody has cancelled; if not, the claim is closed for good before the order is.
 * Errors: 503, with nothing written.
 */
export async function fulfilOrder(deps: FinishDeps, order: OrderRow): Promise<void> {
  const { db, registration, faults, counts } = deps;
  const claim = claimOf(order);
  const answer = await registration.call(fulfilClaim, {
    ...claim,
    retake: !isCancelling(order),
  });
  await faults.reach('fulfil.answered');
  if (answer.outcome === 'gone') return releaseOrder(deps, order);
  counts.closed(
    await db.transaction((tx) => closeOrder(tx, order.id, answer, tokenToKeep(), faults)),
  );
  await faults.reach('fulfil.written');
}

/**
 * Gives the seats of an order back for good, and writes what comes of it.
 * Errors: 503, with nothing written.
 */
export async function releaseOrder(deps: FinishDeps, order: OrderRow): Promise<void> {
  const { db, registration, faults, counts } = deps;
  const { outcome } = await registration.call(releaseClaim, keyOf(order));
  await faults.reach('release.answered');
  if (outcome === 'fulfilled') return writeFulfilled(deps, order);
  if (outcome === 'held') throw new Error('a claim that was released is held');
  counts.closed(await db.transaction((tx) => closeOrder(tx, order.id, { outcome }, null, faults)));
}

/** Writes an order as expired whose claim has run out. Errors: 503, with nothing written. */
export async function expireOrder(deps: FinishDeps, order: OrderRow): Promise<void> {
  const { outcome } = await deps.registration.call(releaseClaim, {
    ...keyOf(order),
    onlyIfOver: true,
  });
  // Registration's clock is behind ours: it is not over yet.
  if (outcome === 'held') return;
  if (outcome === 'fulfilled') return writeFulfilled(deps, order);
  const { db, counts, faults } = deps;
  counts.closed(await db.transaction((tx) => closeOrder(tx, order.id, { outcome }, null, faults)));
}

/** Whatever was asked: what is fulfilled is paid. */
async function writeFulfilled(
  { db, registration, counts, faults }: FinishDeps,
  order: OrderRow,
): Promise<void> {
  const answer = await registration.call(fulfilClaim, { ...claimOf(order), retake: false });
  const fulfilled = answer as Fulfilment;
  if (answer.outcome !== 'fulfilled') throw new Error('a claim that was fulfilled is not');
  counts.closed(
    await db.transaction((tx) => closeOrder(tx, order.id, fulfilled, tokenToKeep(), faults)),
  );
}

const keyOf = ({ businessUnitId, eventId, id: claimId }: OrderRow) => ({
  businessUnitId,
  eventId,
  claimId,
});

const claimOf = (order: OrderRow) => ({
  ...keyOf(order),
  buyer: { email: order.email, name: order.name },
  seats: order.seats.map(({ ticketTypeId, email, name, inBundle }) => ({
    ticketTypeId,
    email,
    name,
    inBundle,
  })),
  addonIds: order.addonIds,
  redemptionCode: order.redemptionCode,
  isFree: order.totalAmount === 0,
});
