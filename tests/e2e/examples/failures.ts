import { request } from 'node:http';
import { connect } from 'node:net';
import { createKey } from '@event-api/contracts/operator/keys';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import type { BusFixture } from '../fixtures/bus.ts';

/**
 * Error responses by status: `shared` are the same for every operation, `sharedReads` differ from
 * them for a GET.
 */
export interface SharedFailures {
  shared: Record<number, unknown>;
  sharedReads: Record<number, unknown>;
}

/** Provokes error responses of the gateway and of an impaired platform. */
export async function provokeFailures(
  bus: BusFixture,
  { unitId, secret }: { unitId: string; secret: string },
): Promise<SharedFailures> {
  const authorization = `Bearer ${secret}`;
  const call = httpClient(bus.gatewayUrl, { authorization });
  const event = { name: 'Summit', timezone: 'Europe/Berlin' };
  const late = requestTimeout(bus.gatewayUrl);
  const bodies = {
    401: await bodyOf(401, httpClient(bus.gatewayUrl)('GET', '/v1/events')),
    403: await withoutPermission(bus, unitId),
    405: await bodyOf(405, call('DELETE', '/v1/events')),
    409: await requestInProgress(bus, call),
    413: await bodyOf(413, call('POST', '/v1/events', { raw: Buffer.alloc(2 * 1024 * 1024, ' ') })),
    415: await bodyOf(
      415,
      call('POST', '/v1/events', { raw: 'name=x', headers: { 'content-type': 'text/plain' } }),
    ),
    417: await withHeaders(bus.gatewayUrl, { authorization, expect: 'a-reply' }),
    429: await rateLimited(bus, unitId),
    431: await withHeaders(bus.gatewayUrl, { authorization, 'x-large': 'x'.repeat(20_000) }),
    500: await withoutTable(bus, () => bodyOf(500, call('GET', '/v1/events'))),
    503: await unavailable(bus, () => bodyOf(503, call('POST', '/v1/events', { body: event }))),
  };
  const [read, write] = await stalled(bus, () =>
    Promise.all([
      bodyOf(504, call('GET', '/v1/events')),
      bodyOf(504, call('POST', '/v1/events', { body: event })),
    ]),
  );
  return { shared: { ...bodies, 408: await late, 504: write }, sharedReads: { 504: read } };
}

async function bodyOf(status: number, response: ReturnType<HttpClient>): Promise<unknown> {
  const { status: actual, body } = await response;
  if (actual !== status) throw new Error(`expected ${status}: ${actual} ${JSON.stringify(body)}`);
  return body;
}

/**
 * Returns the response to the second of two identical requests while the first one runs. Retries if
 * the first one completes too early.
 */
async function requestInProgress({ setSwitches }: BusFixture, call: HttpClient): Promise<unknown> {
  setSwitches('catalog', 'pause:idempotency.acquired');
  try {
    for (let attempt = 0; attempt < 100; attempt++) {
      const headers = { 'idempotency-key': `in-progress-${attempt}` };
      const body = { name: 'Summit', timezone: 'Europe/Berlin' };
      const post = () => call('POST', '/v1/events', { body, headers });
      const conflict = (await Promise.all([post(), post()])).find(({ status }) => status === 409);
      if (conflict) return conflict.body;
    }
    throw new Error('the two requests did not overlap');
  } finally {
    setSwitches('catalog');
  }
}

/** Returns the response to a restricted key without the group of the operation. */
async function withoutPermission({ operator, gatewayUrl }: BusFixture, businessUnitId: string) {
  const key = { businessUnitId, name: 'A key for doors', groups: ['doors' as const] };
  const { secret } = await operator.call(createKey, key);
  const call = httpClient(gatewayUrl, { authorization: `Bearer ${secret}` });
  return bodyOf(403, call('GET', '/v1/events'));
}

async function rateLimited({ operator, gatewayUrl }: BusFixture, businessUnitId: string) {
  const key = { businessUnitId, name: 'A slow key', rateLimitPerMinute: 1 };
  const { secret } = await operator.call(createKey, key);
  const call = httpClient(gatewayUrl, { authorization: `Bearer ${secret}` });
  // Three requests, because a new rate limit window may start after the first one.
  const responses = [];
  for (let i = 0; i < 3; i++) responses.push(await call('GET', '/v1/events'));
  return responses.find(({ status }) => status === 429)?.body;
}

/** Returns the response to a GET with headers that `fetch` does not send. */
const withHeaders = (baseUrl: string, headers: Record<string, string>): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const sent = request(new URL('/v1/events', baseUrl), { headers }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => {
        text += part.toString();
      });
      response.on('end', () => resolve(JSON.parse(text)));
    });
    sent.on('error', reject);
    sent.end();
  });

/** Returns the response to a request whose headers never end. */
const requestTimeout = (baseUrl: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (part: Buffer) => {
      text += part.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(JSON.parse(text.split('\r\n\r\n')[1] ?? '')));
    socket.write('GET /v1/events HTTP/1.1\r\nHost: localhost\r\n');
  });

async function withoutTable<Result>({ database }: BusFixture, work: () => Promise<Result>) {
  await database.sql('alter table catalog.event rename to event_renamed');
  try {
    return await work();
  } finally {
    await database.sql('alter table catalog.event_renamed rename to event');
  }
}

async function unavailable<Result>({ processes }: BusFixture, work: () => Promise<Result>) {
  await processes.stop('catalog');
  try {
    return await work();
  } finally {
    await processes.restart('catalog');
  }
}

async function stalled<Result>({ processes }: BusFixture, work: () => Promise<Result>) {
  await processes.stall('catalog');
  try {
    return await work();
  } finally {
    processes.resume('catalog');
  }
}
