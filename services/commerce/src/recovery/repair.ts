import { returnUnits } from '@event-api/contracts/internal/reservations';
import type { compareRestored, RestoreRepair } from '@event-api/contracts/operator/restore';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { z } from 'zod';
import { keptUnitsOf } from '../changes/cancelled-units.rules.ts';
import { holderOf } from '../changes/seats.rules.ts';
import { changeTypesAgain } from '../changes/types-again.ts';
import type { CommerceMetrics } from '../metrics.ts';
import { changeOrder } from '../orders/change-order.ts';
import { currentSeatsOf, orderSeatsOf } from '../orders/order-seats.rules.ts';
import { reloadOrder } from '../orders/orders.queries.ts';
import { writeOpenSeats } from '../orders/seat-assignments.queries.ts';
import { replaceRegistrations } from '../refunds/cancelled-seats.queries.ts';
import { revokeChosenSeats } from '../refunds/revoke.ts';
import { restoreSeatsOfOrders, revokeOrdersAgain } from './comparison/comparison.queries.ts';
import { decideReopening } from './reopening.rules.ts';

export interface RepairDeps {
  db: Database;
  registration: ServiceClient;
  metrics: CommerceMetrics;
}

/** A difference between an order and its registrations, as the command lists it. */
export type FoundDifference = z.input<
  (typeof compareRestored.schema.response)[200]
>['differences'][number];

/**
 * Repairs differences. The sweep creates and revokes the seats of whole orders; changes of an order
 * that registration has lost are applied again at once. Safe to retry. Errors: 503 if registration is
 * unavailable. Locks and reports: the order of each lost assignment and cancelled open seat.
 */
export async function repairDifferences(
  deps: RepairDeps,
  found: readonly FoundDifference[],
): Promise<void> {
  const withRepair = (wanted: RestoreRepair) => found.filter(({ repair }) => repair === wanted);
  const idsOf = (wanted: RestoreRepair) => withRepair(wanted).map(({ orderId }) => orderId);
  await restoreSeatsOfOrders(deps.db, idsOf('fulfil'));
  await revokeOrdersAgain(deps.db, idsOf('revoke'));
  for (const difference of withRepair('reopen')) await reopenSeats(deps, difference);
  for (const difference of withRepair('revoke_seats')) {
    await revokeChosenSeats(deps, difference, difference.registrationIds);
  }
  for (const difference of withRepair('return_units')) await returnUnitsAgain(deps, difference);
  // After the seats that are open or cancelled again.
  for (const { orderId } of withRepair('change_types')) {
    const order = await reloadOrder(deps.db, orderId);
    const holders = new Map(orderSeatsOf(order).map((seat) => [seat.id, holderOf(seat)]));
    await changeTypesAgain(deps, order, (seatId) => holders.get(seatId));
  }
}

/** Shows seats as open again whose assignments registration has lost. One that had ended ends again. */
async function reopenSeats(
  deps: RepairDeps,
  { businessUnitId, eventId, orderId, registrationIds: seatIds }: FoundDifference,
): Promise<void> {
  const { result } = await deps.db.transaction((tx) =>
    changeOrder(tx, orderId, async (order) => {
      const { replaced, endedIds } = decideReopening(currentSeatsOf(order), seatIds);
      await writeOpenSeats(tx, orderId, replaced);
      await replaceRegistrations(tx, orderId, replaced);
      return endedIds;
    }),
  );
  reachStep('repair.reopened');
  if (result.length > 0) {
    await revokeChosenSeats(deps, { businessUnitId, eventId, orderId }, result);
  }
}

async function returnUnitsAgain(
  { db, registration }: RepairDeps,
  { businessUnitId, eventId, orderId }: FoundDifference,
): Promise<void> {
  const order = await reloadOrder(db, orderId);
  const units = keptUnitsOf(order, order.cancelledAddons);
  await registration.call(returnUnits, { businessUnitId, eventId, orderId, units });
}
