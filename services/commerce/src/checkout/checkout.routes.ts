import * as operations from '@event-api/contracts/http/checkout';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import { countOutcome } from '@event-api/platform/telemetry/outcomes';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import type { FastifyRequest } from 'fastify';
import { orderResponse } from '../orders/order-response.ts';
import type { OrderSeat } from '../orders/order-seats.rules.ts';
import { type OrderRow, readOrder } from '../orders/orders.queries.ts';
import { placedOrderView } from '../orders/orders.view.ts';
import { assignSeat, requireSeat } from './assign-seat.ts';
import { type CancelDeps, cancelOrder } from './cancel.ts';
import { type ConfirmDeps, confirmOrder } from './confirm.ts';
import { type PlaceDeps, placeOrder } from './place.ts';
import { setBilling } from './set-billing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The order in the path of a confirmation or cancellation. */
    order: OrderRow;
    /** The seat in the path of its assignment. */
    seat: OrderSeat;
  }
}

/** Places, confirms and cancels orders. */
export function checkoutRoutes(
  app: HttpServer,
  deps: PlaceDeps & ConfirmDeps & CancelDeps & { telemetry: Telemetry },
): void {
  const { db, refresher } = deps;
  app.decorateRequest('order');
  app.decorateRequest('seat');
  const countPlacement = deps.telemetry.metrics.counter('commerce.placements');
  const countConfirmation = deps.telemetry.metrics.counter('commerce.confirmations');

  /** Runs before body validation: an order of another business unit is always a 404. */
  const requireOrder = async (request: FastifyRequest) => {
    const { orderNumber } = request.params as { orderNumber: string };
    request.order = await readOrder(db, scopeOf(request), orderNumber);
  };

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
        const { registrationId, registrationStatus, openOrderId } = placed;
        const alreadyRegistered = true as const;
        return { alreadyRegistered, registrationId, registrationStatus, openOrderId };
      }
      const { order } = placed;
      const location = `/v1/events/${order.eventId}/orders/${order.id}`;
      reply.code(201).header('location', location);
      return placedOrderView(orderResponse(order), order);
    },
  });

  app.route({
    ...operations.confirmOrder,
    onRequest: requireOrder,
    handler: async (request) => {
      const confirmed = await countOutcome(
        (outcome) => countConfirmation({ outcome }),
        ({ status }) => status,
        () => confirmOrder(deps, request.order, request.body ?? {}),
      );
      return orderResponse(confirmed);
    },
  });

  app.route({
    ...operations.assignSeat,
    onRequest: async (request) => {
      await requireOrder(request);
      request.seat = requireSeat(request.order, (request.params as { seatId: string }).seatId);
    },
    handler: async ({ order, seat, body }) =>
      orderResponse(await assignSeat(deps, order, seat, body)),
  });

  app.route({
    ...operations.setOrderBilling,
    onRequest: requireOrder,
    handler: async ({ order, body }) =>
      orderResponse(await setBilling(deps, order.id, body.billing)),
  });

  app.route({
    ...operations.cancelOrder,
    onRequest: requireOrder,
    handler: async (request) => orderResponse(await cancelOrder(deps, request.order.id)),
  });
}
