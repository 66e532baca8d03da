import type { Database, Tx } from '@event-api/platform/db/database';
import { nextVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import type { AttemptContent, AttemptRow } from '../webhooks/webhooks.queries.ts';
import type { HeldEndpoint } from './lease.ts';
import { type Lane, nextOf, type Progress, watermarkOf } from './progress.rules.ts';
import type { Health, Ping, Replay } from './targets.rules.ts';
import { endReplay } from './webhook-delivery.queries.ts';

/** An attempt to store. */
export type Attempt = Omit<AttemptRow, 'id'> & AttemptContent;

/** What the database contains. */
export interface Stored {
  lanes: ReadonlyMap<string, Lane>;
  watermark: number;
  next: number;
}

/** What has happened to an endpoint since the last time it was saved. */
export interface Changes {
  stored: Stored;
  progress: Progress;
  health: Health;
  attempts: readonly Attempt[];
  /** The ping that was sent: its next attempt, or null when it is done; the status that follows. */
  ping: { id: string; next: Ping | null; status: 'pending' | 'enabled' } | null;
  /** The replay that has moved: what remains, or null when it is done. */
  replay: { id: string; next: Replay | null } | null;
  now: Date;
}

/**
 * Stores results, lanes and progress in one transaction. Stores nothing and returns false if the
 * process does not hold the endpoint any more, or if a request has moved its watermark. `end` runs
 * in the transaction after a failure that disables the endpoint.
 * Locks: the endpoint, then its lanes and its replay.
 */
export const saveChanges = (
  db: Database,
  endpoint: HeldEndpoint,
  changes: Changes,
  end: ((tx: Tx) => Promise<void>) | null,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await writeProgress(tx, endpoint, changes))) return false;
    await Promise.all([
      writeLanes(tx, endpoint.id, changes),
      writeAttempts(tx, endpoint, changes.attempts),
      changes.ping && writePing(tx, endpoint.id, changes.ping, changes.now),
      changes.replay && writeReplay(tx, endpoint.id, changes.replay),
    ]);
    await end?.(tx);
    return true;
  });

const progress = statement<{ id: string }>(
  'delivery_progress',
  `update changes.webhook_endpoint set watermark = $3, next = $4, failures = $5, failing_since = $6,
     backoff_until = $7, backoff_attempts = $8
   where id = $1 and lease_holder = $2 and lease_until > clock_timestamp() and watermark = $9 and next = $10
   returning id`,
);

async function writeProgress(
  tx: Tx,
  { id, lease }: HeldEndpoint,
  { progress: moved, health, stored }: Changes,
): Promise<boolean> {
  const { failures, failingSince, backoffUntil, backoffAttempts } = health;
  const rows = await tx.query(progress, [
    ...[id, lease, watermarkOf(moved), nextOf(moved)],
    ...[failures, failingSince, backoffUntil, backoffAttempts, stored.watermark, stored.next],
  ]);
  return rows.length > 0;
}

const putLanes = statement(
  'delivery_lanes_put',
  `insert into changes.webhook_lane (endpoint_id, object_id, sequence, attempts, next_at)
   select $1, object_id, sequence, attempts, next_at
   from unnest($2::text[], $3::bigint[], $4::int[], $5::timestamptz[]) x(object_id, sequence, attempts, next_at)
   on conflict (endpoint_id, object_id) do update
   set sequence = excluded.sequence, attempts = excluded.attempts, next_at = excluded.next_at`,
);

const deleteLanes = statement(
  'delivery_lanes_delete',
  'delete from changes.webhook_lane where endpoint_id = $1 and object_id = any($2)',
);

/**
 * Writes the lanes that differ from the stored ones. A lane that did not change is the same object.
 */
async function writeLanes(tx: Tx, id: string, { progress: moved, stored }: Changes) {
  if (moved.lanes === stored.lanes) return;
  const put = [...moved.lanes.values()].filter((lane) => stored.lanes.get(lane.objectId) !== lane);
  const ended = [...stored.lanes.keys()].filter((objectId) => !moved.lanes.has(objectId));
  await Promise.all([
    put.length > 0 &&
      tx.query(putLanes, [
        id,
        put.map(({ objectId }) => objectId),
        put.map(({ sequence }) => sequence),
        put.map(({ attempts }) => attempts),
        put.map(({ nextAt }) => nextAt),
      ]),
    ended.length > 0 && tx.query(deleteLanes, [id, ended]),
  ]);
}

const insertAttempts = statement(
  'delivery_attempts',
  `insert into changes.webhook_attempt (endpoint_id, business_unit_id, change_id, sequence, type, attempt, is_replay,
     result, response_status, reason, duration_ms, attempted_at, url, cursor, response_content_type, response_body)
   select $1, $2, * from unnest($3::text[], $4::bigint[], $5::text[], $6::int[], $7::boolean[], $8::text[], $9::int[],
     $10::text[], $11::int[], $12::timestamptz[], $13::text[], $14::text[], $15::text[], $16::text[])`,
);

async function writeAttempts(
  tx: Tx,
  { id, businessUnitId }: HeldEndpoint,
  attempts: readonly Attempt[],
) {
  if (attempts.length === 0) return;
  await tx.query(insertAttempts, [
    id,
    businessUnitId,
    attempts.map(({ changeId }) => changeId),
    attempts.map(({ sequence }) => sequence),
    attempts.map(({ type }) => type),
    attempts.map(({ attempt }) => attempt),
    attempts.map(({ isReplay }) => isReplay),
    attempts.map(({ result }) => result),
    attempts.map(({ responseStatus }) => responseStatus),
    attempts.map(({ reason }) => reason),
    attempts.map(({ durationMs }) => durationMs),
    attempts.map(({ attemptedAt }) => attemptedAt),
    attempts.map(({ url }) => url),
    attempts.map(({ cursor }) => cursor),
    attempts.map(({ responseContentType }) => responseContentType),
    attempts.map(({ responseBody }) => responseBody),
  ]);
}

// A request may have replaced the ping meanwhile.
const movePing = statement(
  'delivery_ping_move',
  `update changes.webhook_endpoint set ping_attempts = $3, ping_at = $4 where id = $1 and ping_id = $2`,
);
const endPing = statement(
  'delivery_ping_end',
  `update changes.webhook_endpoint set ping_id = null, ping_attempts = 0, ping_at = null, ping_until = null,
     status = $3, updated_at = case when status = $3 then updated_at else $4::timestamptz end,
     version = case when status = $3 then version else ${nextVersionSql} end
   where id = $1 and ping_id = $2`,
);

const writePing = (
  tx: Tx,
  endpointId: string,
  { id, next, status }: NonNullable<Changes['ping']>,
  now: Date,
) =>
  next
    ? tx.query(movePing, [endpointId, id, next.attempts, next.at])
    : tx.query(endPing, [endpointId, id, status, now]);

const moveReplay = statement(
  'delivery_replay_move',
  `update changes.webhook_replay set sequence = $3, attempts = $4, next_at = $5 where endpoint_id = $1 and id = $2`,
);
const writeReplay = (tx: Tx, endpointId: string, { id, next }: NonNullable<Changes['replay']>) =>
  next
    ? tx.query(moveReplay, [endpointId, id, next.sequence, next.attempts, next.nextAt])
    : endReplay(tx, endpointId, id);
