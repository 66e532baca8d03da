import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import type { Permission } from '@event-api/contracts/permissions';
import { notFound, unavailable } from '@event-api/platform/core/errors';
import { createLogger } from '@event-api/platform/core/log';
import { openDatabase } from '@event-api/platform/db/database';
import { migrate } from '@event-api/platform/db/migrations';
import { listen } from '@event-api/platform/http/listen';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { createCheckpoint } from '@event-api/platform/messaging/projections/checkpoint';
import type { OriginStatus } from '@event-api/platform/messaging/projections/origins';
import { createProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { buildListeners } from '@event-api/platform/service/build-listeners';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { createTestCallers, type TestCallers } from '@event-api/platform/testing/callers';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { postgresUrl } from '@event-api/platform/testing/servers';

import { expireAndPromoteIfDue } from '../src/admission/expire-and-promote.ts';
import { type AdmissionOptions, createAdmission } from '../src/admission/queue.ts';
import { type RegistrationServiceDeps, registration, startJobs } from '../src/app.ts';
import type { WalletSigner } from '../src/config.ts';
import { registrationOrm } from '../src/orm.ts';

export interface RegistrationOptions {
  /** The number of replicas; each has its own pool, queues and ports. */
  replicas?: number;
  /** Connections of each replica. */
  poolMax?: number;
  admission?: Pick<AdmissionOptions, 'maxWaitMs' | 'maxWaiting'> &
    Partial<Pick<AdmissionOptions, 'log'>>;
  /** How long seats are reserved. */
  reservationMs?: number;
  /** The interval of the expire-and-promote job; without it the job does not run. */
  promoteIntervalMs?: number;
  wallet?: WalletSigner;
  /** Says whether a registration is checked in. */
  onsite?: ServiceClient;
  /** Maps the database URL to that of a proxy. */
  databaseUrl?: (url: string) => string;
}

/** The records that catalog returns: none, unless a test adds them. */
export interface StubOwner {
  snapshots: Map<string, Snapshot>;
  isUnavailable: boolean;
  /** The time zone of every event. */
  timezone: string;
  /** How far the projections can be trusted. */
  trust: OriginStatus;
}

/**
 * Starts the service on its own database and without a bus. Tests write the projections, and a stub
 * replaces their owner.
 */
export async function startRegistration(options: RegistrationOptions = {}) {
  const database = await createTestDatabase(await postgresUrl());
  await migrate(registrationOrm(database.url));
  const callers = await createTestCallers([
    'gateway',
    'admin',
    'console',
    'catalog',
    'registration',
    'commerce',
  ]);
  const owner: StubOwner = {
    snapshots: new Map(),
    isUnavailable: false,
    timezone: 'Europe/Berlin',
    trust: 'confirmed',
  };
  const url = options.databaseUrl?.(database.url) ?? database.url;
  const replicas = await Promise.all(
    Array.from({ length: options.replicas ?? 1 }, () =>
      startReplica({ url, sql: database.sql, callers, owner, options }),
    ),
  );
  const replica = (n: number) => {
    const found = replicas[n % replicas.length];
    if (!found) throw new Error('no such replica');
    return found;
  };
  const gateway = await callers.signer('gateway');
  const admin = await callers.signer('admin');
  const commerce = await callers.signer('commerce');
  return {
    database,
    sql: database.sql,
    timeAfterChanges: database.timeAfterChanges,
    callers,
    owner,
    replicas,
    replica,
    /** A client of one replica's API for this business unit. */
    async as(businessUnitId: string, n = 0): Promise<HttpClient> {
      const token = await gateway.sign({ audience: 'api', businessUnitId, defaultCurrency: 'EUR' });
      return httpClient(replica(n).apiUrl, { 'x-caller': token });
    },
    /** A client of a replica's internal listener for operators. */
    operator: async (n = 0): Promise<HttpClient> =>
      httpClient(replica(n).internalUrl, {
        'x-caller': await admin.sign({ audience: 'operator' }),
      }),
    /**
     * A client of a replica's internal listener for a person in the console with these permissions.
     */
    async person(businessUnitId: string, permissions: readonly Permission[]): Promise<HttpClient> {
      const console = await callers.signer('console');
      const actor = { type: 'operator', id: 'opr_1' } as const;
      const claims = { audience: 'operator', businessUnitId, actor, permissions } as const;
      return httpClient(replica(0).internalUrl, { 'x-caller': await console.sign(claims) });
    },
    /** A client of a replica's internal listener for another service. */
    service: async (n = 0): Promise<HttpClient> =>
      httpClient(replica(n).internalUrl, {
        'x-caller': await commerce.sign({ audience: 'service' }),
      }),
    async close() {
      await Promise.all(replicas.map(({ stop }) => stop()));
      await database.drop();
    },
  };
}

export type TestRegistration = Awaited<ReturnType<typeof startRegistration>>;

export type { TestDatabase };

async function startReplica(input: {
  url: string;
  sql: TestDatabase['sql'];
  callers: TestCallers;
  owner: StubOwner;
  options: RegistrationOptions;
}) {
  const { url, callers, options } = input;
  const db = await openDatabase(registrationOrm(url), options.poolMax ?? 10);
  const log = createLogger({ service: 'registration', level: 'silent' });
  const telemetry = await createTelemetry({
    service: 'registration',
    log,
    settings: { TELEMETRY_SAMPLE_RATIO: 1 },
  });
  const refresher = createProjectionRefresher({
    trust: { statusOf: async () => input.owner.trust },
    db,
    projections: registration.projections,
    snapshotClients: { catalog: snapshotOwner(input.owner) },
  });
  const admission = createAdmission({
    db,
    refresher,
    log,
    metrics: telemetry.metrics,
    ...options.admission,
  });
  const intervalMs = options.promoteIntervalMs;
  const jobs = intervalMs
    ? startJobs({
        db,
        admission,
        log,
        metrics: telemetry.metrics,
        intervalMs,
        pollIntervalMs: 10_000,
      })
    : [];
  const deps: RegistrationServiceDeps = {
    db,
    log,
    telemetry,
    admission,
    catalog: timezoneOwner(input.sql, input.owner),
    // Nobody is checked in, unless a test says so.
    onsite: options.onsite ?? { call: async () => ({ checkedIn: false }) as never },
    refresher,
    reservationMs: options.reservationMs ?? 15 * 60 * 1000,
    wallet: options.wallet ?? null,
    expireAndPromoteIfDue: (scope) => expireAndPromoteIfDue({ db, admission }, scope),
  };
  const { api, internal } = buildListeners(registration, deps, {
    db,
    log,
    telemetry,
    callers: callers.verifier,
    checkpoint: createCheckpoint({ db, schema: 'registration', origins: ['catalog'] }),
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
  });
  return {
    ...serving,
    db,
    admission,
    async stop() {
      await serving.stop();
      await Promise.all(jobs.map((job) => job.stop()));
      await db.close();
    },
  };
}

/** Catalog, which says the time zone of the events that the projections have. */
const timezoneOwner = (sql: TestDatabase['sql'], owner: StubOwner): ServiceClient => ({
  async call(_operation, input) {
    if (owner.isUnavailable) throw unavailable();
    const { businessUnitId, eventId } = input as EventScope;
    const found = await sql(
      'select id from registration.event_projection where business_unit_id = $1 and id = $2',
      [businessUnitId, eventId],
    );
    if (found.length === 0) throw notFound();
    return { timezone: owner.timezone } as never;
  },
});

const snapshotOwner = (owner: StubOwner) => ({
  async read(type: string, businessUnitId: string, id: string) {
    if (owner.isUnavailable) throw unavailable();
    const snapshot = owner.snapshots.get(`${type} ${id}`);
    return snapshot?.businessUnitId === businessUnitId ? snapshot : null;
  },
  lineage: async () => ({ lineage: 'lineage', previousLineage: null }),
  page: async () => ({ snapshots: [], next: null }),
});
