import { systemClock } from '@event-api/platform/core/clock';
import { createLogger } from '@event-api/platform/core/log';
import { openDatabase } from '@event-api/platform/db/database';
import { migrate } from '@event-api/platform/db/migrations';
import { listen } from '@event-api/platform/http/listen';
import { createServiceClient } from '@event-api/platform/http/service-client';
import { createCheckpoint } from '@event-api/platform/messaging/projections/checkpoint';
import { fullTrust } from '@event-api/platform/messaging/projections/origin-trust';
import { createProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { buildListeners } from '@event-api/platform/service/build-listeners';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { createTestDatabase } from '@event-api/platform/testing/database';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { postgresUrl } from '@event-api/platform/testing/servers';

import { type CatalogDeps, catalog } from '../src/app.ts';
import { catalogOrm } from '../src/orm.ts';
import { createPromotion } from '../src/seat-counts/promote.ts';

/**
 * Starts catalog with its own port and database, or with another database that may be unavailable.
 */
export async function startCatalog({
  databaseUrl,
  // No process listens on this port, so registration is unavailable.
  registrationUrl = 'http://127.0.0.1:1',
}: {
  databaseUrl?: string;
  registrationUrl?: string;
} = {}) {
  const database = await createTestDatabase(await postgresUrl());
  if (!databaseUrl) await migrate(catalogOrm(database.url));
  const db = await openDatabase(catalogOrm(databaseUrl ?? database.url), 10);
  const callers = await createTestCallers(['gateway', 'admin', 'catalog', 'commerce']);
  const log = createLogger({ service: 'catalog', level: 'silent' });
  const telemetry = await createTelemetry({
    service: 'catalog',
    log,
    settings: { TELEMETRY_SAMPLE_RATIO: 1 },
  });
  const catalogSigner = await callers.signer('catalog');
  const deps: CatalogDeps = {
    db,
    clock: systemClock,
    log,
    telemetry,
    refresher: createProjectionRefresher({
      trust: fullTrust,
      db,
      projections: catalog.projections,
      snapshotClients: {},
    }),
    promotion: createPromotion((timeoutMs) =>
      createServiceClient({ url: registrationUrl, signer: catalogSigner, timeoutMs }),
    ),
  };
  const { api, internal } = buildListeners(catalog, deps, {
    db,
    log,
    telemetry,
    callers: callers.verifier,
    checkpoint: createCheckpoint({ db, schema: 'catalog', origins: ['registration'] }),
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
  const signer = await callers.signer('gateway');
  return {
    ...serving,
    callers,
    database,
    sql: database.sql,
    timeAfterChanges: database.timeAfterChanges,
    /** Returns a client for an integrator of this business unit. */
    async as(businessUnitId: string, defaultCurrency = 'EUR'): Promise<HttpClient> {
      const token = await signer.sign({ audience: 'api', businessUnitId, defaultCurrency });
      return httpClient(serving.apiUrl, { 'x-caller': token });
    },
    /** Returns a client of the internal listener for an operator. */
    async asOperator(): Promise<HttpClient> {
      const token = await (await callers.signer('admin')).sign({ audience: 'operator' });
      return httpClient(serving.internalUrl, { 'x-caller': token });
    },
    /** Returns a client of the internal listener for another service. */
    async asService(): Promise<HttpClient> {
      const token = await (await callers.signer('commerce')).sign({ audience: 'service' });
      return httpClient(serving.internalUrl, { 'x-caller': token });
    },
    async close() {
      await serving.stop();
      await db.close();
      await database.drop();
    },
  };
}

export type TestCatalog = Awaited<ReturnType<typeof startCatalog>>;
