import { unavailable } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import type { OrderRow } from '../orders/orders.queries.ts';
import { readEventTimes } from '../refunds/cancelled-seats.queries.ts';
import { findRefundsOfOrder } from '../refunds/refunds.queries.ts';
import { readSettlement, type SettlementRow } from '../settlements/settlements.queries.ts';
import type { QuoteFacts } from './quotes.rules.ts';

/**
 * Reads what a quote of an order rests on, and its payment. Errors: 503 while the time zone of the
 * event is not known.
 */
export async function readFacts(
  db: Db,
  order: OrderRow,
): Promise<QuoteFacts & { settlement: SettlementRow | null }> {
  const [event, settlement, refunds] = await Promise.all([
    readEventTimes(db, order),
    order.settlementId === null ? null : readSettlement(db, order.settlementId),
    findRefundsOfOrder(db, order.id),
  ]);
  if (!event) throw unavailable(new Error('the time zone of the event is not known yet'));
  const paid = settlement?.amount ?? 0;
  return { paid, settlement, refunds, event, now: event.now };
}
