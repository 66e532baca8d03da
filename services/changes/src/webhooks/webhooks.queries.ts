import type { DeliveryResult, EndpointStatus } from '@event-api/contracts/http/webhook-endpoints';
import { notFound } from '@event-api/platform/core/errors';
import { columnsOf, jsonOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { type ListOrder, listStatement } from '@event-api/platform/db/list';
import { statement } from '@event-api/platform/db/statement';
import { WebhookAttempt, WebhookEndpoint, WebhookReplay } from './webhook.entity.ts';

export const endpointColumns = columnsOf(WebhookEndpoint, 'e', {
  only: [
    'id',
    'url',
    'types',
    'status',
    'disabledReason',
    'publicKey',
    'watermark',
    'failingSince',
    'createdAt',
    'updatedAt',
    'insertionOrder',
  ],
});
const replay = jsonOf(WebhookReplay, 'r', {
  only: ['id', 'fromSequence', 'toSequence', 'createdAt'],
});

/** An endpoint as the API returns it, without its secrets. */
export type EndpointRow = RowOf<typeof endpointColumns> & { replay: RowOf<typeof replay> | null };

const select = `select ${endpointColumns.sql}, case when r.id is not null then ${replay.sql} end as replay
  from changes.webhook_endpoint e left join changes.webhook_replay r on r.endpoint_id = e.id`;

const byId = statement<EndpointRow>(
  'webhook_endpoint_by_id',
  `${select} where (e.business_unit_id = $1) is true and e.id = $2`,
);

/** Reads one endpoint. Errors: 404, the same for an endpoint of another business unit. */
export async function readEndpoint(
  db: Db,
  businessUnitId: string,
  id: string,
): Promise<EndpointRow> {
  const [row] = await db.query(byId, [businessUnitId, id]);
  if (!row) throw notFound();
  return row;
}

const newestFirst: ListOrder<'status'> = {
  name: '',
  after: (key) => `e.insertion_order < coalesce(${key}::bigint, 9223372036854775807)`,
  by: 'e.insertion_order desc',
  indexes: [],
};

/** Lists up to `limit` + 1 endpoints, newest first. */
export const listEndpoints = (
  db: Db,
  businessUnitId: string,
  {
    status,
    after,
    limit,
  }: { status?: EndpointStatus | undefined; after: number | null; limit: number },
): Promise<EndpointRow[]> =>
  db.query(
    ...listStatement<EndpointRow, 'status'>(
      {
        name: 'webhook_endpoints',
        select,
        scope: ['e.business_unit_id = $1'],
        filters: { status: (value) => `e.status = ${value}` },
      },
      newestFirst,
      { scope: [businessUnitId], filters: { status }, after: [after], limit },
    ),
  );

const countActive = statement<{ count: number }>(
  'webhook_endpoints_active',
  `select count(*)::int as count from changes.webhook_endpoint where business_unit_id = $1 and status <> 'disabled'`,
);

/**
 * Counts the endpoints of a business unit that are not disabled. The caller holds the lock of its
 * feed's end.
 */
export async function countActiveEndpoints(tx: Tx, businessUnitId: string): Promise<number> {
  const [row] = await tx.query(countActive, [businessUnitId]);
  return row?.count ?? 0;
}

const retryLanes = statement(
  'webhook_lanes_retry_now',
  'update changes.webhook_lane set attempts = 0, next_at = $2 where endpoint_id = $1',
);
const deleteLanes = statement(
  'webhook_lanes_delete',
  'delete from changes.webhook_lane where endpoint_id = $1',
);

/** Begins the schedule of failed deliveries of an endpoint again. */
export const retryFailedDeliveries = (tx: Tx, endpointId: string, now: Date) =>
  tx.query(retryLanes, [endpointId, now]);

/** Gives up the failed deliveries of an endpoint. */
export const dropFailedDeliveries = (tx: Tx, endpointId: string) =>
  tx.query(deleteLanes, [endpointId]);

const content = ['url', 'cursor', 'responseContentType', 'responseBody'] as const;
const contentColumns = columnsOf(WebhookAttempt, 'a', { only: content });
const attemptColumns = columnsOf(WebhookAttempt, 'a', {
  omit: ['endpointId', 'businessUnitId', ...content],
});

/** An attempt of a delivery. */
export type AttemptRow = RowOf<typeof attemptColumns>;

/** What an attempt keeps of its request and its response. */
export type AttemptContent = RowOf<typeof contentColumns>;

/**
 * An attempt with its content. `entry` is the body of a change, and null if the feed does not keep
 * it.
 */
export interface AttemptDetailRow extends AttemptRow, AttemptContent {
  entry: string | null;
}

const selectAttempts = `select ${attemptColumns.sql} from changes.webhook_attempt a where endpoint_id = $1
  and (business_unit_id = $2) is true and id < coalesce($3::bigint, 9223372036854775807)`;
const page = 'order by id desc limit $4';

const attempts = statement<AttemptRow>('webhook_attempts', `${selectAttempts} ${page}`);
// The results are literals: the partial index of unsuccessful attempts serves those of `retrying`
// and `failed`.
const attemptsWith = {
  delivered: statement<AttemptRow>(
    'webhook_attempts_delivered',
    `${selectAttempts} and (result = 'delivered') is true ${page}`,
  ),
  retrying: statement<AttemptRow>(
    'webhook_attempts_retrying',
    `${selectAttempts} and result <> 'delivered' and result = 'retrying' ${page}`,
  ),
  failed: statement<AttemptRow>(
    'webhook_attempts_failed',
    `${selectAttempts} and result <> 'delivered' and result = 'failed' ${page}`,
  ),
};
const attemptsOfChange = statement<AttemptRow>(
  'webhook_attempts_of_change',
  `${selectAttempts} and change_id = $5 and ($6::text is null or result = $6) is true ${page}`,
);

// After a restore the feed can have another change at the sequence.
const attemptById = statement<AttemptDetailRow>(
  'webhook_attempt_by_id',
  `select ${attemptColumns.sql}, ${contentColumns.sql}, c.entry
   from changes.webhook_attempt a
   left join changes.feed_change c
     on c.business_unit_id = a.business_unit_id and c.sequence = a.sequence and (c.id = a.change_id) is true
   where a.id = $3 and (a.endpoint_id = $1) is true and (a.business_unit_id = $2) is true`,
);

/** Reads one attempt of an endpoint. Errors: 404. */
export async function readAttempt(
  db: Db,
  { businessUnitId, endpointId }: { businessUnitId: string; endpointId: string },
  id: number,
): Promise<AttemptDetailRow> {
  const [row] = await db.query(attemptById, [endpointId, businessUnitId, id]);
  if (!row) throw notFound();
  return row;
}

/** Lists up to `limit` + 1 attempts of an endpoint, newest first. */
export function listAttempts(
  db: Db,
  { businessUnitId, endpointId }: { businessUnitId: string; endpointId: string },
  filter: {
    result?: DeliveryResult | undefined;
    changeId?: string | undefined;
    after: number | null;
    limit: number;
  },
): Promise<AttemptRow[]> {
  const { result, changeId, after, limit } = filter;
  const values = [endpointId, businessUnitId, after, limit + 1];
  if (changeId !== undefined) {
    return db.query(attemptsOfChange, [...values, changeId, result ?? null]);
  }
  return db.query(result ? attemptsWith[result] : attempts, values);
}
