import { recordWrite } from '@event-api/platform/messaging/read-after/scope';
import { parseReadAfter } from '@event-api/platform/messaging/read-after/token';
import type { OrderRow } from './orders.queries.ts';
import { orderView } from './orders.view.ts';

/**
 * Returns an order as a response and adds its read-after token: a client that sees an order paid
 * can then read the registrations of the order.
 */
export function orderResponse(order: OrderRow): ReturnType<typeof orderView> {
  recordWrite(parseReadAfter(order.readAfterToken));
  return orderView(order);
}
