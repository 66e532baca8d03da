import { unavailable } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import type { OrderRow } from '../orders/orders.queries.ts';
import { readTicketTypes } from '../orders/ticket-types.queries.ts';
import { readEventTimes } from '../refunds/cancelled-seats.queries.ts';
import { findRefundsOfOrder } from '../refunds/refunds.queries.ts';
import type { ChangeRequest } from './effect.rules.ts';
import type { QuoteFacts } from './quotes.rules.ts';

/**
 * Reads what a quote of a change of an order rests on, beside it. Errors: 503 while the
 * time zone of the event is not known.
 */
export async function readFacts(
  db: Db,
  order: OrderRow,
  { changeTypes = [] }: Pick<ChangeRequest, 'changeTypes'>,
): Promise<QuoteFacts> {
  const typeIds = changeTypes.map(({ ticketTypeId }) => ticketTypeId);
  const [event, refunds, types] = await Promise.all([
    readEventTimes(db, order),
    findRefundsOfOrder(db, order.id),
    readTicketTypes(db, order, typeIds),
  ]);
  if (!event) throw unavailable(new Error('the time zone of the event is not known yet'));
  const prices = new Map([...types].map(([id, { priceAmount }]) => [id, priceAmount]));
  const taxRates = new Map([...types].map(([id, { taxRate }]) => [id, taxRate]));
  return { refunds, event, prices, taxRates, now: event.now };
}
