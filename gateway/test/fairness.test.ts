import type { IncomingMessage, ServerResponse } from 'node:http';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient, type TestResponse } from '@event-api/platform/testing/http-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createGatewayDatabase, startGateway, startUpstream, type TestGateway } from './harness.ts';
import { connectRaw, request } from './raw.ts';
import { readMetric } from './read-metric.ts';

const turnLimits = { maxInFlight: 3, maxInFlightPerUnit: 2, maxWaitingPerUnit: 4 };

let database: Awaited<ReturnType<typeof createGatewayDatabase>>;
let service: Awaited<ReturnType<typeof startUpstream>>;
/** Requests that the service has received and not answered, oldest first. */
const pending: { path: string; response: ServerResponse }[] = [];
const open: TestGateway[] = [];
let isClosing = false;

beforeAll(async () => {
  database = await createGatewayDatabase();
  service = await startUpstream((received: IncomingMessage, response) => {
    if (isClosing) response.destroy();
    else pending.push({ path: received.url ?? '', response });
  });
});
afterEach(async () => {
  isClosing = true;
  for (const { response } of pending.splice(0)) response.destroy();
  for (const gateway of open.splice(0)) await gateway.close();
  isClosing = false;
});
afterAll(async () => {
  await service?.close();
  await database?.drop();
});

async function start(limits: Partial<typeof turnLimits> = {}, turnMaxWaitMs = 60_000) {
  const gateway = await startGateway({
    catalogUrl: service.url,
    databaseUrl: database.url,
    turnLimits: { ...turnLimits, ...limits },
    turnMaxWaitMs,
  });
  open.push(gateway);
  const newUnit = async () => {
    const { secret } = await gateway.createKey({ rateLimitPerMinute: 1_000_000 });
    const send = httpClient(gateway.apiUrl, { authorization: `Bearer ${secret}` });
    return { secret, get: (id: string) => send('GET', `/v1/events/${id}`) };
  };
  return { gateway, newUnit };
}

const paths = () => pending.map(({ path }) => path.split('/').at(-1));

/** Waits until the service has these requests, in this order. */
const serviceHas = (...ids: string[]) => eventually(async () => expect(paths()).toEqual(ids));

/** Responds to a request that the service has. */
function respondTo(id: string): void {
  const place = paths().indexOf(id);
  const [found] = pending.splice(place, 1);
  found?.response.setHeader('content-type', 'application/json').end('{"ok":true}');
}

const metric = ({ internalUrl }: TestGateway, series: string) => readMetric(internalUrl, series);

const waiting = (gateway: TestGateway) => metric(gateway, 'gateway_turns_waiting{owner="catalog"}');

/**
 * Sends the requests one after the other, each when the one before has reached its place. Returns a
 * function that waits for their responses.
 */
async function sendInOrder(
  gateway: TestGateway,
  requests: [get: (id: string) => Promise<TestResponse>, id: string][],
): Promise<() => Promise<TestResponse[]>> {
  const responses: Promise<TestResponse>[] = [];
  for (const [get, id] of requests) {
    const before = pending.length + (await waiting(gateway));
    responses.push(get(id));
    await eventually(async () =>
      expect(pending.length + (await waiting(gateway))).toBe(before + 1),
    );
  }
  return () => Promise.all(responses);
}

describe('the requests of a business unit', () => {
  test('leave a place at the service for other units, which do not wait', async () => {
    const { gateway, newUnit } = await start();
    const [a, b] = [await newUnit(), await newUnit()];
    await sendInOrder(gateway, [
      [a.get, 'a1'],
      [a.get, 'a2'],
      [a.get, 'a3'],
      [b.get, 'b1'],
    ]);
    await serviceHas('a1', 'a2', 'b1');
    expect(await waiting(gateway)).toBe(1);
  });

  test('take turns with those of other units when the service is full', async () => {
    const { gateway, newUnit } = await start({ maxInFlightPerUnit: 3 });
    const [a, b] = [await newUnit(), await newUnit()];
    const responses = await sendInOrder(gateway, [
      [a.get, 'a1'],
      [a.get, 'a2'],
      [a.get, 'a3'],
      [a.get, 'a4'],
      [a.get, 'a5'],
      [b.get, 'b1'],
    ]);
    respondTo('a1');
    await serviceHas('a2', 'a3', 'a4');
    respondTo('a2');
    await serviceHas('a3', 'a4', 'b1');
    respondTo('a3');
    await serviceHas('a4', 'b1', 'a5');
    for (const id of ['a4', 'b1', 'a5']) respondTo(id);
    for (const { status } of await responses()) expect(status).toBe(200);
  });

  test('get 429 with Retry-After when too many of them wait, and other units do not', async () => {
    const { gateway, newUnit } = await start();
    const [a, b] = [await newUnit(), await newUnit()];
    const sent = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((id): [typeof a.get, string] => [
      a.get,
      id,
    ]);
    await sendInOrder(gateway, sent);
    const refused = await a.get('a7');
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
      body: { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
    });
    expect(await metric(gateway, 'gateway_turns_refused_total{reason="full"}')).toBe(1);
    const other = b.get('b1');
    await serviceHas('a1', 'a2', 'b1');
    respondTo('b1');
    expect((await other).status).toBe(200);
  });

  test('get 503 with Retry-After after the longest wait, and never reach the service', async () => {
    const { gateway, newUnit } = await start({ maxInFlight: 1 }, 50);
    const { get } = await newUnit();
    const first = get('a1');
    await serviceHas('a1');
    const refused = await get('a2');
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(await metric(gateway, 'gateway_turns_refused_total{reason="late"}')).toBe(1);
    respondTo('a1');
    expect((await first).status).toBe(200);
    const next = get('a3');
    await serviceHas('a3');
    respondTo('a3');
    expect((await next).status).toBe(200);
  });

  test('keep their place when their client disconnects, until the service has responded', async () => {
    const { gateway, newUnit } = await start({ maxInFlight: 1 });
    const { get, secret } = await newUnit();
    const client = connectRaw(gateway.apiUrl);
    client.write(
      request('GET /v1/events/gone HTTP/1.1', ['Host: gateway', `Authorization: Bearer ${secret}`]),
    );
    await serviceHas('gone');
    client.socket.destroy();
    const next = get('a1');
    await eventually(async () => expect(await waiting(gateway)).toBe(1));
    expect(paths()).toEqual(['gone']);
    respondTo('gone');
    await serviceHas('a1');
    respondTo('a1');
    expect((await next).status).toBe(200);
  });

  test('free their place when the service breaks the connection', async () => {
    const { newUnit } = await start({ maxInFlight: 1 });
    const { get } = await newUnit();
    for (const id of ['a1', 'a2', 'a3']) {
      const response = get(id);
      await serviceHas(id);
      pending.pop()?.response.destroy();
      expect((await response).status).toBe(503);
    }
  });
});

test('check-ins take turns of their own, so that other requests of the unit do not delay them', async () => {
  const { gateway, newUnit } = await start({ maxInFlight: 2, maxInFlightPerUnit: 1 });
  const { secret } = await newUnit();
  const send = httpClient(gateway.apiUrl, { authorization: `Bearer ${secret}` });
  const reads = [1, 2].map(() => send('GET', '/v1/events/evt_1/venues'));
  await eventually(async () =>
    expect(await metric(gateway, 'gateway_turns_waiting{owner="onsite"}')).toBe(1),
  );
  const checkin = send('POST', '/v1/events/evt_1/checkins', { body: { checkinCode: 'CHK-1' } });
  await serviceHas('venues', 'checkins');
  for (const id of ['venues', 'checkins']) respondTo(id);
  await serviceHas('venues');
  respondTo('venues');
  for (const response of [...reads, checkin]) expect((await response).status).toBe(200);
});
