import { operation } from '@event-api/contracts/operation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { notFound, preconditionFailed } from '../src/core/errors.ts';
import { createLogger } from '../src/core/log.ts';
import { rejectMalformedIds } from '../src/http/record-scope.ts';
import { requireCaller } from '../src/http/require-caller.ts';
import { createHttpServer, type HttpServer } from '../src/http/server.ts';
import { createTestCallers } from '../testing/callers.ts';
import { type HttpClient, httpClient } from '../testing/http-client.ts';

const config = {
  operationId: 'test',
  summary: 'A test',
  tag: 'Tests',
  owner: 'catalog',
  audience: 'api',
  permission: 'design',
} as const;

const echo = operation({
  method: 'POST',
  url: '/v1/echo',
  config,
  schema: { body: z.looseObject({}), response: { 200: z.unknown() } },
});
const note = operation({
  method: 'POST',
  url: '/v1/note',
  config,
  schema: {
    body: z.object({ text: z.string().optional() }).optional(),
    response: { 200: z.object({ text: z.string().nullable() }) },
  },
});
const thing = operation({
  method: 'GET',
  url: '/v1/things/:thingId',
  config,
  schema: {
    params: z.object({ thingId: z.string() }),
    response: { 200: z.object({ id: z.string() }) },
  },
});
const operate = operation({
  method: 'POST',
  url: '/operator/it',
  config: { ...config, audience: 'operator' },
  schema: { response: { 200: z.object({ done: z.boolean() }) } },
});

let server: HttpServer;
let anonymous: HttpClient;
let call: HttpClient;
let operatorToken: string;
const logLines: string[] = [];

beforeAll(async () => {
  const callers = await createTestCallers();
  const destination = { write: (line: string) => void logLines.push(line) };
  const log = createLogger({ service: 'test', level: 'info', destination });
  server = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  requireCaller(server, callers.verifier);
  rejectMalformedIds(server);
  server.route({ ...echo, handler: async ({ body }) => body });
  server.route({ ...note, handler: async ({ body }) => ({ text: body?.text ?? null }) });
  server.route({
    ...thing,
    handler: async ({ params: { thingId } }) => {
      if (thingId === 'broken') throw new Error('hunter2');
      if (thingId === 'wrong') return { id: 5 as unknown as string };
      if (thingId === 'archived') throw preconditionFailed('EVENT_ARCHIVED');
      if (thingId === 'missing') throw notFound();
      return { id: thingId };
    },
  });
  server.route({ ...operate, handler: async () => ({ done: true }) });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const apiToken = await (await callers.signer('gateway')).sign({ audience: 'api' });
  operatorToken = await (await callers.signer('admin')).sign({ audience: 'operator' });
  anonymous = httpClient(url);
  call = httpClient(url, { 'x-caller': apiToken });
});
afterAll(() => server?.close());

const invalidJson = [{ field: 'body', issue: 'is not valid JSON', code: 'invalid_json' }];

describe('a body', () => {
  test('is accepted unchanged, with any Unicode', async () => {
    const body = { a: 'ж😀', b: [1, null, true, { c: -1.5e3 }] };
    expect((await call('POST', '/v1/echo', { body })).body).toEqual(body);
  });

  test.each([
    ['half of an object', '{"a":'],
    ['two values', '{} {}'],
    ['a trailing comma', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['NaN', '{"a":NaN}'],
    ['blanks', '  '],
    ['a byte order mark', '\ufeff{}'],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['a byte that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ])('is rejected with a 400: %s', async (_what, raw) => {
    const { status, body } = await call('POST', '/v1/echo', { raw });
    expect({ status, details: body.error.details }).toEqual({ status: 400, details: invalidJson });
  });

  test.each([
    ['null', 'null', 'invalid_type'],
    ['an array', '[]', 'invalid_type'],
    ['a string', '"{}"', 'invalid_type'],
    ['a number', '1', 'invalid_type'],
    ['nothing', '', 'invalid_type'],
  ])('is rejected with a 400 when it is %s instead of an object', async (_what, raw, code) => {
    const { status, body } = await call('POST', '/v1/echo', { raw });
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([{ field: 'body', code }]);
  });

  test('may be omitted if optional, and is validated if present', async () => {
    for (const options of [{}, { raw: '' }, { body: {} }]) {
      expect(await call('POST', '/v1/note', options)).toMatchObject({ body: { text: null } });
    }
    expect((await call('POST', '/v1/note', { body: { text: 'x' } })).body).toEqual({ text: 'x' });
    for (const raw of ['null', '[]', '{"text":1}']) {
      expect((await call('POST', '/v1/note', { raw })).status).toBe(400);
    }
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json-patch+json',
    'json',
  ])('of the type %s is rejected with a 415', async (type) => {
    const headers = { 'content-type': type };
    const { status, body } = await call('POST', '/v1/echo', { raw: '{}', headers });
    expect([status, body.error.status]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON'])(
    'of the type %s is JSON',
    async (type) => {
      const headers = { 'content-type': type };
      expect((await call('POST', '/v1/echo', { raw: '{}', headers })).status).toBe(200);
    },
  );

  test.each([
    [1024 * 1024, 200],
    [1024 * 1024 + 1, 413],
  ])('of %i bytes gets a %i', async (bytes, status) => {
    const raw = `{"a":"${'x'.repeat(bytes - 8)}"}`;
    expect((await call('POST', '/v1/echo', { raw })).status).toBe(status);
  });
});

describe('an id of the path', () => {
  test.each(['a', 'ж', '%20', '%25', '..;', 'a%2Fb', 'x'.repeat(300), '%F0%9F%98%80'])(
    'may be any storable text: %s',
    async (id) => {
      const { status, body } = await call('GET', `/v1/things/${id}`);
      expect([status, body.id]).toEqual([200, decodeURIComponent(id)]);
    },
  );

  test.each(['%00', 'a%00b', '%ED%A0%80', '%ff', '%'])(
    'that no record can have is a 404: %s',
    async (id) => {
      const { status, body } = await call('GET', `/v1/things/${id}`);
      const missing = await call('GET', '/v1/things/missing');
      expect([status, body]).toEqual([404, missing.body]);
    },
  );
});

describe('a response', () => {
  test('to an unexpected error has no details, and the log has the cause', async () => {
    const { status, body } = await call('GET', '/v1/things/broken');
    expect(status).toBe(500);
    expect(body).toEqual({ error: { code: 500, status: 'INTERNAL', message: 'Internal error' } });
    expect(logLines.join('')).toContain('hunter2');
  });

  test('that violates its contract becomes a 500', async () => {
    expect((await call('GET', '/v1/things/wrong')).status).toBe(500);
  });

  test('to a violated business rule names the rule', async () => {
    const { status, body } = await call('GET', '/v1/things/archived');
    expect(status).toBe(412);
    expect(body.error).toMatchObject({
      status: 'FAILED_PRECONDITION',
      details: [{ reason: 'EVENT_ARCHIVED' }],
    });
  });
});

describe('a request without a valid caller', () => {
  test.each(['/v1/things/a', '/v1/things/%00', '/v1/unknown', '/', '/v1/things/a/b'])(
    'is a 401 on %s',
    async (path) => {
      const { status, body, headers } = await anonymous('GET', path);
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(body.error).toEqual({
        code: 401,
        status: 'UNAUTHENTICATED',
        message: 'A valid API key is required',
      });
    },
  );

  test('gets a 401 before its body is validated', async () => {
    expect((await anonymous('POST', '/v1/echo', { raw: '{' })).status).toBe(401);
  });

  test('gets a 401 for an operator command with an API token, and the reverse', async () => {
    const asOperator = { headers: { 'x-caller': operatorToken } };
    expect((await call('POST', '/operator/it')).status).toBe(401);
    expect((await anonymous('POST', '/operator/it', asOperator)).status).toBe(200);
    expect((await anonymous('GET', '/v1/things/a', asOperator)).status).toBe(401);
  });
});
