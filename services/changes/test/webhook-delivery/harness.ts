import type { Cell } from '@event-api/contracts/cells';
import type { ChangeType } from '@event-api/contracts/changes';
import type { Change } from '@event-api/contracts/http/changes';
import { feedNoticeSubject } from '@event-api/contracts/messages/changes';
import type { ChangeOwner } from '@event-api/contracts/topology';
import { newId } from '@event-api/platform/core/ids';
import { encrypt, readKeyRing } from '@event-api/platform/core/key-ring';
import { createLogger } from '@event-api/platform/core/log';
import { openDatabase } from '@event-api/platform/db/database';
import { migrate } from '@event-api/platform/db/migrations';
import type { NoticeBus } from '@event-api/platform/messaging/bus/connect';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { createTestDatabase } from '@event-api/platform/testing/database';
import { eventually } from '@event-api/platform/testing/eventually';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { readHead, readOwnerCursor } from '../../src/feed/feed.queries.ts';
import { addToFeed } from '../../src/feed/sequence.ts';
import { changesOrm } from '../../src/orm.ts';
import { createAgents } from '../../src/webhook-delivery/agents.ts';
import { type DeliveryJob, startDelivery } from '../../src/webhook-delivery/delivery.job.ts';
import { createDeliveryMetrics } from '../../src/webhook-delivery/metrics.ts';
import { createSendRequest } from '../../src/webhook-delivery/request.ts';
import { createLookup } from '../../src/webhook-delivery/resolve-address.ts';
import { createSlots } from '../../src/webhook-delivery/slots.ts';
import { createSecret, createSigningPair } from '../../src/webhooks/secrets.ts';
import { newSecretsKey } from '../harness.ts';

/** A clock that only the test moves. */
export interface TestClock {
  now(): Date;
  advance(ms: number): void;
}

function createTestClock(): TestClock {
  let at = new Date('2027-05-10T07:00:00Z').getTime();
  return {
    now: () => new Date(at),
    advance(ms) {
      at += ms;
    },
  };
}

export interface EndpointRow {
  status: string;
  disabled_reason: string | null;
  watermark: number;
  next: number;
  failures: number;
  failing_since: Date | null;
  backoff_until: Date | null;
  lease_holder: string | null;
}

/**
 * A database with endpoints, and processes that deliver: real ones except for the bus, which is in
 * memory.
 */
export async function startDeliveries() {
  const database = await createTestDatabase(await postgresUrl());
  await migrate(changesOrm(database.url));
  const db = await openDatabase(changesOrm(database.url), 4);
  const secretsKey = newSecretsKey();
  const keyRing = readKeyRing([secretsKey]);
  const clock = createTestClock();
  const listeners: ((subject: string) => void)[] = [];
  const replicas: { stop(): Promise<void> }[] = [];
  const bus: NoticeBus = {
    notify(subject) {
      for (const listener of listeners) listener(subject);
    },
    onNotification: (_, listener) => void listeners.push(listener),
    onConnect: () => {},
    stream: null,
  };
  const notify = (unit: string) => bus.notify(feedNoticeSubject(unit));
  const one = async <Row>(text: string, values: unknown[]): Promise<Row> => {
    const [row] = await database.sql<Row>(text, values);
    if (!row) throw new Error('no such row');
    return row;
  };

  return {
    url: database.url,
    secretsKey,
    sql: database.sql,
    db,
    clock,
    notify,
    /** Starts a process that delivers. */
    async startProcess({
      limitMs = 10_000,
      cell = null,
    }: {
      limitMs?: number;
      cell?: Cell;
    } = {}): Promise<DeliveryJob & { metrics: () => Promise<string> }> {
      const own = await openDatabase(changesOrm(database.url), 6);
      const metrics = createMetrics('changes');
      const slots = createSlots();
      const agents = createAgents({ allowLoopback: true, lookup: createLookup() });
      const job = startDelivery({
        ...{ db: own, clock, keyRing, slots, cell },
        log: createLogger({ service: 'changes', level: 'silent' }),
        send: createSendRequest(agents, clock, { connectMs: limitMs, responseMs: limitMs }),
        metrics: createDeliveryMetrics(metrics, slots),
        bus,
      });
      let isStopped = false;
      const stop = async () => {
        if (isStopped) return;
        isStopped = true;
        await job.stop();
        await own.close();
      };
      replicas.push({ stop });
      return { ...job, stop, metrics: () => metrics.text() };
    },
    /** Creates an endpoint at the end of the feed of its unit. */
    async createEndpoint({
      unit,
      url,
      types = null,
      status = 'enabled',
    }: {
      unit: string;
      url: string;
      types?: ChangeType[] | null;
      status?: 'pending' | 'enabled';
    }) {
      const id = newId('whe');
      const { sequence } = await readHead(db, unit);
      const secret = createSecret();
      const pair = createSigningPair();
      const ping = status === 'pending' ? newId('png') : null;
      const pingAt = ping && clock.now();
      await database.sql(
        `insert into changes.webhook_endpoint (id, business_unit_id, url, types, status, secret, signing_key,
           public_key, watermark, next, ping_id, ping_at, ping_until, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9::bigint, $9::bigint + 1, $10, $11::timestamptz,
           $11::timestamptz + interval '1 hour', $12, $12)`,
        [
          ...[id, unit, url, types, status, encrypt(keyRing, id, secret)],
          ...[encrypt(keyRing, id, pair.signingKey), pair.publicKey, sequence, ping, pingAt],
          clock.now(),
        ],
      );
      notify(unit);
      return { id, secret, publicKey: pair.publicKey, pingId: ping };
    },
    /**
     * Adds changes of these objects to the feed of a unit, as the sequencer does. Returns their
     * entries.
     */
    async addChanges(
      unit: string,
      objects: readonly string[],
      { type = 'order.paid', owner = 'commerce' }: { type?: ChangeType; owner?: ChangeOwner } = {},
    ): Promise<Change[]> {
      const after = await readOwnerCursor(db, owner);
      const page = objects.map((objectId, n) => ({
        ...{ number: after + n + 1, businessUnitId: unit, occurredAt: new Date().toISOString() },
        change: {
          ...{ id: newId('chg'), type, eventId: newId('evt') },
          object: { type: 'order', id: objectId, version: after + n + 1 } as const,
          ...{ previous: { status: 'held' }, current: { status: 'paid' } },
          actor: { type: 'key', id: 'key_1' } as const,
        },
      }));
      await addToFeed(db, owner, after, page);
      notify(unit);
      const rows = await database.sql<{ entry: string }>(
        `select entry from changes.feed_change where business_unit_id = $1 and owner = $2 and number > $3
         order by sequence`,
        [unit, owner, after],
      );
      return rows.map(({ entry }) => JSON.parse(entry));
    },
    endpoint: (id: string) =>
      one<EndpointRow>(
        `select status, disabled_reason, watermark::float8 as watermark, next::float8 as next, failures, failing_since,
           backoff_until, lease_holder from changes.webhook_endpoint where id = $1`,
        [id],
      ),
    lanes: (id: string) =>
      database.sql<{ object_id: string; sequence: number; attempts: number; next_at: Date }>(
        `select object_id, sequence::float8 as sequence, attempts, next_at from changes.webhook_lane
         where endpoint_id = $1 order by sequence`,
        [id],
      ),
    attempts: (id: string) =>
      database.sql<Record<string, unknown>>(
        `select change_id, sequence::float8 as sequence, attempt, is_replay, result, response_status, reason
         from changes.webhook_attempt where endpoint_id = $1 order by id`,
        [id],
      ),
    /** Moves the clock, wakes the processes and waits until `check` succeeds. */
    async afterTime<Result>(ms: number, unit: string, check: () => Promise<Result> | Result) {
      clock.advance(ms);
      return eventually(async () => {
        notify(unit);
        return check();
      });
    },
    /** Ends all processes. */
    async stopProcesses() {
      await Promise.all(replicas.splice(0).map(({ stop }) => stop()));
    },
    async close() {
      await Promise.all(replicas.map(({ stop }) => stop()));
      await db.close();
      await database.drop();
    },
  };
}

export type TestDeliveries = Awaited<ReturnType<typeof startDeliveries>>;
