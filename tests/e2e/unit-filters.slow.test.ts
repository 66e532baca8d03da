import { composedOperations, operatorOperations } from '@event-api/contracts/operator/operations';
import { processNames, schemas } from '@event-api/contracts/topology';
import { httpClient } from '@event-api/platform/testing/http-client';
import {
  createPostgresFolder,
  type PrivatePostgres,
  startPrivatePostgres,
} from '@event-api/platform/testing/private-postgres';
import { readStatements } from '@event-api/platform/testing/unit-filters/read-statements';
import { sharedDatabase } from '@event-api/provisioning/database-urls';
import { OperatorError } from '@event-api/tools/admin/operator-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallestBody } from './bodies.ts';
import { type JourneyIds, runJourney } from './examples/journey.ts';
import { provokeRejections } from './examples/rejections.ts';
import { type BusFixture, createBusFixture } from './fixtures/bus.ts';
import { fastRetries } from './fixtures/checkout.ts';

let postgres: PrivatePostgres;
let bus: BusFixture;
beforeAll(async () => {
  postgres = await startPrivatePostgres({
    folder: createPostgresFolder().data,
    settings: { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.max': '10000' },
  });
  bus = await createBusFixture({
    // One server for all, which has the statements of all.
    serverUrls: sharedDatabase(postgres.url, processNames),
    env: { commerce: fastRetries },
    withConsole: true,
  });
  await bus.database.of('catalog').sql('create extension pg_stat_statements');
});
afterAll(async () => {
  await bus?.stop();
  await postgres?.close();
});

/**
 * Runs every operator command, with the ids of the journey where it has them. Most are rejected.
 */
async function runCommands(businessUnitId: string, ids: JourneyIds): Promise<void> {
  const known: Record<string, string | undefined> = {
    businessUnitId,
    eventId: ids.events,
    orderId: ids.orders,
    registrationId: ids.registrations,
    ticketTypeId: ids['ticket-types'],
  };
  const composed = new Set(composedOperations);
  for (const operation of operatorOperations.filter((each) => !composed.has(each))) {
    const body = smallestBody(operation) as Record<string, unknown>;
    for (const field of Object.keys(body)) body[field] = known[field] ?? body[field];
    await bus.operator.callUnchecked(operation, body).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
    });
  }
}

/** The statements that the processes have run. */
async function executed(): Promise<{ role: string; text: string }[]> {
  return bus.database.of('catalog').sql<{ role: string; text: string }>(
    `select r.rolname as role, s.query as text from pg_stat_statements s
     join pg_database d on d.oid = s.dbid and d.datname = current_database()
     join pg_roles r on r.oid = s.userid and r.rolname like '%\\_app' order by 2`,
  );
}

async function runEverything(): Promise<void> {
  const { unitId, secret } = await bus.newKey();
  const client = httpClient(bus.gatewayUrl, { authorization: `Bearer ${secret}` });
  const ids = await runJourney({
    recorded: client,
    unrecorded: client,
    operator: bus.operator,
    businessUnitId: unitId,
  });
  await provokeRejections(client, ids);
  await runCommands(unitId, ids);
}

const report = async () =>
  readStatements(
    bus.database.of('catalog'),
    (await executed()).map(({ text }) => text),
  );

test('every statement that the processes run filters by business unit or is a listed exception', async () => {
  await runEverything();
  const roles = new Set((await executed()).map(({ role }) => role));
  expect([...roles].toSorted()).toEqual(schemas.map((name) => `${name}_app`).toSorted());
  const { read, unfiltered } = await report();
  expect(unfiltered).toEqual([]);
  // Every operation and command runs. Fewer statements mean that the server has not recorded them.
  expect(read).toBeGreaterThan(250);
}, 600_000);

test('a statement without a filter is found', async () => {
  const session = await bus.database.of('catalog').session();
  await session.sql('set role catalog_app');
  await session.sql('select "e0"."name" from "catalog"."event" as "e0" where "e0"."id" = $1', [
    'evt_1',
  ]);
  await session.end();
  expect((await report()).unfiltered).toEqual(['select catalog.event: catalog.event']);
});
