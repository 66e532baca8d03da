import * as operations from '@event-api/contracts/http/order-changes';
import { scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyRequest } from 'fastify';
import { orderResponse } from '../orders/order-response.ts';
import { type OrderRow, readOrder } from '../orders/orders.queries.ts';
import type { RefundDeps } from '../refunds/send.ts';
import { executeQuote } from './execute.ts';
import type { OrderChangeRow } from './order-changes.queries.ts';
import { type QuoteDeps, quoteChange } from './quote.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The order in the path of a change. */
    changedOrder: OrderRow;
  }
}

/** Quotes changes of orders, and executes quotes. */
export function changeRoutes(app: HttpServer, deps: RefundDeps & QuoteDeps): void {
  app.decorateRequest('changedOrder');

  /** Runs before body validation: an order of another business unit is always a 404. */
  const requireOrder = async (request: FastifyRequest) => {
    const { orderNumber } = request.params as { orderNumber: string };
    request.changedOrder = await readOrder(deps.db, scopeOf(request), orderNumber);
  };

  app.route({
    ...operations.changeOrder,
    onRequest: requireOrder,
    handler: async ({ body, changedOrder }) => {
      if (body.quoteId !== undefined) {
        const { quoteId, successUrl, cancelUrl } = body;
        const executed = await executeQuote(deps, changedOrder.id, {
          ...{ quoteId, successUrl, cancelUrl },
        });
        return changeView(executed.change, executed.order, executed.paymentUrl);
      }
      const { cancelSeats, cancelAddons, changeTypes } = body;
      const request = { cancelSeats, cancelAddons, changeTypes };
      return changeView(await quoteChange(deps, changedOrder, request), changedOrder);
    },
  });
}

const changeView = (
  { id, expiresAt, quote, state }: OrderChangeRow,
  order: OrderRow,
  paymentUrl: string | null = null,
) => ({
  status: state === 'quoted' || state === 'awaiting_payment' ? state : ('done' as const),
  paymentUrl,
  quote: {
    ...{ id, expiresAt: expiresAt.toISOString(), ...quote },
    // A quote of the previous release does not have these.
    lines: quote.lines.map((line) => ({ ...line, ...laterFieldsOf(line) })),
  },
  order: orderResponse(order),
});

const laterFieldsOf = ({
  ticketTypeId = null,
  price = null,
  isLimited = false,
}: Partial<
  Pick<OrderChangeRow['quote']['lines'][number], 'ticketTypeId' | 'price' | 'isLimited'>
>) => ({
  ...{ ticketTypeId, price, isLimited },
});
