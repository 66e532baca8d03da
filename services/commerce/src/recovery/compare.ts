import { listFulfilledReservations } from '@event-api/contracts/internal/reservations';
import type { Db } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import {
  type ComparedRow,
  findComparedOrders,
  findComparedOrdersOfIds,
  restoreSeatsOfOrders,
  revokeOrdersAgain,
} from './comparison/comparison.queries.ts';
import { alignPages, type Comparison, compareOrder } from './comparison/comparison.rules.ts';

/** Orders and reservations per request, and requests per command. */
const pageRows = 500;
const maxPages = 200;
/** A command returns after the page with which it has this many differences. */
const enoughDifferences = 1000;

type Difference = Extract<Comparison, { outcome: 'differs' }>;

/**
 * Compares orders with the reservations of registration in the order of their ids, which both
 * share. With `repair`, it marks what the sweep then repairs. Orders that change meanwhile are
 * not reported: orders are read first, and an order without a row is read again after its
 * reservation.
 * Errors: 503 if registration is unavailable.
 */
export async function compareWithRegistration(
  { db, registration }: { db: Db; registration: ServiceClient },
  {
    businessUnitId,
    repair,
    after,
  }: { businessUnitId: string | null; repair: boolean; after: string },
) {
  const differences: ReturnType<typeof differenceView>[] = [];
  let compared = 0;
  let cursor: string | null = after;
  for (let page = 0; cursor !== null && page < maxPages; page++) {
    const part = await readPage(db, registration, { businessUnitId, after: cursor });
    const found = part.rows.flatMap(({ order, reservation }) => {
      const active = reservation && { active: reservation.registrationIds };
      const comparison = compareOrder(order, active);
      const scope = order ?? reservation;
      if (comparison.outcome === 'consistent' || !scope) return [];
      return differenceView(scope, order, comparison);
    });
    if (repair) await markForRepair(db, found);
    differences.push(...found);
    compared += part.rows.length;
    cursor = part.next;
    if (differences.length >= enoughDifferences) break;
  }
  return { compared, differences, nextCursor: cursor };
}

/** The orders and reservations after an id. `next` is the last id, or null at the end. */
async function readPage(
  db: Db,
  registration: ServiceClient,
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
  return {
    rows: rows.map((row) => ({ ...row, order: row.order ?? orderOf.get(row.orderId) ?? null })),
    next,
  };
}

const differenceView = (
  { businessUnitId, eventId, orderId }: Pick<ComparedRow, 'businessUnitId' | 'eventId' | 'orderId'>,
  order: ComparedRow | null,
  { difference, registrationIds, repair }: Difference,
) => ({
  difference,
  businessUnitId,
  eventId,
  orderId,
  status: order?.status ?? null,
  registrationIds: [...registrationIds],
  repair,
});

async function markForRepair(
  db: Db,
  found: readonly { orderId: string; repair: Difference['repair'] }[],
): Promise<void> {
  const idsOf = (wanted: Difference['repair']) =>
    found.filter(({ repair }) => repair === wanted).map(({ orderId }) => orderId);
  await restoreSeatsOfOrders(db, idsOf('fulfil'));
  await revokeOrdersAgain(db, idsOf('revoke'));
}
