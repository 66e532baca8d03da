import { requireField } from '@event-api/contracts/http/fields';
import { type Audience, operation } from '@event-api/contracts/operation';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ApiError } from '../core/errors.ts';
import { createLogger } from '../core/log.ts';
import { createHttpServer } from './server.ts';
import { strictValidatorCompiler } from './validation.ts';

const Item = z.object({ sku: z.string(), total: z.int() }).meta({ id: 'TestItem' });

const Order = z
  .object({
    id: z.string(),
    priceAmount: z.int(),
    counts: z.object({ sold: z.int() }),
    items: z.array(Item),
    discount: z.object({ type: z.string(), value: z.int(), label: z.string() }).nullable(),
    answers: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'TestOrder' });

const body = z
  .object({
    priceAmount: z.int().default(0),
    expiresAt: z.string().optional(),
    items: z.array(z.object({ sku: z.string() })).default([]),
    discount: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('percent'), value: z.int() }),
        z.object({ type: z.literal('amount'), value: z.int(), currency: z.string().optional() }),
      ])
      .nullable()
      .default(null),
    answers: z.record(z.string(), z.unknown()).nullable().default(null),
  })
  .check(() => {});

const declared = (schema: object, audience: Audience = 'api') =>
  operation({
    method: 'POST',
    url: '/v1/orders',
    config: {
      operationId: 'test',
      summary: 'Test',
      tag: 'Test',
      owner: 'commerce',
      audience,
      permission: 'design',
    },
    schema: { body, response: { 201: Order }, ...schema },
  });

function validate(data: unknown, schema: object = {}, audience?: Audience, httpPart = 'body') {
  const compile = strictValidatorCompiler(declared(schema, audience));
  const part = httpPart === 'body' ? { body, ...schema }.body : z.object({});
  const result = compile({ schema: part, httpPart, method: 'POST', url: '/' })(data);
  const { value, error } = result as { value?: unknown; error?: ApiError };
  return { value, details: error?.details ?? [] };
}

const unknown = (field: string, issue = expect.stringContaining('is not a known field')) => ({
  field,
  issue,
  code: 'unknown_field',
});

describe('an API body', () => {
  test('is not searched for unknown fields when an array is too long', () => {
    const schema = { body: z.object({ items: z.array(z.object({ sku: z.string() })).max(2) }) };
    const items = Array.from({ length: 3 }, () => ({ sku: 'a', skuu: 'b' }));
    expect(validate({ items: items.slice(1) }, schema).details).toHaveLength(2);
    expect(validate({ items, other: 1 }, schema).details).toMatchObject([
      { field: 'items', code: 'too_big' },
    ]);
  });

  test.each([
    ['a top-level field', { cost: 1 }, ['cost']],
    ['a field in an array', { items: [{ sku: 'a' }, { sku: 'b', price: 1 }] }, ['items[1].price']],
    ['a field in a union', { discount: { type: 'percent', value: 1, of: 1 } }, ['discount.of']],
    ['an inherited name', { constructor: 1, toString: 2 }, ['constructor', 'toString']],
    ['`__proto__`', JSON.parse('{"__proto__":{"a":1}}'), ['__proto__']],
    [
      'a nested `__proto__`',
      JSON.parse('{"items":[{"sku":"a","__proto__":{}}]}'),
      ['items[0].__proto__'],
    ],
    [
      'a name of another level',
      { sku: 'a', items: [{ sku: 'a', priceAmount: 1 }] },
      ['sku', 'items[0].priceAmount'],
    ],
  ])('is rejected for %s that neither request nor response has', (_what, data, fields) => {
    expect(validate(data).details).toEqual(fields.map((field) => unknown(field)));
  });

  test('may be the record of the response, whose other fields are ignored', () => {
    const record = {
      id: 'ord_1',
      priceAmount: 5,
      counts: { sold: 3 },
      items: [{ sku: 'a', total: 5 }],
      discount: { type: 'percent', value: 10, label: 'Friends' },
      answers: { diet: 'none' },
    };
    expect(validate(record).value).toEqual({
      priceAmount: 5,
      items: [{ sku: 'a' }],
      discount: { type: 'percent', value: 10 },
      answers: { diet: 'none' },
    });
  });

  test.each([
    ['in a wrapper', z.object({ order: Order, created: z.boolean() })],
    ['in a list', z.object({ orders: z.array(Order) })],
  ])('may be the record that the response has %s', (_where, response) => {
    const schema = { response: { 201: response } };
    expect(validate({ id: 'ord_1', counts: { sold: 3 } }, schema).details).toEqual([]);
    expect(validate({ sku: 'a' }, schema).details).toEqual([unknown('sku')]);
  });

  test('that is an array may hold the entries of the record', () => {
    const schema = { body: z.array(z.object({ sku: z.string() })) };
    expect(validate([{ sku: 'a', total: 5 }], schema).details).toEqual([]);
    expect(validate([{ sku: 'a', price: 5 }], schema).details).toEqual([unknown('[0].price')]);
  });

  test('of an operation without one is rejected for any field but those of the response', () => {
    const schema = { body: undefined };
    const compile = strictValidatorCompiler(declared(schema));
    const empty = z.object({}).optional();
    const judge = compile({ schema: empty, httpPart: 'body', method: 'POST', url: '/' });
    expect(judge(null)).toEqual({ value: undefined });
    expect(judge({ id: 'ord_1' })).toEqual({ value: {} });
    expect(judge({ reason: 'x' })).toMatchObject({
      error: { details: [unknown('reason', 'is not a known field; this operation takes none')] },
    });
  });

  test('may have any field in a free-form value', () => {
    const answers = { constructor: 1, deep: [{ any: null }] };
    expect(validate({ answers }).value).toMatchObject({ answers });
  });

  test('reports unknown fields beside every other issue', () => {
    expect(validate({ cost: 1, priceAmount: 'x', items: [{ sku: 1 }] }).details).toMatchObject([
      { field: 'cost', code: 'unknown_field' },
      { field: 'priceAmount', code: 'invalid_type' },
      { field: 'items[0].sku', code: 'invalid_type' },
    ]);
  });

  test('reports an unknown field without the fields that it may be meant for', () => {
    const oneOf = z.object({ amount: z.int().optional() }).check((ctx) => {
      if (ctx.value.amount === undefined) requireField(ctx, 'amount', 'is required unless x');
    });
    const codesOf = (data: object) =>
      validate(data, { body: oneOf }).details.map(({ field, code }) => [field, code]);
    expect(codesOf({})).toEqual([['amount', 'required']]);
    expect(codesOf({ Amount: 5 })).toEqual([['Amount', 'unknown_field']]);
  });

  test('with thousands of unknown fields reports 50 of them', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`unknown${i}`, i]));
    expect(validate(many).details).toHaveLength(50);
    const items = Array.from({ length: 5000 }, () => ({ sku: 'a', unknown: 1 }));
    expect(validate({ items }).details).toHaveLength(50);
  });

  test('with a very long name reports the beginning of it', () => {
    const { details } = validate({ ['x'.repeat(100_000)]: 1 });
    expect((details[0] as { field: string }).field).toBe(`${'x'.repeat(100)}…`);
  });
});

describe('a message about an unknown field', () => {
  test.each([
    ['price', 'priceAmount'],
    ['priceamount', 'priceAmount'],
    ['price_amount', 'priceAmount'],
    ['pirceAmount', 'priceAmount'],
    ['expires', 'expiresAt'],
    ['item', 'items'],
    ['discuont', 'discount'],
  ])('suggests for %s: %s', (name, meant) => {
    expect(validate({ [name]: 1 }).details).toEqual([
      unknown(name, `is not a known field; did you mean \`${meant}\`?`),
    ]);
  });

  test('lists the fields of the request when none is similar', () => {
    expect(validate({ foo: 1 }).details).toEqual([
      unknown(
        'foo',
        'is not a known field; the known fields are `priceAmount`, `expiresAt`, `items`, `discount` and `answers`',
      ),
    ]);
  });
});

describe('an operator command', () => {
  test('is rejected for fields of its response, too', () => {
    const record = { id: 'ord_1', priceAmount: 5, items: [{ sku: 'a', total: 5 }] };
    expect(validate(record, {}, 'operator').details).toEqual([
      unknown('id'),
      unknown('items[0].total'),
    ]);
  });
});

describe('a query', () => {
  const parameters = {
    querystring: z.object({ limit: z.string().optional(), cursor: z.string() }),
  };

  test.each([
    ['of known parameters', parameters, 'the known parameters are `limit` and `cursor`'],
    ['of none', {}, 'this operation takes none'],
  ])('with an unknown parameter is rejected, with the list %s', (_what, schema, list) => {
    const query = Object.assign(Object.create(null), { email: 'x', ['__proto__']: '1' });
    expect(validate(query, schema, 'api', 'querystring').details).toEqual(
      ['email', '__proto__'].map((field) => ({
        field,
        issue: `is not a known parameter; ${list}`,
        code: 'unknown_parameter',
      })),
    );
  });
});

describe('a field of the response that the request cannot set', () => {
  const Record = z
    .object({
      ...{ id: z.string(), recordId: z.string(), label: z.string(), status: z.string() },
      counts: z.object({ sold: z.int() }),
      lines: z.array(z.object({ sku: z.string(), total: z.int() })),
    })
    .meta({ id: 'TestRecord' });
  const stored = {
    ...{ id: 'r1', recordId: 'r1', label: 'A', status: 'open' },
    counts: { sold: 3 },
    lines: [{ sku: 'a', total: 5 }],
  };
  const withDoor = Record.extend({ isInside: z.boolean().nullable() }).meta({ id: 'WithDoor' });
  const lines = z.array(z.object({ sku: z.string() })).optional();
  const created = z.object({ label: z.string().optional(), lines });
  const base = { summary: 'Test', tag: 'Test', owner: 'commerce', permission: 'design' } as const;

  async function send(method: 'POST' | 'PATCH', url: string, payload: object) {
    const log = createLogger({ service: 'test', level: 'silent' });
    const server = createHttpServer({ log, checkResponses: true, trustRequestId: true });
    let runs = 0;
    const route = (
      method: 'GET' | 'POST' | 'PATCH',
      url: string,
      operationId: string,
      more: object = {},
      body?: z.ZodType,
      response: z.ZodType = Record,
    ) =>
      server.route({
        ...operation({
          ...{ method, url },
          config: { ...base, audience: 'api', operationId, ...more },
          schema: { ...(body && { body }), response: { 200: response } },
        }),
        handler: async () => {
          if (method !== 'GET') runs += 1;
          return { ...stored, isInside: false };
        },
      });
    route('GET', '/v1/records', 'list');
    route('POST', '/v1/records', 'create', { newRecord: { status: 'open' } }, created);
    route('GET', '/v1/records/:recordId', 'read');
    const beyond = {
      recordId: 'TestRecord',
      derived: ['counts'],
      beyondRecord: { isInside: ['scan'] },
      readBeyondRecord: async () => ({ isInside: false }),
    };
    route('PATCH', '/v1/records/:id', 'update', beyond, created, withDoor);
    route('POST', '/v1/records/:key/close', 'close', { sets: ['status'] });
    const response = await server.inject({ method, url, payload });
    await server.close();
    const details = (response.json().error?.details ?? []) as object[];
    return { status: response.statusCode, details, runs };
  }
  const at = (url: string) =>
    ({ method: url === '/v1/records/r1' ? 'PATCH' : 'POST', url }) as const;
  const urls = ['/v1/records', '/v1/records/r1', '/v1/records/r1/close'].map(at);

  test.each(urls)('passes with the value of the record: $method $url', async ({ method, url }) => {
    const sent = url === '/v1/records' ? { status: 'open', label: 'A' } : stored;
    expect(await send(method, url, sent)).toEqual({ status: 200, details: [], runs: 1 });
  });

  test.each(urls)('is a 400 with another value: $method $url', async ({ method, url }) => {
    for (const value of ['closed', null, { a: 1 }]) {
      const { status, details, runs } = await send(method, url, { status: value });
      expect({ status, runs }).toEqual({ status: 400, runs: 0 });
      const issue = 'cannot be set here; `close` sets it';
      expect(details).toEqual([{ field: 'status', issue, code: 'read_only_field' }]);
    }
  });

  test('passes with an earlier value if it changes by itself', async () => {
    for (const counts of [{ sold: 2 }, null]) {
      const sent = { ...stored, counts };
      expect(await send('PATCH', '/v1/records/r1', sent)).toMatchObject({ status: 200, runs: 1 });
      const of = await send('POST', '/v1/records/r1/close', sent);
      expect(of).toMatchObject({ status: 400, details: [{ field: 'counts' }] });
    }
  });

  test.each([
    [{ isInside: false }, []],
    [{ isInside: null }, []],
    [{ isInside: true }, ['isInside']],
    [{ isInside: true, status: 'closed' }, ['isInside', 'status']],
    [{ isInside: 'no', status: 'open' }, ['isInside']],
  ])('is compared although only the response of the change has it: %j', async (sent, fields) => {
    const { status, details } = await send('PATCH', '/v1/records/r1', sent);
    expect(status).toBe(fields.length > 0 ? 400 : 200);
    expect(details).toMatchObject(fields.map((field) => ({ field, code: 'read_only_field' })));
    if (fields.length === 1) {
      expect(details).toMatchObject([{ issue: 'cannot be set here; `scan` sets it' }]);
    }
  });

  test('is compared at every level', async () => {
    const sent = {
      lines: [
        { sku: 'a', total: 5 },
        { sku: 'b', total: 5 },
      ],
    };
    const { details } = await send('PATCH', '/v1/records/r1', sent);
    expect(details).toMatchObject([{ field: 'lines[1].total', code: 'read_only_field' }]);
  });
});

test.each([
  ['service', 200],
  ['notification', 200],
  ['api', 400],
  ['operator', 400],
] as const)(
  'a route for the audience %s responds %i to an unknown field',
  async (audience, code) => {
    const log = createLogger({ service: 'test', level: 'silent' });
    const server = createHttpServer({ log, checkResponses: true, trustRequestId: true });
    const handler = async () => ({ done: true });
    const schema = { body, response: { 200: z.object({ done: z.boolean() }) } };
    server.route({ ...declared({}, audience), schema, handler });
    const payload = { priceAmount: 1, unexpected: 2 };
    const { statusCode } = await server.inject({ method: 'POST', url: '/v1/orders', payload });
    expect(statusCode).toBe(code);
    await server.close();
  },
);
