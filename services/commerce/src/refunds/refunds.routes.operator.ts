import type { IncomingHttpHeaders } from 'node:http';
import { readRefundPolicy } from '@event-api/contracts/internal/events';
import { generatedKeyHeader } from '@event-api/contracts/operator/headers';
import * as operations from '@event-api/contracts/operator/refunds';
import { rethrowMissing } from '@event-api/platform/core/errors';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { z } from 'zod';
import { orderResponse } from '../orders/order-response.ts';
import { listNewestRefunds, type RefundScope, sumOwedRefunds } from './list.ts';
import { readRefundDelay } from './refund-delay.queries.ts';
import { setRefundDelay } from './refund-delay.ts';
import { refundOrder } from './refund-order.ts';
import type { RefundRow } from './refunds.queries.ts';
import type { RefundRequest } from './refunds.rules.ts';
import { listedRefundView, refundView } from './refunds.view.ts';
import type { SeatsRequest } from './seat-refunds.rules.ts';
import type { RefundDeps } from './send.ts';
import { withdrawFailed } from './withdraw-failed.ts';

type RefundBody = z.output<typeof operations.refundOrder.schema.body>;

/** The schema guarantees that the body has exactly one extent. */
function refundRequest(
  { amount, all, registrationIds, keepRegistrations: keeps, force }: RefundBody,
  hasKey: boolean,
): RefundRequest | SeatsRequest {
  if (registrationIds) return { extent: 'registrationIds', registrationIds, keeps };
  const isForced = force || hasKey;
  if (amount !== undefined) return { extent: 'amount', amount, force: isForced };
  return { extent: all ? 'all' : 'onlyDue', force: isForced };
}

/**
 * Whether the client chose an `Idempotency-Key` for this refund. The admin command generates a new
 * key for each call, so a command that was repeated by mistake has another key.
 */
const hasChosenKey = (headers: IncomingHttpHeaders): boolean =>
  headers['idempotency-key'] !== undefined && headers[generatedKeyHeader] === undefined;

export function refundRoutes(
  app: HttpServer,
  deps: RefundDeps & { catalog: ServiceClient; refresher: ProjectionRefresher },
): void {
  app.route({
    ...operations.refundOrder,
    handler: async ({ body, headers }) => {
      const { businessUnitId, eventId, orderId, reason } = body;
      const scope = { businessUnitId, eventId };
      // Read the policy before money moves: if that fails, nothing is refunded.
      const { policy } = await deps.catalog
        .call(readRefundPolicy, scope)
        .catch(rethrowMissing('event'));
      const request = refundRequest(body, hasChosenKey(headers));
      const { order, refunds } = await refundOrder(deps, scope, { orderId, reason, request });
      return { order: orderResponse(order), refunds: refunds.map(refundView), policy };
    },
  });

  app.route({
    ...operations.listRefunds,
    handler: async ({ body: { limit, cursor, ...filter } }) => {
      await requireEvent(deps, filter);
      const after = decodeCursor('refunds', cursor, ['instant', 'string'] as const);
      const rows = await listNewestRefunds(deps.db, filter, after, limit);
      const key = ({ createdAt, id }: RefundRow) => [createdAt.toISOString(), id];
      const { items, nextCursor } = paginate(rows, limit, listedRefundView, key, 'refunds');
      return { refunds: items, nextCursor };
    },
  });

  app.route({
    ...operations.withdrawFailedRefunds,
    handler: async ({ body: { orderId, reason, ...scope } }) => ({
      withdrawn: await withdrawFailed(deps.db, scope, { orderId, reason }),
    }),
  });

  app.route({
    ...operations.setRefundDelay,
    handler: async ({ body }) => setRefundDelay(deps.db, body),
  });

  app.route({
    ...operations.getRefundDelay,
    handler: async ({ body: { businessUnitId } }) => readRefundDelay(deps.db, businessUnitId),
  });

  app.route({
    ...operations.summarizeRefunds,
    handler: async ({ body }) => {
      await requireEvent(deps, body);
      return { owed: await sumOwedRefunds(deps.db, body) };
    },
  });
}

/** Errors: 404 for an event that the business unit does not have. */
async function requireEvent(
  { refresher }: { refresher: ProjectionRefresher },
  { businessUnitId, eventId }: RefundScope,
): Promise<void> {
  if (businessUnitId === undefined || eventId === undefined) return;
  await refresher.require(eventRef({ businessUnitId, eventId })).catch(rethrowMissing('event'));
}
