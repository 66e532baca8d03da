import type { CancellationRefund } from '@event-api/contracts/http/events';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { EventCancellation } from './event-cancellation.entity.ts';

const begin = statement(
  'cancellations_begin',
  `insert into commerce.event_cancellation (event_id, business_unit_id, next_attempt_at)
   select e.id, e.business_unit_id, clock_timestamp() from commerce.event_projection e
   where e.cancelled_at is not null and not exists (
     select from commerce.event_cancellation c where c.event_id = e.id and (c.business_unit_id = e.business_unit_id) is true)
   on conflict do nothing`,
);

/** Begins the cancellation of every event that is cancelled since the last call. */
export const beginCancellations = (db: Db) => db.query(begin);

const columns = columnsOf(EventCancellation, 'c', { omit: ['nextAttemptAt', 'problem'] });

/** A cancellation to continue, with the terms of its event. */
export interface ClaimedCancellation extends RowOf<typeof columns> {
  cancelledAt: Date;
  refund: CancellationRefund;
  startsAt: Date | null;
  timezone: string;
  ageMs: number;
}

// An event that a restore of catalog has brought back is not cancelled any more.
const claim = statement<ClaimedCancellation>(
  'cancellations_claim',
  `with due as materialized (
     select d.event_id, e.cancelled_at, e.cancellation_refund, e.starts_at, e.timezone
     from commerce.event_cancellation d join commerce.event_projection e on e.id = d.event_id
     where d.next_attempt_at <= clock_timestamp() and (e.cancelled_at is not null) is true
     order by d.next_attempt_at limit $1 for update of d skip locked
   )
   update commerce.event_cancellation c set next_attempt_at = clock_timestamp() + $2 * interval '1 ms'
   from due where c.event_id = due.event_id
   returning ${columns.sql}, due.cancelled_at as "cancelledAt", due.cancellation_refund as refund,
     due.starts_at as "startsAt", coalesce(due.timezone, 'UTC') as timezone,
     (extract(epoch from clock_timestamp() - due.cancelled_at) * 1000)::float8 as "ageMs"`,
);

/**
 * Claims cancellations whose next attempt is due. No other replica continues them within `leaseMs`,
 * unless this one releases them before.
 */
export const claimCancellations = (
  db: Db,
  limit: number,
  leaseMs: number,
): Promise<ClaimedCancellation[]> => db.query(claim, [limit, leaseMs]);

const revisit = statement(
  'cancellations_revisit',
  `update commerce.event_cancellation set next_attempt_at = clock_timestamp()
   where finished_at is not null and ($1::text is null or business_unit_id = $1)`,
);

/**
 * Continues finished cancellations of a business unit, or of all with null: registration may have
 * lost what they have cancelled.
 */
export const revisitCancellations = (db: Db, businessUnitId: string | null) =>
  db.query(revisit, [businessUnitId]);

const setCounts = statement(
  'cancellation_set_counts',
  `update commerce.event_cancellation set open_orders = coalesce(open_orders, $3),
     registrations = coalesce(registrations, $4), registrations_left = coalesce($5, registrations_left)
   where event_id = $1 and business_unit_id = $2`,
);

/** Stores what registration has left and, at the beginning, what there was. */
export const writeCounts = (
  db: Db,
  { eventId, businessUnitId }: EventScope,
  counts: { openOrders?: number; registrations?: number; registrationsLeft?: number },
) =>
  db.query(setCounts, [
    eventId,
    businessUnitId,
    counts.openOrders ?? null,
    counts.registrations ?? null,
    counts.registrationsLeft ?? null,
  ]);

const release = statement(
  'cancellation_release',
  `update commerce.event_cancellation set next_attempt_at = clock_timestamp() + $3 * interval '1 ms', problem = $4,
     finished_at = case when $5 then coalesce(finished_at, clock_timestamp()) end
   where event_id = $1 and business_unit_id = $2`,
);

/** Ends an attempt. */
export const releaseCancellation = (
  db: Db,
  { eventId, businessUnitId }: EventScope,
  ended: { pauseMs: number; problem: string | null; isFinished: boolean },
) => db.query(release, [eventId, businessUnitId, ended.pauseMs, ended.problem, ended.isFinished]);

const ofEvent = 'o.business_unit_id = $2 and o.event_id = $1';

// Read through `customer_order_by_status`.
const isOpen = `${ofEvent} and o.status in ('held', 'awaiting_payment')`;

// Read through `customer_order_undecided`: decided orders stay paid.
const isUndecided = `o.event_id = $1 and (o.business_unit_id = $2) is true
     and o.status = 'paid' and o.event_cancelled_at is null`;

const idsWhere = (name: string, condition: string) =>
  statement<{ id: string }>(
    name,
    `select o.id from commerce.customer_order o
     where ${condition} order by o.last_attempt_at limit $3`,
  );

const open = idsWhere('cancellation_open_orders', isOpen);
const undecided = idsWhere('cancellation_undecided_orders', isUndecided);

const idsBy =
  (found: typeof open) =>
  async (db: Db, { eventId, businessUnitId }: EventScope, limit: number): Promise<string[]> => {
    const rows = await db.query(found, [eventId, businessUnitId, limit]);
    return rows.map(({ id }) => id);
  };

/** Orders of an event that are neither paid nor ended; the longest without an attempt first. */
export const findOpenOrderIds = idsBy(open);

/** Paid orders of an event whose refund is not decided. */
export const findUndecidedOrderIds = idsBy(undecided);

const left = statement<{ open: number; undecided: number }>(
  'cancellation_count_orders_left',
  `select (select count(*)::int from commerce.customer_order o where ${isOpen}) as open,
     (select count(*)::int from commerce.customer_order o where ${isUndecided}) as undecided`,
);

/** Counts the orders of an event that its cancellation has yet to end or to decide. */
export async function countOrdersLeft(db: Db, { eventId, businessUnitId }: EventScope) {
  const [row] = await db.query(left, [eventId, businessUnitId]);
  return row ?? { open: 0, undecided: 0 };
}

const decided = statement<{ count: number }>(
  'cancellation_count_decided_orders',
  `select count(*)::int as count from commerce.customer_order o
   where ${ofEvent} and (o.event_cancelled_at is not null) is true`,
);

/** Counts the orders of an event that its cancellation was applied to. */
export async function countDecidedOrders(
  db: Db,
  { eventId, businessUnitId }: EventScope,
): Promise<number> {
  const [row] = await db.query(decided, [eventId, businessUnitId]);
  return row?.count ?? 0;
}

const stored = columnsOf(EventCancellation, 'c', {
  only: ['openOrders', 'registrations', 'registrationsLeft', 'finishedAt', 'problem'],
});

const storedOfEvent = statement<RowOf<typeof stored>>(
  'cancellation_of_event',
  `select ${stored.sql} from commerce.event_cancellation c where c.business_unit_id = $2 and c.event_id = $1`,
);

/** What is stored about the cancellation of an event; null before its first attempt. */
export async function findCancellation(db: Db, { eventId, businessUnitId }: EventScope) {
  const [row] = await db.query(storedOfEvent, [eventId, businessUnitId]);
  return row ?? null;
}
