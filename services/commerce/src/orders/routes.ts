import * as operations from '@event-api/contracts/http/orders';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import { recordWrite } from '@event-api/platform/messaging/read-after/scope';
import { parseReadAfter } from '@event-api/platform/messaging/read-after/token';
import { countOutcome } from '@event-api/platform/telemetry/outcomes';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import type { FastifyRequest } from 'fastify';
import { type CancelDeps, cancelOrder } from '../checkout/cancel.ts';
import { type ConfirmDeps, confirmOrder } from '../checkout/confirm.ts';
import { type PlaceDeps, placeOrder } from '../checkout/place.ts';
import { orderPage } from './page.ts';
import { findOrderId, type OrderRow, readOrder } from './queries.ts';
import { orderView, placedOrderView } from './view.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The order that the path of a change names. */
    orderId: string;
  }
}

export function orderRoutes(
  app: HttpServer,
  deps: PlaceDeps & ConfirmDeps & CancelDeps & { telemetry: Telemetry },
): void {
  const { db, refresher } = deps;
  app.decorateRequest('orderId', '');
  const countPlacement = deps.telemetry.metrics.counter('commerce.placements');
  const countConfirmation = deps.telemetry.metrics.counter('commerce.confirmations');

  /** Whoever sees an order paid can read what it has made. */
  const toResponse = (order: OrderRow) => {
    recordWrite(parseReadAfter(order.readAfter));
    return orderView(order);
  };

  /** Before the body is looked at: a foreign order is not there, whatever is said about it. */
  const requireOrder = async (request: FastifyRequest) => {
    const { orderNumber } = request.params as { orderNumber: string };
    request.orderId = await findOrderId(db, scopeOf(request), orderNumber);
  };

  app.route({
    ...operations.listOrders,
    onRequest: requireEvent(refresher),
    handler: async (request) => {
      const { items, nextCursor } = await orderPage(
        db,
        scopeOf(request),
        request.query,
        toResponse,
      );
      return { orders: items, nextCursor };
    },
  });

  app.route({
    ...operations.placeOrder,
    onRequest: requireEvent(refresher),
    handler: async (request, reply) => {
      const placed = await countOutcome(
        (outcome) => countPlacement({ outcome }),
        ({ outcome }) => outcome,
        () => placeOrder(deps, scopeOf(request), request.body),
      );
      if (placed.outcome === 'already_registered') {
        return { alreadyRegistered: true as const, registrationId: placed.registrationId };
      }
      const { order } = placed;
      const location = `/v1/events/${order.eventId}/orders/${order.id}`;
      return reply
        .code(201)
        .header('location', location)
        .send(placedOrderView(toResponse(order), order));
    },
  });

  app.route({
    ...operations.getOrder,
    handler: async (request) =>
      toResponse(await readOrder(db, scopeOf(request), request.params.orderId)),
  });

  app.route({
    ...operations.confirmOrder,
    onRequest: requireOrder,
    handler: async (request) => {
      const confirmed = await countOutcome(
        (outcome) => countConfirmation({ outcome }),
        ({ status }) => status,
        () => confirmOrder(deps, request.orderId, request.body ?? {}),
      );
      return toResponse(confirmed);
    },
  });

  app.route({
    ...operations.cancelOrder,
    onRequest: requireOrder,
    handler: async (request) => toResponse(await cancelOrder(deps, request.orderId)),
  });
}
