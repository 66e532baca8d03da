import { readRefundPolicy } from '@event-api/contracts/internal/events';
import * as operations from '@event-api/contracts/operator/refunds';
import type { ServiceClient } from '@event-api/platform/http/call-service';
import type { HttpServer } from '@event-api/platform/http/server';
import type { AskOwner } from '@event-api/platform/projections/ask-owner';
import { eventRecord } from '@event-api/platform/projections/require-event';
import { noteWritten } from '@event-api/platform/read-after/scope';
import { parseReadAfter } from '@event-api/platform/read-after/token';
import { orderView } from '../orders/view.ts';
import type { RefundDeps } from './pay.ts';
import { listNewestRefunds } from './queries.ts';
import { refundOrder } from './refund.ts';
import { refundView } from './view.ts';

export function refundRoutes(
  app: HttpServer,
  deps: RefundDeps & { catalog: ServiceClient; askOwner: AskOwner },
): void {
  app.route({
    ...operations.refundOrder,
    handler: async ({ body: { businessUnitId, eventId, onlyDue, ...asked } }) => {
      const scope = { businessUnitId, eventId };
      // Before money moves: an operator is told nothing about a refund that the policy could not be read for.
      const { policy } = await deps.catalog.call(readRefundPolicy, scope);
      const amount = onlyDue ? 0 : asked.amount;
      const { order, refunds } = await refundOrder(deps, scope, { ...asked, amount });
      noteWritten(parseReadAfter(order.readAfter));
      return { order: orderView(order), refunds: refunds.map(refundView), policy };
    },
  });

  app.route({
    ...operations.listRefunds,
    handler: async ({ body: { businessUnitId, eventId, state } }) => {
      const scope = { businessUnitId, eventId };
      await deps.askOwner.require(eventRecord(scope));
      const rows = await listNewestRefunds(deps.db, scope, state);
      return { refunds: rows.map(refundView) };
    },
  });
}
