import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { recordAudit } from '@event-api/platform/audit/write';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { OrderRow } from '../orders/orders.queries.ts';
import { type ChangeRequest, holdersOf } from './effect.rules.ts';
import {
  findOrderChange,
  insertOrderChange,
  type OrderChangeRow,
} from './order-changes.queries.ts';
import { decideQuote, type QuoteDecision } from './quotes.rules.ts';
import { readFacts } from './read-facts.ts';
import { changeRefused } from './refusals.ts';

export interface QuoteDeps {
  db: Database;
  refresher: ProjectionRefresher;
}

/**
 * Quotes a change of an order as it was read, and stores the quote. Nothing else changes. A repeated
 * request with the same `Idempotency-Key` returns the first quote.
 *
 * Errors: 400 for unknown seats and ticket types; 412 `EVENT_ARCHIVED`, `EVENT_CANCELLED`,
 * `EVENT_ENDED`, `ORDER_NOT_PAID`, `ORDER_BUSY`, `SEAT_CANCELLED`, `PRICE_HIGHER`; 503.
 */
export async function quoteChange(
  deps: QuoteDeps,
  order: OrderRow,
  request: ChangeRequest,
): Promise<OrderChangeRow> {
  const { db } = deps;
  const id = newId('quo');
  const existing = await findOrderChange(db, order.id, id);
  if (existing) return existing;
  const decision = await decide(deps, order, request);
  if (decision.outcome !== 'quoted') throw changeRefused(decision);
  const { quote } = decision;
  const quoted = { ...request, holders: holdersOf(order, request) };
  const stored = await db.transaction(async (tx) => {
    recordAudit(tx, { records: [order.id], result: 'unchanged' });
    await insertOrderChange(tx, order, { id, request: quoted, quote });
    return findOrderChange(tx, order.id, id);
  });
  if (!stored) throw new Error('quote not found');
  return stored;
}

/** A rejection that depends on ticket types is decided again with the records of their owner. */
async function decide(
  { db, refresher }: QuoteDeps,
  order: OrderRow,
  request: ChangeRequest,
): Promise<QuoteDecision> {
  const { businessUnitId } = order;
  const records = (request.changeTypes ?? []).map(({ ticketTypeId: id }) => ({
    ...{ type: ticketTypeSnapshot.type, businessUnitId, id },
  }));
  const evaluate = async () => decideQuote(order, request, await readFacts(db, order, request));
  await refresher.confirm(records);
  const first = await evaluate();
  const { outcome } = first;
  if (outcome !== 'unknown_types' && outcome !== 'price_higher') return first;
  await refresher.refresh(records);
  return evaluate();
}
