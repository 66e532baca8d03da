import { orderChangeLimits } from '@event-api/contracts/http/order-changes';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { type Columns, columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { Quote, QuotedRequest } from './effect.rules.ts';
import { OrderChange } from './order-change.entity.ts';

const columns = columnsOf(OrderChange, 'c', { omit: ['createdAt', 'lastAttemptAt'] });

const changeColumns: Columns<RowOf<typeof columns> & { isExpired: boolean }> = {
  sql: `${columns.sql}, c.expires_at <= clock_timestamp() as "isExpired"`,
};

/** A quoted change of an order. */
export type OrderChangeRow = RowOf<typeof changeColumns>;

/** A quote that has expired so long ago is deleted with the next one of its order. */
const keptHours = 24;

const insert = statement(
  'order_change_insert',
  `with outdated as (
     delete from commerce.order_change
     where order_id = $4 and business_unit_id = $2 and state = 'quoted' and expires_at < clock_timestamp() - interval '${keptHours} hours'
   )
   insert into commerce.order_change (id, business_unit_id, event_id, order_id, request, quote, state, created_at,
     expires_at, last_attempt_at)
   values ($1, $2, $3, $4, $5, $6, 'quoted', clock_timestamp(),
     clock_timestamp() + interval '${orderChangeLimits.quoteMinutes} minutes', clock_timestamp())
   on conflict (id) do nothing`,
);

/** Stores a quote, once: a repeated request has the same id. */
export const insertOrderChange = (
  tx: Tx,
  order: EventScope & { id: string },
  change: { id: string; request: QuotedRequest; quote: Quote },
) =>
  tx.query(insert, [
    change.id,
    order.businessUnitId,
    order.eventId,
    order.id,
    JSON.stringify(change.request),
    JSON.stringify(change.quote),
  ]);

const byId = statement<OrderChangeRow>(
  'order_change_by_id',
  `select ${changeColumns.sql} from commerce.order_change c where c.id = $1 and (c.order_id = $2) is true`,
);

/** A change of an order, or null. */
export async function findOrderChange(
  db: Db,
  orderId: string,
  id: string,
): Promise<OrderChangeRow | null> {
  const [row] = await db.query(byId, [id, orderId]);
  return row ?? null;
}

const typesOfOrder = statement<OrderChangeRow>(
  'order_changes_of_types',
  `select ${changeColumns.sql} from commerce.order_change c
   where c.order_id = $1 and (c.business_unit_id = $2) is true and c.state in ('executing', 'done')
     and jsonb_array_length(c.request->'changeTypes') > 0
   order by c.executed_at, c.id`,
);

/** The changes of an order that have given seats other ticket types, the earliest first. */
export const findTypeChanges = (
  db: Db,
  { id, businessUnitId }: Pick<EventScope, 'businessUnitId'> & { id: string },
): Promise<OrderChangeRow[]> => db.query(typesOfOrder, [id, businessUnitId]);

const setState = statement(
  'order_change_set_state',
  `update commerce.order_change set state = $2, executed_at = coalesce(executed_at, clock_timestamp()),
     last_attempt_at = clock_timestamp() where id = $1`,
);

/** Stores a step of the execution of a change. */
export const writeChangeState = (
  db: Db,
  id: string,
  state: 'awaiting_payment' | 'moving' | 'executing' | 'done',
) => db.query(setState, [id, state]);

const setHeld = statement(
  'order_change_set_held',
  'update commerce.order_change set expires_at = $2 where id = $1',
);

/** Stores until when the seats of a change that awaits its payment are held. */
export const writeHeldUntil = (tx: Tx, id: string, expiresAt: string) =>
  tx.query(setHeld, [id, expiresAt]);

const setSettlement = statement(
  'order_change_set_settlement',
  `update commerce.order_change set settlement_id = $2, state = 'moving', last_attempt_at = clock_timestamp()
   where id = $1`,
);

/** Stores the payment of a change: it happens now. */
export const writeChangeSettlement = (tx: Tx, id: string, settlementId: string) =>
  tx.query(setSettlement, [id, settlementId]);

const setPaid = statement(
  'order_change_set_paid',
  'update commerce.order_change set paid_at = clock_timestamp() where id = $1 and settlement_id is not null',
);

/** Marks that the payment of a change pays for the order, if the change has one. */
export const markChangePaid = (tx: Tx, id: string) => tx.query(setPaid, [id]);

const endQuote = statement(
  'order_change_end_quote',
  `update commerce.order_change set state = 'quoted', executed_at = null, expires_at = clock_timestamp()
   where id = $1`,
);

/** Ends the quote of a change that is refused or not paid: nothing has happened. */
export const endRefusedQuote = (tx: Tx, id: string) => tx.query(endQuote, [id]);

const awaitingOfOrder = statement<OrderChangeRow>(
  'order_changes_awaiting_of_order',
  `select ${changeColumns.sql} from commerce.order_change c
   where c.order_id = $1 and (c.business_unit_id = $2) is true and (c.state = 'awaiting_payment') is true`,
);

/** The changes of an order that await their payment; one at most after each decision. */
export const findAwaitingOfOrder = (
  db: Db,
  { id, businessUnitId }: Pick<EventScope, 'businessUnitId'> & { id: string },
): Promise<OrderChangeRow[]> => db.query(awaitingOfOrder, [id, businessUnitId]);

const unpaid = statement<OrderChangeRow>(
  'order_changes_unpaid',
  `select ${changeColumns.sql} from commerce.order_change c
   where c.state = 'awaiting_payment' and c.last_attempt_at <= clock_timestamp() - $1 * interval '1 ms'
     and c.expires_at - $4 * interval '1 ms' <= clock_timestamp()
     and ($3::text is null or c.business_unit_id = $3)
   order by c.last_attempt_at limit $2`,
);

/**
 * Changes whose seats are not held much longer, of one business unit, or of all with null: their pages
 * are expired `leadMs` before.
 */
export const findUnpaidChanges = (
  db: Db,
  minIdleMs: number,
  limit: number,
  businessUnitId: string | null,
  leadMs: number,
): Promise<OrderChangeRow[]> => db.query(unpaid, [minIdleMs, limit, businessUnitId, leadMs]);

const moving = statement<OrderChangeRow>(
  'order_changes_moving',
  `select ${changeColumns.sql} from commerce.order_change c
   where c.state = 'moving' and c.last_attempt_at <= clock_timestamp() - $1 * interval '1 ms'
     and ($3::text is null or c.business_unit_id = $3)
   order by c.last_attempt_at limit $2`,
);

const executing = statement<OrderChangeRow>(
  'order_changes_executing',
  `select ${changeColumns.sql} from commerce.order_change c
   where c.state = 'executing' and c.last_attempt_at <= clock_timestamp() - $1 * interval '1 ms'
     and ($3::text is null or c.business_unit_id = $3)
   order by c.last_attempt_at limit $2`,
);

/**
 * Changes whose execution is unfinished, of one business unit, or of all with null; at most `limit`
 * in each state.
 */
export async function findUnfinishedChanges(
  db: Db,
  minIdleMs: number,
  limit: number,
  businessUnitId: string | null,
): Promise<OrderChangeRow[]> {
  const values = [minIdleMs, limit, businessUnitId];
  return (await Promise.all([moving, executing].map((of) => db.query(of, values)))).flat();
}

const setLastAttemptAt = statement(
  'order_change_record_attempt',
  'update commerce.order_change set last_attempt_at = clock_timestamp() where id = $1',
);

export const recordChangeAttempt = (db: Db, id: string) => db.query(setLastAttemptAt, [id]);
