import { normalEmail } from '@event-api/contracts/email';
import { normalCode } from '@event-api/contracts/http/fields';
import { type FoundOrder, findOrders, maxFound } from '@event-api/contracts/operator/persons';
import type { Database, Db } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import type { z } from 'zod';
import { attendeeEmailOf } from '../orders/lines.rules.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { orderView } from '../orders/orders.view.ts';
import { seatPricesOf } from '../orders/seat-prices.rules.ts';
import { readTicketTypes } from '../orders/ticket-types.queries.ts';
import { readEventTimes } from '../refunds/cancelled-seats.queries.ts';
import { findRefundsOfOrder } from '../refunds/refunds.queries.ts';
import { refundView } from '../refunds/refunds.view.ts';
import { refundablePrices } from '../refunds/seat-refunds.rules.ts';
import { findOrdersByEmail, findOrdersByIds, findOrdersByNumber } from './persons.queries.ts';

type Input = z.output<typeof findOrders.schema.body>;

export function personRoutes(app: HttpServer, { db }: { db: Database }): void {
  app.route({
    ...findOrders,
    handler: async ({ body }) => {
      const found = await search(db, body);
      const orders = [];
      for (const order of found.slice(0, maxFound)) orders.push(await foundOrder(db, order));
      return { orders, isComplete: found.length <= maxFound };
    },
  });
}

function search(
  db: Db,
  { email, orderNumber, orderIds = [], ...input }: Input,
): Promise<OrderRow[]> {
  const scope = { businessUnitId: input.businessUnitId, eventId: input.eventId ?? null };
  if (email !== undefined) return findOrdersByEmail(db, scope, normalEmail(email));
  if (orderNumber !== undefined) return findOrdersByNumber(db, scope, normalCode(orderNumber));
  return findOrdersByIds(db, scope, orderIds);
}

async function foundOrder(db: Db, order: OrderRow): Promise<z.input<typeof FoundOrder>> {
  const refunds = await findRefundsOfOrder(db, order.id);
  const event = await readEventTimes(db, order);
  const refundable = refundablePrices(order, refunds, event);
  const view = orderView(order);
  const prices = seatPricesOf(order);
  const changedIds = order.seats.flatMap(({ changedTo }) => changedTo?.ticketTypeId ?? []);
  const changed = await readTicketTypes(db, order, changedIds);
  const seats = view.seats.map((seat, n) => ({
    ...seat,
    email: order.seats[n] ? attendeeEmailOf(order.seats[n]) : null,
    name: order.seats[n]?.name ?? null,
    itemName:
      changed.get(order.seats[n]?.changedTo?.ticketTypeId ?? '')?.name ?? nameOfLine(order, seat),
    addonAmount: prices[n]?.addonAmount ?? 0,
    isUnfulfilled: prices[n]?.isUnfulfilled ?? false,
    refundableAmount: refundable.get(seat.registrationId ?? seat.id) ?? 0,
  }));
  return { ...view, refunds: refunds.map(refundView), seats };
}

const nameOfLine = ({ lines }: OrderRow, { itemIndex }: { itemIndex: number }): string =>
  lines[itemIndex]?.name ?? '';
