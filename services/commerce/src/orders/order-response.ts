import { recordWrite } from '@event-api/platform/messaging/read-after/scope';
import { parseReadAfter } from '@event-api/platform/messaging/read-after/token';
import type { OrderRow } from './queries.ts';
import { orderView } from './view.ts';

/**
 * An order as a response. It adds the order's read-after token to the response: a client that sees an order paid can
 * then read the registrations that its fulfilment created.
 */
export function orderResponse(order: OrderRow): ReturnType<typeof orderView> {
  recordWrite(parseReadAfter(order.readAfter));
  return orderView(order);
}
