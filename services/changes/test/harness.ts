import { randomBytes, randomUUID } from 'node:crypto';
import type { ChangeType } from '@event-api/contracts/changes';
import { objectTypeOf } from '@event-api/contracts/changes';
import type { NumberedChange } from '@event-api/contracts/internal/changes';
import { type ChangeOwner, changeOwners } from '@event-api/contracts/topology';
import { systemClock } from '@event-api/platform/core/clock';
import { unavailable } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import { readKeyRing } from '@event-api/platform/core/key-ring';
import { createLogger } from '@event-api/platform/core/log';
import { type Database, openDatabase } from '@event-api/platform/db/database';
import { migrate } from '@event-api/platform/db/migrations';
import { listen } from '@event-api/platform/http/listen';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { buildListeners } from '@event-api/platform/service/build-listeners';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { createTestDatabase } from '@event-api/platform/testing/database';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { type ChangesDeps, changes } from '../src/app.ts';
import { copyLog } from '../src/feed/sequencer.job.ts';
import { createWaiting } from '../src/feed/waiting.ts';
import { startWaking } from '../src/feed/wake.job.ts';
import { createFeedMetrics } from '../src/metrics.ts';
import { changesOrm } from '../src/orm.ts';
import { isBlockedAddressOf } from '../src/webhook-delivery/agents.ts';

/** The log of an owner in memory, with the numbers that the owner would give. */
export interface OwnerLog {
  changes: NumberedChange[];
  isUnavailable: boolean;
  lineage: string;
  /** Adds a change and returns it. */
  add(
    change: { businessUnitId: string; type?: ChangeType; objectId?: string } & Partial<
      Pick<NumberedChange['change'], 'eventId'>
    >,
  ): NumberedChange;
}

function createOwnerLog(): OwnerLog {
  const log: OwnerLog = {
    changes: [],
    isUnavailable: false,
    lineage: 'lineage_1',
    add({ businessUnitId, type = 'order.paid', eventId = 'evt_1', objectId = newId('ord') }) {
      const change: NumberedChange = {
        number: (log.changes.at(-1)?.number ?? 0) + 1,
        businessUnitId,
        occurredAt: new Date(1_800_000_000_000 + log.changes.length).toISOString(),
        change: {
          id: newId('chg'),
          type,
          eventId,
          object: { type: objectTypeOf(type), id: objectId, version: log.changes.length + 1 },
          previous: { status: 'held' },
          current: { status: 'paid' },
          actor: { type: 'key', id: 'key_1' },
        },
      };
      log.changes.push(change);
      return change;
    },
  };
  return log;
}

const clientOf = (log: OwnerLog): ServiceClient => ({
  async call({ url }, input) {
    if (log.isUnavailable) throw unavailable();
    if (url === '/internal/lineage') return { lineage: log.lineage } as never;
    const { after, limit } = input as { after: number; limit: number };
    const last = log.changes.at(-1)?.number ?? 0;
    if (after > last) return { rewoundTo: last } as never;
    const page = log.changes.filter(({ number }) => number > after).slice(0, limit);
    return { changes: page, last } as never;
  },
});

/**
 * Starts the service on its own database. The logs of the owners are in memory, and notices reach
 * every replica.
 */
export async function startChanges({ replicas = 1 } = {}) {
  const database = await createTestDatabase(await postgresUrl());
  await migrate(changesOrm(database.url));
  const callers = await createTestCallers(['gateway', 'changes', 'admin']);
  const owners = Object.fromEntries(
    changeOwners.map((owner) => [owner, createOwnerLog()]),
  ) as Record<ChangeOwner, OwnerLog>;
  const listeners: [prefix: string, listener: (subject: string) => void][] = [];
  const bus: ChangesDeps['bus'] = {
    notify(subject) {
      for (const [prefix, listener] of listeners) if (subject.startsWith(prefix)) listener(subject);
    },
    onNotification: (subject, listener) =>
      void listeners.push([subject.replace('*', ''), listener]),
    onConnect: () => {},
    stream: null,
  };
  const secretsKey = newSecretsKey();
  const keyRing = readKeyRing([secretsKey]);
  const clock = createTestClock();
  const started = await Promise.all(
    Array.from({ length: replicas }, () =>
      startReplica({ url: database.url, bus, owners, keyRing, clock, callers: callers.verifier }),
    ),
  );
  const gateway = await callers.signer('gateway');
  const admin = await callers.signer('admin');
  const replica = (n: number) => {
    const found = started[n];
    if (!found) throw new Error('no such replica');
    return found;
  };
  return {
    sql: database.sql,
    owners,
    replica,
    bus,
    /** Copies the logs of all owners into the feed. */
    async sequence(n = 0) {
      for (const owner of changeOwners) {
        await copyLog(replica(n).deps, owner, new AbortController().signal);
      }
    },
    /** A client for a business unit and a key. */
    async as(businessUnitId: string, { keyId = 'key_1', n = 0 } = {}): Promise<HttpClient> {
      const token = await gateway.sign({ audience: 'api', businessUnitId, keyId });
      return httpClient(replica(n).apiUrl, { 'x-caller': token });
    },
    clock,
    /** The key that encrypts the secrets of webhook endpoints. */
    secretsKey,
    /** A client for the commands of operators. */
    async operator(n = 0): Promise<HttpClient> {
      const token = await admin.sign({ audience: 'operator' });
      return httpClient(replica(n).internalUrl, { 'x-caller': token });
    },
    /** The log lines of all replicas. */
    logs: () => started.flatMap(({ lines }) => lines),
    async close() {
      await Promise.all(started.map(({ stop }) => stop()));
      await database.drop();
    },
  };
}

export type TestChanges = Awaited<ReturnType<typeof startChanges>>;

/** A new key of a key ring. */
export const newSecretsKey = (): string => randomBytes(32).toString('base64url');

/** The clock of the system, which a test can advance. */
export function createTestClock() {
  let aheadMs = 0;
  return {
    now: () => new Date(systemClock.now().getTime() + aheadMs),
    advance(ms: number) {
      aheadMs += ms;
    },
  };
}

export const newUnit = (): string => `unit_${randomUUID().slice(0, 8)}`;

async function startReplica(input: {
  url: string;
  bus: ChangesDeps['bus'];
  owners: Record<ChangeOwner, OwnerLog>;
  keyRing: ChangesDeps['keyRing'];
  clock: ChangesDeps['clock'];
  callers: Parameters<typeof buildListeners>[2]['callers'];
}) {
  const db: Database = await openDatabase(changesOrm(input.url), 6);
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ service: 'changes', level: 'trace', destination });
  const telemetry = await createTelemetry({
    service: 'changes',
    log,
    settings: { TELEMETRY_SAMPLE_RATIO: 1 },
  });
  const clients = Object.fromEntries(
    changeOwners.map((owner) => [owner, clientOf(input.owners[owner])]),
  ) as Record<ChangeOwner, ServiceClient>;
  const waiting = createWaiting();
  const { bus, clock, keyRing } = input;
  const deps: ChangesDeps = {
    ...{ db, bus, log, owners: clients, waiting, clock, keyRing },
    cell: null,
    allowLoopback: false,
    isBlockedHost: (hostname) => isBlockedAddressOf(hostname, false),
    metrics: telemetry.metrics,
    feedMetrics: createFeedMetrics(telemetry.metrics, clock),
    // Other tests start deliveries.
    delivery: { drain() {}, held: () => [], stop: async () => {} },
  };
  const waking = startWaking(deps);
  const listeners = buildListeners(changes, deps, {
    db,
    log,
    telemetry,
    callers: input.callers,
    checkpoint: null,
    resyncProjections: null,
    checkResponses: true,
  });
  const serving = await listen({
    ...listeners,
    log,
    telemetry,
    host: '127.0.0.1',
    port: 0,
    internalPort: 0,
    ping: db.ping,
    onDrain: () => changes.onDrain?.(deps),
  });
  return {
    ...serving,
    lines,
    db,
    deps,
    waiting,
    async stop() {
      await serving.stop();
      await waking.stop();
      await db.close();
    },
  };
}
