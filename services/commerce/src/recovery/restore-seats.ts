import {
  type Fulfilment,
  fulfilReservation,
  releaseReservation,
  returnUnits,
} from '@event-api/contracts/internal/reservations';
import { isSeatId, seatIdOf } from '@event-api/contracts/seat-ids';
import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import { serializeCurrentToken } from '@event-api/platform/messaging/read-after/scope';
import { changeTypesAgain } from '../changes/types-again.ts';
import { writeFulfilment } from '../checkout/close.ts';
import type { FulfilDeps } from '../checkout/fulfil.ts';
import { fulfilmentOf, keyOf } from '../checkout/reservation-of.ts';
import { decideRestore } from '../checkout/restoring.rules.ts';
import type { OrderTransition } from '../metrics.ts';
import { changeOrder } from '../orders/change-order.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import {
  clearRegistrations,
  writeCancelledSeats,
  writeChangedParts,
  writeStatus,
} from '../orders/write.ts';
import { replaceRegistrations } from '../refunds/cancelled-seats.queries.ts';
import { createParts } from '../refunds/create.ts';
import { findRefundsOfOrder } from '../refunds/refunds.queries.ts';
import { decideSeatRefund } from '../refunds/refunds.rules.ts';
import { revokeChosenSeats } from '../refunds/revoke.ts';
import { attendeeRegistered } from '../refunds/withdrawal.rules.ts';
import { decideCancelledAgain } from './cancelled-again.ts';

/**
 * Creates the seats of a paid order again that registration has lost in a restore. If they are no
 * longer available, the rest of the payment is due, and a free order is cancelled. It gets the seats
 * that were sold. What was cancelled of the order is cancelled again, its seats get their present
 * ticket types again, and nothing is paid back again. Safe to retry: a reservation is fulfilled once.
 * Errors: 503, with nothing stored. Locks: the order. Reports: the change of the order.
 */
export async function restoreSeats(deps: FulfilDeps, order: OrderRow): Promise<void> {
  const { db, registration, metrics } = deps;
  const result = await registration.call(
    fulfilReservation,
    fulfilmentOf(order, { reacquire: true }),
  );
  reachStep('restore.responded');
  if (result.outcome === 'unfulfillable') {
    // It must not be fulfilled by an earlier request that arrives late.
    const { outcome } = await registration.call(releaseReservation, keyOf(order));
    if (outcome !== 'released') throw new Error(`released reservation is ${outcome}`);
  }
  const fulfilment = result.outcome === 'fulfilled' ? result : null;
  if (fulfilment) await changeAgain(deps, order, fulfilment);
  const token = serializeCurrentToken();
  const restored = await db.transaction((tx) =>
    changeOrder(tx, order.id, (locked) => storeRestored(tx, locked, fulfilment, token)),
  );
  metrics.orderTransition(restored.result);
}

/** Before the fulfilment is stored, so that an interrupted run is repeated. */
async function changeAgain(
  deps: FulfilDeps,
  order: OrderRow,
  fulfilment: Fulfilment,
): Promise<void> {
  const { registration } = deps;
  const { businessUnitId, eventId, id: orderId } = order;
  const scope = { businessUnitId, eventId, orderId };
  const { units, endedIds } = decideCancelledAgain(order, fulfilment);
  if (units.length > 0) await registration.call(returnUnits, { ...scope, units });
  if (endedIds.length > 0) await revokeChosenSeats(deps, scope, endedIds);
  const holders = new Map(
    fulfilment.seats.map(({ registrationId }, n) => [seatIdOf(orderId, n), registrationId]),
  );
  await changeTypesAgain(deps, order, (seatId) => holders.get(seatId));
  reachStep('restore.cancelled_again');
}

async function storeRestored(
  tx: Tx,
  order: OrderRow,
  fulfilment: Fulfilment | null,
  readAfterToken: string | null,
): Promise<OrderTransition | null> {
  const { id: orderId } = order;
  const refund = fulfilment && decideSeatRefund(order, fulfilment);
  const refunds = await findRefundsOfOrder(tx, orderId);
  const decision = decideRestore(order, refunds, refund);
  if (decision.outcome === 'unchanged') return null;
  if (fulfilment && refund) {
    await writeFulfilment(tx, order, { result: fulfilment, refund, readAfterToken });
    const { endedIds, cancelledAddons, replaced } = decideCancelledAgain(order, fulfilment);
    await replaceRegistrations(tx, orderId, replaced);
    await writeChangedParts(tx, orderId, { seats: order.seats, cancelledAddons });
    await writeCancelledSeats(tx, orderId, endedIds.filter(isSeatId));
  } else {
    await clearRegistrations(tx, orderId);
  }
  if (decision.owed > 0) {
    const cause = decision.outcome === 'restored' ? attendeeRegistered : 'unfulfillable';
    await createParts(tx, order, { amount: decision.owed, state: 'due', cause });
  }
  if (decision.status === 'paid') return null;
  await writeStatus(tx, orderId, decision.status);
  return { status: decision.status, lagSeconds: null };
}
