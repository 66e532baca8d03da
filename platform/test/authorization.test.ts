import { type Operation, operation } from '@event-api/contracts/operation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createLogger } from '../src/core/log.ts';
import type { CallerClaims } from '../src/http/caller-tokens.ts';
import { requireCaller } from '../src/http/require-caller.ts';
import { createHttpServer, type HttpServer } from '../src/http/server.ts';
import { createTestCallers, type TestCallers } from '../testing/callers.ts';
import { type HttpClient, httpClient } from '../testing/http-client.ts';

const config = { summary: 'A test', tag: 'Tests', owner: 'catalog' } as const;
const response = { 200: z.object({}) };

const readEvent = operation({
  method: 'GET',
  url: '/v1/events/:eventId',
  config: { ...config, operationId: 'readEvent', audience: 'api', permission: 'catalog.read' },
  schema: { params: z.object({ eventId: z.string() }), response },
});
const changeKey = operation({
  method: 'POST',
  url: '/operator/key.change',
  config: {
    ...config,
    operationId: 'key.change',
    audience: 'operator',
    permission: 'keys',
    platformFields: ['limit'],
  },
  schema: {
    body: z.object({ businessUnitId: z.string().optional(), limit: z.int().optional() }),
    response,
  },
});
const scan = operation({
  method: 'POST',
  url: '/v1/events/:eventId/scan',
  config: { ...config, operationId: 'scan', audience: 'api', permission: 'doors' },
  schema: {
    params: z.object({ eventId: z.string() }),
    body: z.object({ subjectType: z.string(), subjectId: z.string().optional() }),
    response,
  },
});
const undeclared: Operation = {
  ...readEvent,
  url: '/v1/undeclared',
  config: { ...config, operationId: 'undeclared', audience: 'api' },
  schema: { response },
};

let server: HttpServer;
let callers: TestCallers;
let client: HttpClient;
let handled = 0;

beforeAll(async () => {
  callers = await createTestCallers();
  const log = createLogger({ service: 'test', level: 'silent' });
  server = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  requireCaller(server, callers.verifier);
  for (const each of [readEvent, changeKey, scan, undeclared]) {
    server.route({
      ...each,
      handler: async () => {
        handled += 1;
        return {};
      },
    });
  }
  client = httpClient(await server.listen({ host: '127.0.0.1', port: 0 }));
});
afterAll(() => server?.close());

async function send(issuer: string, claims: CallerClaims, path: string, body?: object) {
  const token = await (await callers.signer(issuer)).sign(claims);
  const before = handled;
  const result = await client(body ? 'POST' : 'GET', path, {
    headers: { 'x-caller': token },
    ...(body && { body }),
  });
  return { status: result.status, body: result.body, isHandled: handled > before };
}

const denied = { status: 403, isHandled: false, body: { error: { status: 'PERMISSION_DENIED' } } };

describe('a server rejects before the handler', () => {
  test('a caller without the permission with 403, also with a malformed body', async () => {
    const claims = { audience: 'operator', businessUnitId: 'unit_1', permissions: [] } as const;
    const path = changeKey.url;
    expect(await send('console', claims, path, { businessUnitId: 'unit_1' })).toMatchObject(denied);
    expect(await send('console', claims, path, { wrong: 1 })).toMatchObject(denied);
  });

  test('a token of the console without permissions', async () => {
    const claims = { audience: 'api', businessUnitId: 'unit_1' } as const;
    expect(await send('console', claims, '/v1/events/evt_1')).toMatchObject(denied);
  });

  test('a limited caller of an operation without a declared permission', async () => {
    const claims = { audience: 'api', permissions: ['catalog.read'] } as const;
    expect(await send('gateway', claims, '/v1/undeclared')).toMatchObject(denied);
    expect(await send('gateway', { audience: 'api' }, '/v1/undeclared')).toMatchObject({
      status: 200,
    });
  });

  test('another business unit with the 404 of a missing one, byte by byte', async () => {
    const claims = {
      audience: 'operator',
      businessUnitId: 'unit_1',
      permissions: ['keys'],
    } as const;
    const of = (businessUnitId: string) =>
      send('console', claims, changeKey.url, { businessUnitId });
    expect(await of('unit_1')).toMatchObject({ status: 200, isHandled: true });
    const foreign = await of('unit_2');
    expect(foreign).toMatchObject({
      status: 404,
      isHandled: false,
      body: { error: { details: [{ field: 'businessUnitId', code: 'not_found' }] } },
    });
    expect(JSON.stringify(foreign)).toBe(JSON.stringify(await of('unit_missing')));
  });

  test('a field of the platform, and a command without a unit, with 403', async () => {
    const claims = {
      audience: 'operator',
      businessUnitId: 'unit_1',
      permissions: ['keys'],
    } as const;
    const body = { businessUnitId: 'unit_1', limit: 1 };
    expect(await send('console', claims, changeKey.url, body)).toMatchObject(denied);
    expect(await send('console', claims, changeKey.url, {})).toMatchObject(denied);
    const more = { ...claims, permissions: ['keys', 'platform'] };
    expect(await send('console', more, changeKey.url, body)).toMatchObject({ status: 200 });
    const cli = { audience: 'operator', permissions: ['platform'] } as const;
    expect(await send('admin', cli, changeKey.url, { limit: 1 })).toMatchObject({ status: 200 });
  });

  test('an event that the caller does not list with 404', async () => {
    const claims = { audience: 'api', permissions: ['catalog.read'], events: ['evt_1'] } as const;
    expect(await send('gateway', claims, '/v1/events/evt_1')).toMatchObject({ status: 200 });
    expect(await send('gateway', claims, '/v1/events/evt_2')).toMatchObject({
      status: 404,
      isHandled: false,
      body: { error: { message: 'Not found' } },
    });
  });

  test('another door with the 404 of a missing one', async () => {
    const claims = { audience: 'api', permissions: ['doors'], doors: ['ses_1'] } as const;
    const at = (subjectId: string) =>
      send('gateway', claims, '/v1/events/evt_1/scan', { subjectType: 'session', subjectId });
    expect(await at('ses_1')).toMatchObject({ status: 200 });
    expect(await at('ses_2')).toMatchObject({
      status: 404,
      isHandled: false,
      body: { error: { details: [{ field: 'subjectId', code: 'not_found' }] } },
    });
  });
});

test('a path without a route is 404 for every caller', async () => {
  const claims = { audience: 'api', permissions: [] } as const;
  expect(await send('console', claims, '/v1/nothing')).toMatchObject({ status: 404 });
});
