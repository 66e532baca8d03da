import { openObject } from '@event-api/contracts/http/open-object';
import { operation } from '@event-api/contracts/operation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createLogger } from '../src/core/log.ts';
import { requireCaller } from '../src/http/require-caller.ts';
import { createHttpServer, type HttpServer } from '../src/http/server.ts';
import { createTestCallers } from '../testing/callers.ts';
import { type HttpClient, httpClient } from '../testing/http-client.ts';

const config = {
  summary: 'A test',
  tag: 'Tests',
  owner: 'catalog',
  audience: 'api',
  permission: 'design',
} as const;

const closed = operation({
  method: 'POST',
  url: '/v1/closed',
  config: { ...config, operationId: 'closed' },
  schema: {
    body: z.object({
      name: z.string(),
      inner: z.object({ a: z.int() }).optional(),
      y: z.unknown().optional(),
    }),
    response: { 200: z.unknown() },
  },
});
const open = operation({
  method: 'POST',
  url: '/v1/open',
  config: { ...config, operationId: 'open' },
  schema: {
    body: z.object({ answers: openObject({ maxBytes: 1024, maxDepth: 5 }) }),
    response: { 200: z.unknown() },
  },
});

let server: HttpServer;
let call: HttpClient;

beforeAll(async () => {
  const callers = await createTestCallers();
  const log = createLogger({ service: 'test', level: 'silent' });
  server = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  requireCaller(server, callers.verifier);
  server.route({
    ...closed,
    // Reads through the prototype chain on purpose: a replaced prototype would show here.
    handler: async ({ body }) => ({
      ...body,
      status: (body as { status?: string }).status ?? null,
    }),
  });
  server.route({ ...open, handler: async ({ body }) => body });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  call = httpClient(url, {
    'x-caller': await (await callers.signer('gateway')).sign({ audience: 'api' }),
  });
});
afterAll(() => server?.close());

const spellings = ['__proto__', '\\u005f_proto__', '_\\u005fproto\\u005f_'];

describe('__proto__ in a body', () => {
  test.each(spellings)('%s is an unknown field of an object with known fields', async (key) => {
    const raw = `{"${key}":{"status":"set"},"name":"x","inner":{"${key}":{"a":2},"a":1}}`;
    const { status, body } = await call('POST', '/v1/closed', { raw });
    expect([status, body.error.details]).toMatchObject([
      400,
      [
        { field: '__proto__', code: 'unknown_field' },
        { field: 'inner.__proto__', code: 'unknown_field' },
      ],
    ]);
    expect(({} as { status?: string }).status).toBeUndefined();
  });

  test.each(spellings)('%s does not stand in for a required field', async (key) => {
    const { status, body } = await call('POST', '/v1/closed', { raw: `{"${key}":{"name":"x"}}` });
    expect([status, body.error.details]).toMatchObject([
      400,
      [{ field: '__proto__' }, { field: 'name', code: 'required' }],
    ]);
  });

  test.each(spellings)('%s is dropped from an open object at every level', async (key) => {
    const raw = `{"answers":{"${key}":{"b":1},"a":{"${key}":1,"c":["${key}",{"${key}":{},"d":1}]}}}`;
    const { status, body } = await call('POST', '/v1/open', { raw });
    expect([status, body]).toEqual([200, { answers: { a: { c: ['__proto__', { d: 1 }] } } }]);
  });
});

describe('nesting', () => {
  const arrays = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const objects = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
  const tooDeep = [
    { field: 'body', issue: 'is nested too deeply; at most 64 levels', code: 'too_deep' },
  ];

  test.each([
    ['arrays', 65, arrays(65)],
    ['objects', 65, objects(65)],
    ['arrays', 3000, arrays(3000)],
    ['arrays', 100_000, arrays(100_000)],
    ['objects', 100_000, objects(100_000)],
    ['arrays in a field', 65, `{"name":"x","y":${arrays(64)}}`],
    ['arrays after a string with an escaped quote', 66, `["a\\"",${arrays(65)}]`],
    ['arrays after a string that ends with a backslash', 66, `["a\\\\",${arrays(65)}]`],
  ])('rejects %s nested %i levels deep', async (_what, _levels, raw) => {
    const { status, body } = await call('POST', '/v1/closed', { raw });
    expect([status, body.error.details]).toEqual([400, tooDeep]);
  });

  test.each([
    ['64 levels', `{"name":"x","y":${arrays(63)}}`],
    ['brackets in a string', `{"name":${JSON.stringify('[{'.repeat(100))}}`],
    ['brackets after an escaped quote in a string', `{"name":"\\"${'['.repeat(100)}"}`],
    ['many siblings', `{"name":"x","y":[${Array(100).fill('[[]]').join(',')}]}`],
  ])('accepts %s', async (_what, raw) => {
    expect((await call('POST', '/v1/closed', { raw })).status).toBe(200);
  });

  test('rejects half of an array as invalid JSON', async () => {
    const { body } = await call('POST', '/v1/closed', { raw: '[[[1' });
    expect(body.error.details).toMatchObject([{ code: 'invalid_json' }]);
  });
});

describe('an open object', () => {
  test.each([
    ['an array', '[]', 'must be a JSON object', 'invalid_type'],
    ['a string', '"x"', 'must be a JSON object', 'invalid_type'],
    ['more bytes', `{"a":"${'x'.repeat(1024)}"}`, 'must have at most 1 KiB', 'invalid_value'],
    [
      'more bytes in 400,000 elements',
      `{"a":[${Array(400_000).fill(0).join(',')}]}`,
      'must have at most 1 KiB',
      'invalid_value',
    ],
    ['more levels', '{"a":[[[[[]]]]]}', 'must not be nested deeper than 5 levels', 'invalid_value'],
    [
      'NUL',
      '{"a":"\\u0000"}',
      'must not contain NUL, and must be well-formed Unicode',
      'invalid_value',
    ],
  ])('rejects %s', async (_what, answers, issue, code) => {
    const { status, body } = await call('POST', '/v1/open', { raw: `{"answers":${answers}}` });
    expect([status, body.error.details]).toEqual([400, [{ field: 'answers', issue, code }]]);
  });

  test('keeps any other JSON', async () => {
    const answers = { a: [1, null, true], b: { c: ['x'] }, constructor: 'y', 'ж 😀': -1.5 };
    expect((await call('POST', '/v1/open', { body: { answers } })).body).toEqual({ answers });
  });
});
