import { countActive } from '@event-api/contracts/internal/event-cancellation';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type {
  CancellationAmount,
  CancellationPreview,
  previewEventCancel,
} from '@event-api/contracts/operator/event-cancellation';
import { notFound, rethrowMissing } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { z } from 'zod';
import { listOrders, newestOrdersKey } from '../orders/list.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { findUndecidedSeatsOfOrders } from '../refunds/cancelled-seats.queries.ts';
import { findRefundsOfOrders } from '../refunds/refunds.queries.ts';
import { foreseeOrderCancellation } from './ended-seats.rules.ts';
import { countOrdersByStatus, findEvent } from './event.queries.ts';
import { sumDueRefunds } from './refunds.queries.ts';

interface PreviewDeps {
  db: Database;
  registration: ServiceClient;
  refresher: ProjectionRefresher;
}

/** Orders of one read. */
const pageSize = 500;

/**
 * Shows what the cancellation of an event would do now. Its amounts are decided as those of the
 * cancellation are. Changes nothing. Errors: 404; 503 if registration is unavailable.
 */
export async function previewCancellation(
  { db, registration, refresher }: PreviewDeps,
  { refund, ...scope }: z.output<typeof previewEventCancel.schema.body>,
): Promise<z.input<typeof CancellationPreview>> {
  // The version must be that of the owner, whatever the projection has missed.
  await refresher.refresh([eventRef(scope)]).catch(rethrowMissing('event'));
  const event = await findEvent(db, scope);
  if (!event) throw notFound('event');
  const { startsAt, timezone, version, cancelledAt, now } = event;
  const terms = { startsAt, timezone, refund, cancelledAt, now };
  const [{ reservations: reservedSeats, ...registrations }, orders, refunds] = await Promise.all([
    registration.call(countActive, scope),
    countOrdersByStatus(db, scope),
    sumRefunds(db, scope, terms),
  ]);
  return {
    eventId: scope.eventId,
    expectedVersion: version,
    cancelledAt: cancelledAt?.toISOString() ?? null,
    registrations: { ...registrations, reservedSeats },
    orders,
    refunds,
  };
}

/**
 * The refunds of all paid orders and of their seats that were cancelled before, and what is due
 * already, per currency.
 */
async function sumRefunds(
  db: Database,
  scope: EventScope,
  event: Parameters<typeof foreseeOrderCancellation>[2],
): Promise<CancellationAmount[]> {
  const sums = new Map<string, { orders: number; amount: number }>();
  const add = (currency: string, orders: number, amount: number) => {
    const sum = sums.get(currency) ?? { orders: 0, amount: 0 };
    sums.set(currency, { orders: sum.orders + orders, amount: sum.amount + amount });
  };
  const due = event.refund === 'none' ? [] : await sumDueRefunds(db, scope);
  for (const { currency, orders, amount } of due) {
    add(currency, orders, amount);
  }
  for await (const page of paidOrders(db, scope)) {
    const ids = page.map(({ id }) => id);
    const [refunds, undecided] = await Promise.all([
      findRefundsOfOrders(db, ids),
      findUndecidedSeatsOfOrders(db, ids),
    ]);
    for (const order of page) {
      const existing = refunds.get(order.id) ?? [];
      const { decision, ofSeats } = foreseeOrderCancellation(
        order,
        { refunds: existing, undecided: undecided.get(order.id) ?? [] },
        event,
      );
      const amount = ofSeats + (decision.outcome === 'refund' ? decision.amount : 0);
      if (amount === 0) continue;
      // An order to which something is due is counted with it.
      const isCounted = existing.some(
        ({ state, failure, currency }) =>
          state === 'due' && failure === null && currency === order.currency,
      );
      add(order.currency, isCounted && event.refund !== 'none' ? 0 : 1, amount);
    }
  }
  return [...sums]
    .map(([currency, sum]) => ({ currency, ...sum }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}

async function* paidOrders(db: Database, scope: EventScope): AsyncGenerator<OrderRow[]> {
  const filters = { status: 'paid' } as const;
  for (let after: readonly unknown[] = newestOrdersKey.start; ; ) {
    const rows = await listOrders(db, scope, 'own', { filters, after, limit: pageSize });
    const page = rows.slice(0, pageSize);
    yield page;
    const last = page.at(-1);
    if (rows.length <= pageSize || !last) return;
    after = newestOrdersKey.keyOf(last);
  }
}
