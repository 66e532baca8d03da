import type { readBadge } from '@event-api/contracts/internal/badges';
import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import { notFound, unavailable } from '@event-api/platform/core/errors';
import { createLogger } from '@event-api/platform/core/log';
import { openDatabase } from '@event-api/platform/db/database';
import { migrate } from '@event-api/platform/db/migrations';
import { listen } from '@event-api/platform/http/listen';
import { createCheckpoint } from '@event-api/platform/messaging/projections/checkpoint';
import type { OriginStatus } from '@event-api/platform/messaging/projections/origins';
import { createProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { buildListeners } from '@event-api/platform/service/build-listeners';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { createTestCallers, type TestCallers } from '@event-api/platform/testing/callers';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { postgresUrl } from '@event-api/platform/testing/servers';

import type { z } from 'zod';
import { createScanBatches, createSummaries, type OnsiteDeps, onsite } from '../src/app.ts';
import { createCheckinQueues } from '../src/checkins/batch.ts';
import { createSightings } from '../src/checkins/devices/sightings.ts';
import { onsiteOrm } from '../src/orm.ts';

export type BadgeResponse = z.output<(typeof readBadge.schema.response)[200]>;

/** Responses of the stubs of catalog and registration. They are empty unless a test adds some. */
export interface StubOwners {
  snapshots: Map<string, Snapshot>;
  /** Keyed by the registration's id and by the badge code. */
  badges: Map<string, BadgeResponse>;
  /** Number of badge requests. */
  badgeRequests: number;
  catalogIsUnavailable: boolean;
  registrationIsUnavailable: boolean;
  /** How far the projections can be trusted. */
  trust: OriginStatus;
}

/**
 * Starts onsite over its own database and without a bus. Tests write the projections; catalog and
 * registration are stubs.
 */
export async function startOnsite({ replicas: count = 1 } = {}) {
  const database = await createTestDatabase(await postgresUrl());
  await migrate(onsiteOrm(database.url));
  const callers = await createTestCallers(['gateway', 'admin', 'onsite', 'registration']);
  const owners: StubOwners = {
    snapshots: new Map(),
    badges: new Map(),
    badgeRequests: 0,
    catalogIsUnavailable: false,
    registrationIsUnavailable: false,
    trust: 'confirmed',
  };
  const replicas = await Promise.all(
    Array.from({ length: count }, () => startReplica({ database, callers, owners })),
  );
  const replica = (n: number) => {
    const found = replicas[n % replicas.length];
    if (!found) throw new Error('there is no replica');
    return found;
  };
  const gateway = await callers.signer('gateway');
  const admin = await callers.signer('admin');
  return {
    database,
    sql: database.sql,
    callers,
    owners,
    replica,
    /** Returns a client of one replica's API for an integrator of this business unit. */
    async as(businessUnitId: string, n = 0): Promise<HttpClient> {
      const token = await gateway.sign({ audience: 'api', businessUnitId, defaultCurrency: 'EUR' });
      return httpClient(replica(n).apiUrl, { 'x-caller': token });
    },
    /** Returns a client of one replica's internal listener for an operator. */
    operator: async (n = 0): Promise<HttpClient> =>
      httpClient(replica(n).internalUrl, {
        'x-caller': await admin.sign({ audience: 'operator' }),
      }),
    async close() {
      await Promise.all(replicas.map(({ stop }) => stop()));
      await database.drop();
    },
  };
}

export type TestOnsite = Awaited<ReturnType<typeof startOnsite>>;

async function startReplica(options: {
  database: TestDatabase;
  callers: TestCallers;
  owners: StubOwners;
}) {
  const { database, callers, owners } = options;
  const db = await openDatabase(onsiteOrm(database.url), 10);
  const log = createLogger({ service: 'onsite', level: 'silent' });
  const settings = { TELEMETRY_SAMPLE_RATIO: 1 };
  const telemetry = await createTelemetry({ service: 'onsite', log, settings });
  const deps: OnsiteDeps = {
    db,
    log,
    telemetry,
    queues: createCheckinQueues(db, telemetry.metrics),
    summaries: createSummaries({ db, log }),
    sightings: createSightings(),
    batches: createScanBatches(telemetry.metrics),
    registration: { call: async (_operation, input) => badgeOf(owners, input as object) as never },
    badges: { call: async (_operation, input) => badgesOf(owners, input as never) as never },
    refresher: createProjectionRefresher({
      trust: { statusOf: async () => owners.trust },
      db,
      projections: onsite.projections,
      snapshotClients: {
        catalog: stubSnapshotClient(owners, () => owners.catalogIsUnavailable),
        registration: stubSnapshotClient(owners, () => owners.registrationIsUnavailable),
      },
    }),
  };
  const { api, internal } = buildListeners(onsite, deps, {
    db,
    log,
    telemetry,
    callers: callers.verifier,
    checkpoint: createCheckpoint({ db, schema: 'onsite', origins: ['catalog'] }),
    // There is no bus to rebuild projections from.
    resyncProjections: async () => {},
    checkResponses: true,
  });
  const serving = await listen({
    api,
    internal,
    log,
    telemetry,
    host: '127.0.0.1',
    port: 0,
    internalPort: 0,
    ping: db.ping,
    onDrain: () => deps.summaries.drain(),
  });
  return {
    ...serving,
    db,
    deps,
    async stop() {
      await serving.stop();
      await db.close();
    },
  };
}

function badgeOf(
  owners: StubOwners,
  input: { registrationId?: string; checkinCode?: string },
): BadgeResponse {
  owners.badgeRequests += 1;
  if (owners.registrationIsUnavailable) throw unavailable();
  const badge = owners.badges.get(input.registrationId ?? input.checkinCode ?? '');
  if (!badge) throw notFound();
  return badge;
}

function badgesOf(
  owners: StubOwners,
  { registrationIds, checkinCodes }: { registrationIds: string[]; checkinCodes: string[] },
): { badges: BadgeResponse[] } {
  owners.badgeRequests += 1;
  if (owners.registrationIsUnavailable) throw unavailable();
  const found = [...registrationIds, ...checkinCodes].flatMap(
    (key) => owners.badges.get(key) ?? [],
  );
  return { badges: [...new Set(found)] };
}

const stubSnapshotClient = (owners: StubOwners, isUnavailable: () => boolean) => ({
  async read(type: string, businessUnitId: string, id: string) {
    if (isUnavailable()) throw unavailable();
    const snapshot = owners.snapshots.get(`${type} ${id}`);
    return snapshot?.businessUnitId === businessUnitId ? snapshot : null;
  },
  lineage: async () => ({ lineage: 'lineage', previousLineage: null }),
  page: async () => ({ snapshots: [], next: null }),
});
