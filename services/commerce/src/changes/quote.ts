import { recordAudit } from '@event-api/platform/audit/write';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import type { OrderRow } from '../orders/orders.queries.ts';
import {
  findOrderChange,
  insertOrderChange,
  type OrderChangeRow,
} from './order-changes.queries.ts';
import { type ChangeRequest, decideQuote } from './quotes.rules.ts';
import { readFacts } from './read-facts.ts';
import { changeRefused } from './refusals.ts';

/**
 * Quotes a change of an order as it was read, and stores the quote. Nothing else changes. A repeated
 * request with the same `Idempotency-Key` returns the first quote.
 *
 * Errors: 400 for unknown seats; 412 `EVENT_ARCHIVED`, `EVENT_CANCELLED`, `EVENT_ENDED`,
 * `ORDER_NOT_PAID`, `ORDER_BUSY`, `SEAT_CANCELLED`; 503.
 */
export async function quoteChange(
  db: Database,
  order: OrderRow,
  request: ChangeRequest,
): Promise<OrderChangeRow> {
  const id = newId('quo');
  const existing = await findOrderChange(db, order.id, id);
  if (existing) return existing;
  const decision = decideQuote(order, request, await readFacts(db, order));
  if (decision.outcome !== 'quoted') throw changeRefused(decision);
  const { quote } = decision;
  const stored = await db.transaction(async (tx) => {
    recordAudit(tx, { records: [order.id], result: 'unchanged' });
    await insertOrderChange(tx, order, { id, request, quote });
    return findOrderChange(tx, order.id, id);
  });
  if (!stored) throw new Error('quote not found');
  return stored;
}
