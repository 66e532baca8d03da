import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { EncryptedSecrets } from '../webhooks/secrets.ts';
import type { FeedEntry, Lane } from './progress.rules.ts';

/** An endpoint that this process holds, with what may change while it does. */
export interface HeldRow extends EncryptedSecrets {
  businessUnitId: string;
  url: string;
  types: string[] | null;
  status: 'pending' | 'enabled' | 'disabled';
  watermark: number;
  next: number;
  failures: number;
  failingSince: Date | null;
  backoffUntil: Date | null;
  backoffAttempts: number;
  pingId: string | null;
  pingAttempts: number;
  pingAt: Date | null;
  pingUntil: Date | null;
  replayId: string | null;
  replaySequence: number;
  replayToSequence: number;
  replayAttempts: number;
  replayNextAt: Date;
  /** The end of the feed. */
  epoch: string;
  headSequence: number;
  floor: number;
  /** The digest of the feed at the watermark. */
  digest: string;
}

const held = statement<HeldRow>(
  'delivery_held',
  `select e.id, e.business_unit_id as "businessUnitId", e.url, e.types, e.status, e.secret,
     e.previous_secrets as "previousSecrets", e.signing_key as "signingKey", e.watermark, e.next, e.failures,
     e.failing_since as "failingSince", e.backoff_until as "backoffUntil", e.backoff_attempts as "backoffAttempts",
     e.ping_id as "pingId", e.ping_attempts as "pingAttempts", e.ping_at as "pingAt", e.ping_until as "pingUntil",
     r.id as "replayId", r.sequence as "replaySequence", r.to_sequence as "replayToSequence",
     r.attempts as "replayAttempts", r.next_at as "replayNextAt",
     h.epoch, h.sequence as "headSequence", h.floor,
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

const lanesOf = statement<Lane>(
  'delivery_lanes',
  `select object_id as "objectId", sequence, attempts, next_at as "nextAt" from changes.webhook_lane
   where endpoint_id = $1`,
);

export const readLanes = (db: Db, endpointId: string): Promise<Lane[]> =>
  db.query(lanesOf, [endpointId]);

const entryColumns = 'c.id, c.sequence, c.type, c.object_id as "objectId", c.entry';
// `is true` keeps the planner on the index in the order of the sequence.
const ofTypes = (parameter: string) =>
  `(${parameter}::text[] is null or c.type = any(${parameter})) is true`;

const readRange = statement<FeedEntry>(
  'delivery_range',
  `select ${entryColumns} from changes.feed_change c
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
const laneHeads = statement<FeedEntry>(
  'delivery_lane_heads',
  `select ${entryColumns} from unnest($2::text[], $3::bigint[]) x(object_id, sequence)
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
