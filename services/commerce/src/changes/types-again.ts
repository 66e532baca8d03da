import { changeSeatTypes } from '@event-api/contracts/internal/reservations';
import type { Db } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { OrderRow } from '../orders/orders.queries.ts';
import { findTypeChanges } from './order-changes.queries.ts';
import { changedSeatsOf } from './types-again.rules.ts';

/**
 * Gives the seats of an order the ticket types again that its changes have given them, after
 * registration has lost this in a restore. `holderOf` is the holder that registration has of a seat;
 * a seat without one is left out. A change whose type has no seat left stays a difference. Safe to
 * retry: registration applies each change once. Errors: 503.
 */
export async function changeTypesAgain(
  { db, registration }: { db: Db; registration: ServiceClient },
  order: OrderRow,
  holderOf: (seatId: string) => string | undefined,
): Promise<void> {
  const { businessUnitId, eventId, id: orderId } = order;
  for (const { changeId, seats } of changedSeatsOf(order, await findTypeChanges(db, order))) {
    const held = seats.flatMap(({ id, ticketTypeId, amount }) => {
      const holderId = holderOf(id);
      return holderId === undefined ? [] : { holderId, ticketTypeId, amount };
    });
    if (held.length === 0) continue;
    await registration.call(changeSeatTypes, {
      ...{ businessUnitId, eventId, orderId, changeId },
      ...{ seats: held, again: true },
    });
  }
}
