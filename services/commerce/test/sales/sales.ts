import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { randomId } from '@event-api/platform/core/ids';
import { database } from '../context.ts';

export interface StoredRefund {
  amount: number;
  state: 'done' | 'due';
  doneAt: Date | null;
  /** Whether it returns the payment of the order, or another one, such as a second payment. */
  ofOrder: boolean;
}

export interface StoredDispute {
  amount: number;
  status: 'inquiry' | 'needs_response' | 'under_review' | 'won' | 'lost';
  createdAt: Date;
}

export interface StoredOrder {
  scope: EventScope;
  currency: string;
  status: 'paid' | 'refunded' | 'refund_due' | 'cancelled';
  /** Null: never paid. */
  paidAt: Date | null;
  seats: { ticketTypeId: string; amount: number }[];
  /** What the order costs beyond its seats, such as add-ons. */
  extraAmount: number;
  /** The status of the registration of each seat; confirmed by default. */
  statuses?: RegistrationStatus[];
  refunds: StoredRefund[];
  /** Of the payment of the order. */
  disputes?: StoredDispute[];
}

export const totalOf = ({ seats, extraAmount }: StoredOrder): number =>
  seats.reduce((sum, { amount }) => sum + amount, extraAmount);

/** Stores orders with their payments and refunds. */
export async function store(orders: readonly StoredOrder[]): Promise<void> {
  const rows = orders.map((order) => ({
    ...order.scope,
    id: randomId('ord'),
    number: randomId('ord'),
    currency: order.currency,
    status: order.status,
    paidAt: order.paidAt,
    seats: order.seats,
    total: totalOf(order),
    settlementId: totalOf(order) > 0 && order.paidAt !== null ? randomId('stl') : null,
    refunds: order.refunds,
    disputes: order.disputes ?? [],
  }));
  await database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, settlement_id, hold_expires_at, placed_at, paid_at, last_attempt_at)
     select id, "businessUnitId", "eventId", number, 'ada@example.com', status, currency, total, seats, '{}',
       "settlementId", now(), now(), "paidAt", now()
     from jsonb_to_recordset($1) as x(id text, "businessUnitId" text, "eventId" text, number text, status text,
       currency text, total bigint, seats jsonb, "settlementId" text, "paidAt" timestamptz)`,
    [JSON.stringify(rows)],
  );
  await storeSeats(rows.map(({ id }, n) => ({ id, ...(orders[n] as StoredOrder) })));
  const settlements = rows.flatMap(({ id, settlementId, total, currency, refunds }) => [
    ...(settlementId === null
      ? []
      : [{ id: settlementId, orderId: id, amount: total, currency, state: 'accepted' }]),
    ...refunds
      .filter(({ ofOrder }) => !ofOrder)
      .map(({ amount }) => ({
        id: randomId('stl'),
        orderId: id,
        amount,
        currency,
        state: 'surplus',
      })),
  ]);
  await database.sql(
    `insert into commerce.settlement (id, provider, provider_notification_id, provider_payment_id, session_id,
       order_id, amount, currency, state, received_at, last_attempt_at)
     select id, 'sandbox', id, id, id, "orderId", amount, currency, state, now(), now()
     from jsonb_to_recordset($1) as x(id text, "orderId" text, amount bigint, currency text, state text)`,
    [JSON.stringify(settlements)],
  );
  const surplus = new Map(
    rows.map(({ id }) => [
      id,
      settlements.filter(({ orderId, state }) => orderId === id && state === 'surplus'),
    ]),
  );
  const refunds = rows.flatMap(({ refunds: ofRow, ...row }) =>
    ofRow.map(({ ofOrder, ...refund }) => ({
      ...row,
      ...refund,
      orderId: row.id,
      id: randomId('rfd'),
      settlementId: ofOrder ? row.settlementId : surplus.get(row.id)?.shift()?.id,
    })),
  );
  await database.sql(
    `insert into commerce.refund (id, business_unit_id, event_id, order_id, settlement_id, amount, currency, state,
       cause, created_at, done_at, last_attempt_at)
     select id, "businessUnitId", "eventId", "orderId", "settlementId", amount, currency, state, 'operator', now(),
       "doneAt", now()
     from jsonb_to_recordset($1) as x(id text, "businessUnitId" text, "eventId" text, "orderId" text,
       "settlementId" text, amount bigint, currency text, state text, "doneAt" timestamptz)`,
    [JSON.stringify(refunds)],
  );
  await storeDisputes(rows);
}

/** Stores disputes of payments, by the ids of the payments. */
async function storeDisputes(
  rows: readonly (EventScope & {
    id: string;
    settlementId: string | null;
    currency: string;
    disputes: StoredDispute[];
  })[],
): Promise<void> {
  const disputes = rows.flatMap(({ disputes: ofRow, ...row }) =>
    ofRow.map((dispute) => ({ ...row, ...dispute, disputeId: randomId('stl') })),
  );
  await database.sql(
    `insert into commerce.dispute (provider, provider_dispute_id, provider_payment_id, amount, currency, status,
       created_at, reported_at, settlement_id, order_id, business_unit_id, event_id, received_at)
     select 'sandbox', "disputeId", "settlementId", amount, currency, status, "createdAt", now(), "settlementId", id,
       "businessUnitId", "eventId", now()
     from jsonb_to_recordset($1) as x(id text, "businessUnitId" text, "eventId" text, "settlementId" text,
       "disputeId" text, currency text, amount bigint, status text, "createdAt" timestamptz)`,
    [JSON.stringify(disputes)],
  );
}

/** Stores a line with all seats of each order, and the registrations of those that were paid. */
async function storeSeats(orders: readonly (StoredOrder & { id: string })[]): Promise<void> {
  const rows = orders
    .filter(({ paidAt, seats }) => paidAt !== null && seats.length > 0)
    .map(({ id, scope, seats, statuses = [] }) => ({
      ...{ ...scope, id, quantity: seats.length },
      registrations: seats.map((_, n) => ({
        id: randomId('reg'),
        status: statuses[n] ?? 'confirmed',
      })),
    }));
  await database.sql(
    `with x as (
       select * from jsonb_to_recordset($1) as x(id text, "businessUnitId" text, "eventId" text, quantity int,
         registrations jsonb)
     ), lines as (
       insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount,
         discount_amount, total_amount, attendees, first_seat, seat_count, registration_ids)
       select x.id, 0, 'registration_type', 'tt_1', 'Seat', x.quantity, 0, 0, 0, '[]', 0, x.quantity,
         array(select r->>'id' from jsonb_array_elements(x.registrations) with ordinality r(r, n) order by n)
       from x
     )
     insert into commerce.registration_projection (id, business_unit_id, event_id, version, status, order_id)
     select r->>'id', x."businessUnitId", x."eventId", 1, r->>'status', x.id
     from x, jsonb_array_elements(x.registrations) r`,
    [JSON.stringify(rows)],
  );
}
