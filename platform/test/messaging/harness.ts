import { createLogger, type Logger } from '../../src/core/log.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { lineageRoute } from '../../src/http/lineage-route.ts';
import { readAfterHooks } from '../../src/http/read-after-hooks.ts';
import { requireCaller } from '../../src/http/require-caller.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createSnapshotClient } from '../../src/http/snapshot-client.ts';
import { snapshotRoutes } from '../../src/http/snapshot-routes.ts';
import { type Messaging, startMessaging } from '../../src/messaging/messaging.ts';
import { createCheckpoint } from '../../src/messaging/projections/checkpoint.ts';
import type { Projection } from '../../src/messaging/projections/projection.ts';
import { captureWrites } from '../../src/messaging/read-after/scope.ts';
import { unobserved } from '../../src/telemetry/dependencies.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createTestCallers } from '../../testing/callers.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { type PrivateNats, startPrivateNats } from '../../testing/private-nats.ts';
import { postgresUrl } from '../../testing/servers.ts';
import { createTables, itemProjection, itemSource, ormOf, putItems } from './items.ts';

export interface Item {
  id: string;
  name: string;
  size: number;
  version: string;
}

interface Process {
  db: Database;
  messaging: Messaging;
  metrics: ReturnType<typeof createMetrics>;
}

/** A service that owns things and one with a projection of them, on their own database and NATS. */
export async function createBusHarness(options: { nats?: PrivateNats } = {}) {
  const database = await createTestDatabase(await postgresUrl());
  await createTables(database);
  const nats = options.nats ?? (await startPrivateNats());
  const callers = await createTestCallers(['catalog', 'registration', 'gateway']);
  const lines: string[] = [];
  const log: Logger = createLogger({
    service: 'test',
    level: 'info',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const undo: (() => Promise<unknown>)[] = [];

  async function startProcess(
    schema: 'catalog' | 'registration',
    own: Partial<Parameters<typeof startMessaging>[0]> & { database?: TestDatabase } = {},
  ): Promise<Process> {
    const { url } = own.database ?? database;
    const db = await openDatabase(ormOf(url, schema), 6);
    const metrics = createMetrics(schema);
    const messaging = startMessaging({
      db,
      databaseUrl: url,
      natsUrl: nats.url,
      nats: unobserved,
      origin: schema,
      schema,
      projections: [],
      snapshotClients: {},
      metricsIntervalMs: 50,
      metrics,
      spans: null,
      log,
      ...own,
    });
    let isOpen = true;
    const { close } = messaging;
    messaging.close = async () => {
      if (!isOpen) return;
      isOpen = false;
      await close();
      await db.close();
    };
    undo.push(() => messaging.close());
    return { db, messaging, metrics };
  }

  return {
    database,
    nats,
    lines,
    callers,
    sql: database.sql,
    /** The service `catalog`, which publishes its things and serves their snapshots. */
    async owner() {
      const started = await startProcess('catalog');
      const http = createHttpServer({ log, checkResponses: true, trustRequestId: true });
      const requestedPaths: string[] = [];
      http.addHook('onRequest', async ({ url }) => {
        if (url !== '/internal/lineage') requestedPaths.push(url);
      });
      requireCaller(http, callers.verifier);
      // It has a projection of registration, unrelated to its own records.
      const { db } = started;
      const origins = ['registration'] as const;
      readAfterHooks(http, createCheckpoint({ db, schema: 'catalog', origins }));
      snapshotRoutes(http, { owner: 'catalog', db, sources: [itemSource] });
      const { outbox } = started.messaging;
      if (outbox) lineageRoute(http, { owner: 'catalog', lineages: outbox.lineages });
      const url = await http.listen({ host: '127.0.0.1', port: 0 });
      undo.push(() => http.close());
      return {
        ...started,
        url,
        http,
        /** The requested paths, without those of lineages. */
        requestedPaths,
        /** Writes things in one transaction and returns its token. */
        async put(ids: string | readonly string[], { name = 'thing', size = 1 } = {}) {
          const all = [ids].flat();
          const { produced } = await captureWrites(() =>
            started.db.transaction(async (tx) => {
              await tx.query(putItems, [all, name, size]);
              await itemSource.emit(tx, all);
            }),
          );
          return produced;
        },
      };
    },
    /** One process of the service `registration`, with a projection of every thing. */
    async reader(
      own: { url: string; projections?: readonly Projection[]; database?: TestDatabase } & Partial<
        Parameters<typeof startMessaging>[0]
      >,
    ) {
      const signer = await callers.signer('registration');
      const { url, projections = [itemProjection], ...more } = own;
      const snapshotClients = { catalog: createSnapshotClient({ url, signer }) };
      return startProcess('registration', { projections, snapshotClients, ...more });
    },
    async checkpoint(on = database) {
      const [row] = await on.sql<{
        seq: string;
        streamCreatedAt: string;
        schemaFingerprint: string;
      }>(
        'select seq, stream_created_at as "streamCreatedAt", schema_fingerprint as "schemaFingerprint" from registration.projection_checkpoint',
      );
      return {
        seq: Number(row?.seq ?? -1),
        schemaFingerprint: row?.schemaFingerprint,
        streamCreatedAt: row?.streamCreatedAt,
      };
    },
    projections: (on = database) =>
      on.sql<Item>('select id, name, size, version from registration.thing_projection order by id'),
    items: () =>
      database.sql<Item>('select id, name, size, version from catalog.thing order by id'),
    alarms: () => lines.filter((line) => line.includes('"alarm"')),
    async close() {
      for (const step of undo.toReversed()) await step();
      await nats.close();
      await database.drop();
    },
  };
}

export type BusHarness = Awaited<ReturnType<typeof createBusHarness>>;
export type Owner = Awaited<ReturnType<BusHarness['owner']>>;

/** Waits until the projections equal the records of their owner. */
export const waitUntilIdle = (harness: BusHarness): Promise<void> =>
  eventually(async () => {
    const [projections, items] = [await harness.projections(), await harness.items()];
    if (JSON.stringify(projections) !== JSON.stringify(items)) {
      throw new Error(
        `projections ${JSON.stringify(projections)} are not ${JSON.stringify(items)}`,
      );
    }
  });

/** Waits until all emitted messages are acknowledged and marked. */
export const allPublished = (harness: BusHarness): Promise<void> =>
  eventually(async () => {
    const text = 'select id from catalog.outbox_message where stream_seq is null';
    const left = await harness.sql(`${text} and rejection_reason is null`);
    if (left.length > 0) throw new Error(`${left.length} messages are unpublished`);
  });
