import { columnsOf, jsonOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { FeedChange, FeedHead } from '../feed/feed.entity.ts';
import { WebhookEndpoint, WebhookLane, WebhookReplay } from '../webhooks/webhook.entity.ts';
import type { FeedEntry, Lane } from './progress.rules.ts';

const columns = columnsOf(WebhookEndpoint, 'e', {
  omit: [
    'disabledReason',
    'rotationId',
    'publicKey',
    'leaseHolder',
    'leaseUntil',
    'createdAt',
    'updatedAt',
    'version',
    'insertionOrder',
  ],
});
const head = columnsOf(FeedHead, 'h', { only: ['epoch', 'floor'] });
const replay = jsonOf(WebhookReplay, 'r', {
  only: ['id', 'sequence', 'toSequence', 'attempts', 'nextAt'],
});

/** An endpoint that this process holds, with what may change while it does. */
export interface HeldRow extends RowOf<typeof columns>, RowOf<typeof head> {
  replay: RowOf<typeof replay> | null;
  /** The end of the feed. */
  headSequence: number;
  /** The digest of the feed at the watermark. */
  digest: string;
}

const held = statement<HeldRow>(
  'delivery_held',
  `select ${columns.sql}, ${head.sql}, h.sequence as "headSequence",
     case when r.id is not null then ${replay.sql} end as replay,
     case when e.watermark = h.sequence then h.digest else coalesce(w.digest, h.digest) end as digest
   from changes.webhook_endpoint e join changes.feed_head h on h.business_unit_id = e.business_unit_id
   left join changes.webhook_replay r on r.endpoint_id = e.id
   left join changes.feed_change w on w.business_unit_id = e.business_unit_id and w.sequence = e.watermark
   where e.id = $1 and e.lease_holder = $2 and e.lease_until > clock_timestamp()`,
);

/** The endpoint, if this lease is still valid. */
export async function readHeld(
  db: Db,
  { id, lease }: { id: string; lease: string },
): Promise<HeldRow | null> {
  const [row] = await db.query(held, [id, lease]);
  return row ?? null;
}

const lane = columnsOf(WebhookLane, 'l', { omit: ['endpointId'] });

const lanesOf = statement<RowOf<typeof lane>>(
  'delivery_lanes',
  `select ${lane.sql} from changes.webhook_lane l where l.endpoint_id = $1`,
);

export const readLanes = (db: Db, endpointId: string): Promise<Lane[]> =>
  db.query(lanesOf, [endpointId]);

const entry = columnsOf(FeedChange, 'c', {
  only: ['id', 'sequence', 'type', 'objectId', 'entry'],
});
// `is true` keeps the planner on the index in the order of the sequence.
const ofTypes = (parameter: string) =>
  `(${parameter}::text[] is null or c.type = any(${parameter})) is true`;

const readRange = statement<RowOf<typeof entry>>(
  'delivery_range',
  `select ${entry.sql} from changes.feed_change c
   where c.business_unit_id = $1 and c.sequence > $2 and c.sequence <= $3 and ${ofTypes('$4')}
   order by c.sequence limit $5`,
);

/** Part of the feed of a business unit. */
export interface FeedRange {
  businessUnitId: string;
  after: number;
  upTo: number;
  types: readonly string[] | null;
}

/** The first changes of a part of the feed. */
export const readChanges = (
  db: Db,
  { businessUnitId, after, upTo, types }: FeedRange,
  limit: number,
): Promise<FeedEntry[]> => db.query(readRange, [businessUnitId, after, upTo, types, limit]);

// The index of the objects finds the first change of each lane.
const laneHeads = statement<RowOf<typeof entry>>(
  'delivery_lane_heads',
  `select ${entry.sql} from unnest($2::text[], $3::bigint[]) x(object_id, sequence)
   cross join lateral (
     select c.id, c.sequence, c.type, c.object_id, c.entry from changes.feed_change c
     where c.business_unit_id = $1 and c.object_id = x.object_id and c.sequence >= x.sequence and c.sequence <= $4
       and ${ofTypes('$5')} order by c.sequence limit 1) c`,
);

/** The first undelivered change of each lane that has one, by object. */
export async function readLaneHeads(
  db: Db,
  { businessUnitId, upTo, types }: Omit<FeedRange, 'after'>,
  lanes: readonly Lane[],
): Promise<Map<string, FeedEntry>> {
  if (lanes.length === 0) return new Map();
  const objects = lanes.map(({ objectId }) => objectId);
  const sequences = lanes.map(({ sequence }) => sequence);
  const rows = await db.query(laneHeads, [businessUnitId, objects, sequences, upTo, types]);
  return new Map(rows.map((row) => [row.objectId, row]));
}

const firstRetained = statement<{ sequence: number }>(
  'delivery_first_kept',
  `select sequence from changes.feed_change where business_unit_id = $1 and sequence > $2 order by sequence limit 1`,
);

/** The number of changes directly after `after` that the feed does not keep any more. */
export async function countDeleted(
  db: Db,
  businessUnitId: string,
  { after, headSequence }: { after: number; headSequence: number },
): Promise<number> {
  const [row] = await db.query(firstRetained, [businessUnitId, after]);
  return (row?.sequence ?? headSequence + 1) - after - 1;
}

const deleteReplay = statement(
  'delivery_replay_delete',
  'delete from changes.webhook_replay where endpoint_id = $1 and id = $2',
);

/** Ends a replay without further changes. */
export const endReplay = (db: Db, endpointId: string, replayId: string) =>
  db.query(deleteReplay, [endpointId, replayId]);
