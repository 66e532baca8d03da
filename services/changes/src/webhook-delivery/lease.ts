import { randomUUID } from 'node:crypto';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { timeouts } from '../timeouts.ts';
import { WebhookEndpoint } from '../webhooks/webhook.entity.ts';

const columns = columnsOf(WebhookEndpoint, 'e', { only: ['id', 'businessUnitId'] });

/** An endpoint of which this process has the lease. */
export interface HeldEndpoint extends RowOf<typeof columns> {
  /** Identifies this lease. An earlier one of the same process does not count any more. */
  lease: string;
}

/** The most endpoints that one statement takes. */
const maxTaken = 200;

const isFree = 'e.lease_until is null or e.lease_until <= clock_timestamp()';

// What `decideTargets` would send. The time of the schedule is `$4`, that of leases is the clock of
// the database.
const isDue = `
  (e.status in ('pending', 'enabled') and e.ping_at <= $4)
  or (e.status = 'enabled' and coalesce(e.backoff_until <= $4, true) and (
    e.next <= h.sequence
    or exists (select from changes.webhook_lane l where l.endpoint_id = e.id
      and (e.backoff_until is not null or l.next_at <= $4))
    or exists (select from changes.webhook_replay r where r.endpoint_id = e.id
      and (e.backoff_until is not null or r.next_at <= $4))))`;

const take = statement<HeldEndpoint>(
  'delivery_take',
  `update changes.webhook_endpoint e set lease_holder = $1,
       lease_until = clock_timestamp() + $2 * interval '1 ms'
     where e.id = any(array(
       select e.id from changes.webhook_endpoint e join changes.feed_head h using (business_unit_id)
       where ($3::text[] is null or e.business_unit_id = any($3)) and (${isFree}) and (${isDue})
       order by e.id limit ${maxTaken} for update of e skip locked))
     returning ${columns.sql}, e.lease_holder as lease`,
);

/**
 * Takes the endpoints with something to send that no process holds, of some business units or of
 * all. The process holds them for `leaseMs`. Locks: these endpoints; those that another transaction
 * has locked are left out.
 */
export const takeEndpoints = (
  db: Db,
  options: {
    businessUnitIds: readonly string[] | null;
    now: Date;
  },
): Promise<HeldEndpoint[]> =>
  db.query(take, [randomUUID(), timeouts.leaseMs, options.businessUnitIds, options.now]);

const renew = statement<{ id: string }>(
  'delivery_renew',
  `update changes.webhook_endpoint e set lease_until = clock_timestamp() + $3 * interval '1 ms'
   from unnest($1::text[], $2::text[]) x(id, lease)
   where e.id = x.id and e.lease_holder = x.lease and e.lease_until > clock_timestamp() returning x.id`,
);

/** Extends leases. Returns the endpoints that are still held. */
export async function renewLeases(
  db: Db,
  endpoints: readonly HeldEndpoint[],
): Promise<Set<HeldEndpoint>> {
  if (endpoints.length === 0) return new Set();
  const rows = await db.query(renew, [
    endpoints.map(({ id }) => id),
    endpoints.map(({ lease }) => lease),
    timeouts.leaseMs,
  ]);
  const renewed = new Set(rows.map(({ id }) => id));
  return new Set(endpoints.filter(({ id }) => renewed.has(id)));
}

const release = statement(
  'delivery_release',
  `update changes.webhook_endpoint set lease_holder = null, lease_until = null
   where id = $1 and lease_holder = $2`,
);

/** Ends a lease, if it still is the one of the endpoint. */
export const releaseLease = (db: Db, { id, lease }: HeldEndpoint) => db.query(release, [id, lease]);
