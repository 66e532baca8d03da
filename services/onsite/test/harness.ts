import type { readBadge } from '@event-api/contracts/internal/seats';
import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import { openDatabase } from '@event-api/platform/db/database';
import { migrate } from '@event-api/platform/db/migrations';
import { notFound, unavailable } from '@event-api/platform/errors';
import { serve } from '@event-api/platform/http/serve';
import { createLogger } from '@event-api/platform/log';
import { createAskOwner } from '@event-api/platform/projections/ask-owner';
import { createPosition } from '@event-api/platform/projections/position';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { createTestCallers, type TestCallers } from '@event-api/platform/testing/callers';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { type Client, httpClient } from '@event-api/platform/testing/http';
import { inject } from 'vitest';
import type { z } from 'zod';
import { buildOnsite, onsiteCopies } from '../src/app.ts';
import { createDoorQueues } from '../src/checkins/queue.ts';
import { onsiteOrm } from '../src/orm.ts';

export type BadgeAnswer = z.output<(typeof readBadge.schema.response)[200]>;

/** What catalog and registration would answer: nothing, unless a test puts it here. */
export interface StandInOwners {
  snapshots: Map<string, Snapshot>;
  /** By the registration's id and by the badge's code. */
  badges: Map<string, BadgeAnswer>;
  /** How many badges were asked for. */
  badgesAsked: number;
  catalogIsAway: boolean;
  registrationIsAway: boolean;
}

/**
 * Onsite as it runs, over one database of its own and without a bus: copies are what a test writes into
 * them, and the owners of the originals are stand-ins.
 */
export async function startOnsite({ replicas: count = 1 } = {}) {
  const database = await createTestDatabase(inject('postgresUrl'));
  await migrate(onsiteOrm(database.url));
  const callers = await createTestCallers(['gateway', 'admin', 'onsite', 'registration']);
  const owners: StandInOwners = {
    snapshots: new Map(),
    badges: new Map(),
    badgesAsked: 0,
    catalogIsAway: false,
    registrationIsAway: false,
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
    /** Asks one replica as an integrator of this unit. */
    async as(businessUnitId: string, n = 0): Promise<Client> {
      const token = await gateway.sign({ audience: 'api', businessUnitId, defaultCurrency: 'EUR' });
      return httpClient(replica(n).apiUrl, { 'x-caller': token });
    },
    /** Asks a replica's internal listener as an operator. */
    operator: async (n = 0): Promise<Client> =>
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

async function startReplica(given: {
  database: TestDatabase;
  callers: TestCallers;
  owners: StandInOwners;
}) {
  const { database, callers, owners } = given;
  const db = await openDatabase(onsiteOrm(database.url), 10);
  const log = createLogger({ service: 'onsite', level: 'silent' });
  const settings = { TELEMETRY_SAMPLE_RATIO: 1 };
  const telemetry = await createTelemetry({ service: 'onsite', log, settings });
  const { api, internal } = buildOnsite({
    db,
    log,
    telemetry,
    doors: createDoorQueues(db, telemetry.metrics),
    registration: { call: async (_operation, input) => badgeOf(owners, input as object) as never },
    askOwner: createAskOwner({
      db,
      copies: onsiteCopies,
      owners: {
        catalog: snapshotOwner(owners, () => owners.catalogIsAway),
        registration: snapshotOwner(owners, () => owners.registrationIsAway),
      },
    }),
    position: createPosition({ db, schema: 'onsite', origins: ['catalog'] }),
    callers: callers.verifier,
    // Without a bus there is nothing to make copies anew from.
    resyncCopies: async () => {},
    checkResponses: true,
  });
  const serving = await serve({
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
    async stop() {
      await serving.stop();
      await db.close();
    },
  };
}

function badgeOf(
  owners: StandInOwners,
  asked: { registrationId?: string; checkinCode?: string },
): BadgeAnswer {
  owners.badgesAsked += 1;
  if (owners.registrationIsAway) throw unavailable();
  const known = owners.badges.get(asked.registrationId ?? asked.checkinCode ?? '');
  if (!known) throw notFound();
  return known;
}

const snapshotOwner = (owners: StandInOwners, isAway: () => boolean) => ({
  async read(type: string, businessUnitId: string, id: string) {
    if (isAway()) throw unavailable();
    const known = owners.snapshots.get(`${type} ${id}`);
    return known?.businessUnitId === businessUnitId ? known : null;
  },
  page: async () => ({ snapshots: [], next: null }),
});
