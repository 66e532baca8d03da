import { randomUUID } from 'node:crypto';
import { operation } from '@event-api/contracts/operation';
import { MikroORM } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { preconditionFailed } from '../src/core/errors.ts';
import { newId } from '../src/core/ids.ts';
import { createLogger } from '../src/core/log.ts';
import { idempotencyTimeouts } from '../src/core/timeouts.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { ormOptions } from '../src/db/migrations.ts';
import { deleteExpiredKeys } from '../src/http/idempotency/cleanup.ts';
import { registerIdempotency } from '../src/http/idempotency/hooks.ts';
import { IdempotencyKey } from '../src/http/idempotency/idempotency-key.entity.ts';
import { isRetry } from '../src/http/idempotency/scope.ts';
import { requireCaller } from '../src/http/require-caller.ts';
import { createHttpServer } from '../src/http/server.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { createTestCallers } from '../testing/callers.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { httpClient, type TestResponse } from '../testing/http-client.ts';
import { postgresUrl } from '../testing/servers.ts';

const config = { summary: 'A test', tag: 'Tests', owner: 'catalog', permission: 'design' } as const;
const body = z.object({ name: z.string(), more: z.unknown() }).partial({ more: true });
const response = { 201: z.object({ id: z.string() }) };

const createThing = operation({
  method: 'POST',
  url: '/v1/things',
  config: { ...config, operationId: 'createThing', audience: 'api' },
  schema: { body, response },
});
const commandThing = operation({
  method: 'POST',
  url: '/operator/thing.create',
  config: { ...config, operationId: 'thing.create', audience: 'operator' },
  schema: { body, response },
});
const secretThing = operation({
  method: 'POST',
  url: '/operator/thing.secret',
  config: {
    ...config,
    operationId: 'thing.secret',
    audience: 'operator',
    secretInResponse: ['secret'],
  },
  schema: { body, response: { 201: z.object({ id: z.string(), secret: z.string().nullable() }) } },
});

/** The steps of a run before and after its effect. */
export interface Step {
  before?: () => Promise<void> | void;
  after?: () => Promise<void> | void;
}

/** A service with one operation that creates a thing, and finds it in a retry. */
export interface IdempotencyHarness {
  database: TestDatabase;
  /** The ids of all things. */
  things: Set<string>;
  /** The steps of the next runs, one each; without a step a run only creates. */
  steps: Step[];
  post(
    key: string,
    options?: { body?: unknown; raw?: string; unit?: string },
  ): Promise<TestResponse>;
  command(key: string, options?: { path?: string; operator?: string }): Promise<TestResponse>;
  /** Ends the lease of a key, as the passing of time does. */
  endLease(key: string): Promise<void>;
  rowsOf(key: string): Promise<Record<string, unknown>[]>;
  metrics(): Promise<string>;
  logLines: string[];
  close(): Promise<void>;
}

export const soldOut = (): never => {
  throw preconditionFailed('SOLD_OUT');
};

export const breakDown = (): never => {
  throw new Error('broke down');
};

export async function createIdempotencyHarness(
  options: { intervalMs?: number } = {},
): Promise<IdempotencyHarness> {
  const database = await createTestDatabase(await postgresUrl());
  const orm = ormOptions({
    url: database.url,
    schema: 'test',
    entities: [IdempotencyKey],
    migrations: new URL('./no-migrations', import.meta.url),
  });
  await database.sql('create schema test');
  const creating = await MikroORM.init(orm);
  await creating.schema.create();
  await creating.close(true);
  const db: Database = await openDatabase(orm, 4);

  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const log = createLogger({ service: 'test', level: 'warn', destination });
  const metrics = createMetrics('test');
  const callers = await createTestCallers();
  const app = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  requireCaller(app, callers.verifier);
  registerIdempotency(app, { db, schema: 'test' });
  deleteExpiredKeys(app, { db, schema: 'test', log, metrics, ...options });

  const things = new Set<string>();
  const steps: Step[] = [];
  async function create(): Promise<{ id: string }> {
    const id = newId('evt');
    const step = steps.shift();
    if (isRetry() && things.has(id)) return { id };
    await step?.before?.();
    things.add(id);
    await step?.after?.();
    return { id };
  }
  app.route({
    ...createThing,
    handler: async (_request, reply) => reply.code(201).send(await create()),
  });
  app.route({
    ...commandThing,
    handler: async (_request, reply) => reply.code(201).send(await create()),
  });
  app.route({
    ...secretThing,
    handler: async (_request, reply) => {
      return reply.code(201).send({ ...(await create()), secret: 'hunter2' });
    },
  });
  const client = httpClient(await app.listen({ host: '127.0.0.1', port: 0 }));
  const gateway = await callers.signer('gateway');
  const admin = await callers.signer('admin');

  return {
    database,
    things,
    steps,
    async post(key, { unit = 'unit_1', ...sent } = {}) {
      const token = await gateway.sign({ audience: 'api', businessUnitId: unit });
      const headers = { 'x-caller': token, 'idempotency-key': key };
      return client('POST', '/v1/things', { body: { name: 'x' }, ...sent, headers });
    },
    async command(key, { path = '/operator/thing.create', operator } = {}) {
      const actor = operator === undefined ? undefined : { type: 'cli' as const, id: operator };
      const token = await admin.sign({ audience: 'operator', actor });
      const headers = { 'x-caller': token, 'idempotency-key': key };
      return client('POST', path, { body: { name: 'x' }, headers });
    },
    // Its end in milliseconds identifies a lease. In production the next one starts after the end
    // of this one.
    endLease: (key) =>
      eventually(async () => {
        const ended = await database.sql(
          `update test.idempotency_key set lease_until = clock_timestamp() - interval '1 second'
           where key = $1 and clock_timestamp() > lease_until - $2 * interval '1 ms' + interval '2 ms' returning key`,
          [key, idempotencyTimeouts.leaseMs],
        );
        if (ended.length === 0) throw new Error('the lease began within this millisecond');
      }),
    rowsOf: (key) => database.sql('select * from test.idempotency_key where key = $1', [key]),
    metrics: () => metrics.text(),
    logLines,
    async close() {
      await app.close();
      await db.close();
      await database.drop();
    },
  };
}

export const newKey = (): string => randomUUID();
