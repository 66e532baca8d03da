import { listFulfilledReservations } from '@event-api/contracts/internal/reservations';
import type { Db } from '@event-api/platform/db/database';
import { revisitCancellations } from '../cancellations/cancellations.queries.ts';
import { keptUnitsOf } from '../changes/cancelled-units.rules.ts';
import { findTypeChanges } from '../changes/order-changes.queries.ts';
import { holderOf } from '../changes/seats.rules.ts';
import { changedSeatsOf } from '../changes/types-again.rules.ts';
import { orderSeatsOf } from '../orders/order-seats.rules.ts';
import { reloadOrder } from '../orders/orders.queries.ts';
import {
  type ComparedRow,
  findComparedOrders,
  findComparedOrdersOfIds,
} from './comparison/comparison.queries.ts';
import {
  alignPages,
  type ComparedOrder,
  compareOrder,
  type Difference,
} from './comparison/comparison.rules.ts';
import { type FoundDifference, type RepairDeps, repairDifferences } from './repair.ts';

/** Orders and reservations per request, and requests per command. */
const pageRows = 500;
const maxPages = 200;
/** A command returns after the page with which it has this many differences. */
const enoughDifferences = 1000;

/**
 * Compares orders with the reservations of registration in the order of their ids, which both
 * share. With `repair`, it repairs what it finds, or marks it for the sweep. Orders that change
 * meanwhile are not reported: orders are read first, and an order without a row is read again after
 * its reservation. Also with `repair`, registration empties the cancelled events again.
 * Errors: 503 if registration is unavailable.
 */
export async function compareWithRegistration(
  deps: RepairDeps,
  {
    businessUnitId,
    repair,
    after,
  }: { businessUnitId: string | null; repair: boolean; after: string },
) {
  const differences: FoundDifference[] = [];
  if (repair) await revisitCancellations(deps.db, businessUnitId);
  let compared = 0;
  let cursor: string | null = after;
  for (let page = 0; cursor !== null && page < maxPages; page++) {
    const part = await readPage(deps, { businessUnitId, after: cursor });
    const found = part.rows.flatMap(({ order, reservation }) => {
      const scope = order ?? reservation;
      if (!scope) return [];
      return compareOrder(order, reservation).map((each) => differenceView(scope, order, each));
    });
    if (repair) await repairDifferences(deps, found);
    differences.push(...found);
    compared += part.rows.length;
    cursor = part.next;
    if (differences.length >= enoughDifferences) break;
  }
  return { compared, differences, nextCursor: cursor };
}

/** The orders and reservations after an id. `next` is the last id, or null at the end. */
async function readPage(
  { db, registration }: RepairDeps,
  { businessUnitId, after }: { businessUnitId: string | null; after: string },
) {
  const page = { after, limit: pageRows };
  const orders = await findComparedOrders(db, businessUnitId, page);
  const { reservations } = await registration.call(listFulfilledReservations, {
    businessUnitId,
    ...page,
  });
  const { rows, next } = alignPages(orders, reservations, pageRows);
  const withoutOrder = rows.flatMap(({ orderId, order }) => (order ? [] : orderId));
  const later = await findComparedOrdersOfIds(db, withoutOrder);
  const orderOf = new Map(later.map((order) => [order.orderId, order]));
  const compared = [];
  for (const { orderId, order = null, reservation } of rows) {
    const found = order ?? orderOf.get(orderId) ?? null;
    compared.push({
      order: found && { ...found, ...(await changesOf(db, found)) },
      reservation: reservation && { units: [], typeChanges: null, ...reservation },
    });
  }
  return { rows: compared, next };
}

/** Changes are few, so the orders with any are read one by one. */
async function changesOf(
  db: Db,
  { orderId, hasCancelledAddons, hasChangedTypes }: ComparedRow,
): Promise<Pick<ComparedOrder, 'unitsLeft' | 'typeChanges'>> {
  if (!hasCancelledAddons && !hasChangedTypes) return { unitsLeft: [], typeChanges: [] };
  const order = await reloadOrder(db, orderId);
  const holderIds = new Map(
    orderSeatsOf(order).map((seat) => [seat.id, [seat.id, holderOf(seat)]]),
  );
  const changes = hasChangedTypes ? await findTypeChanges(db, order) : [];
  return {
    unitsLeft: keptUnitsOf(order, order.cancelledAddons),
    typeChanges: changedSeatsOf(order, changes).map(({ changeId, seats }) => ({
      changeId,
      // A seat is open at registration if its assignment is lost, too.
      holderIds: seats.flatMap(({ id }) => holderIds.get(id) ?? []),
    })),
  };
}

const differenceView = (
  { businessUnitId, eventId, orderId }: Pick<ComparedRow, 'businessUnitId' | 'eventId' | 'orderId'>,
  order: ComparedRow | null,
  { difference, registrationIds, repair }: Difference,
): FoundDifference => ({
  difference,
  businessUnitId,
  eventId,
  orderId,
  status: order?.status ?? null,
  registrationIds: [...registrationIds],
  repair,
});
