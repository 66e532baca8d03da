import { expect, test, vi } from 'vitest';
import {
  createCheckin,
  createClient,
  createEvent,
  EventApiConnectionError,
  EventApiError,
  getEvent,
  updateEvent,
} from '../src/index.ts';
import { eventOf, sendJson, startServer } from './server.ts';

const event = eventOf();
const body = { name: 'Summit', timezone: 'UTC' };
const path = { eventId: 'evt_1' };
const connect = (baseUrl: string, options = {}) =>
  createClient({ baseUrl, apiKey: 'sk_test', ...options });
const unavailable = { error: { code: 503, status: 'UNAVAILABLE', message: 'Try again' } };

test('sends the key and the version of its types, and returns the body', async () => {
  const url = await startServer(({ headers }, response) =>
    sendJson(response, 200, {
      ...event,
      authorization: headers.authorization,
      version: headers['service-version'],
    }),
  );
  expect(await getEvent({ client: connect(`${url}/`), path })).toEqual({
    ...event,
    authorization: 'Bearer sk_test',
    version: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  });
});

test('throws the status, reason, field and request id of an error', async () => {
  const details = [{ reason: 'SOLD_OUT', field: 'items[0]', seatsLeft: 0 }];
  const error = { code: 412, status: 'FAILED_PRECONDITION', message: 'Sold out', details };
  const url = await startServer((_, response) =>
    sendJson(response, 412, { error }, { 'request-id': 'req_1' }),
  );
  const failure = await createEvent({ client: connect(url), body }).catch((thrown) => thrown);
  expect(failure).toBeInstanceOf(EventApiError);
  expect(failure).toMatchObject({
    httpStatus: 412,
    status: 'FAILED_PRECONDITION',
    message: 'Sold out',
    reason: 'SOLD_OUT',
    field: 'items[0]',
    requestId: 'req_1',
  });
});

test.each([
  ['a page of a proxy', '<html>', 502],
  ['an empty body', '', 403],
])('throws the HTTP status of %s', async (_, text, status) => {
  const url = await startServer((_, response) => void response.writeHead(status).end(text));
  const client = connect(url, { maxRetries: 0 });
  await expect(getEvent({ client, path })).rejects.toMatchObject({
    name: 'EventApiError',
    httpStatus: status,
    status: null,
  });
});

test('repeats a POST with the same Idempotency-Key and body', async () => {
  const seen: unknown[] = [];
  const url = await startServer(({ headers }, response, count) => {
    seen.push([headers['idempotency-key'], headers['content-length']]);
    if (count < 3) return sendJson(response, 503, unavailable, { 'retry-after': '0' });
    sendJson(response, 201, event);
  });
  expect(await createEvent({ client: connect(url), body })).toEqual(event);
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map(String)).size).toBe(1);
});

test('keeps the Idempotency-Key of the caller', async () => {
  const url = await startServer(({ headers }, response) =>
    sendJson(response, 201, { ...event, key: headers['idempotency-key'] }),
  );
  const headers = { 'Idempotency-Key': 'order-17' };
  expect(await createEvent({ client: connect(url), body, headers })).toMatchObject({
    key: 'order-17',
  });
});

test('repeats a read whose response breaks off', async () => {
  const url = await startServer((_, response, count) => {
    if (count > 1) return sendJson(response, 200, event);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"id":', () => response.destroy());
  });
  expect(await getEvent({ client: connect(url), path })).toEqual(event);
});

test('ends an attempt without a response at its timeout, and repeats it', async () => {
  const url = await startServer((_, response, count) => {
    if (count > 1) sendJson(response, 200, event);
  });
  const client = connect(url, { attemptTimeoutMs: 300 });
  expect(await getEvent({ client, path })).toEqual(event);
});

test('does not repeat a PATCH whose connection is lost, which may have had an effect', async () => {
  let requests = 0;
  const url = await startServer((_, response, count) => {
    requests = count;
    response.destroy();
  });
  await expect(
    updateEvent({ client: connect(url), path, body: { name: 'New' } }),
  ).rejects.toBeInstanceOf(EventApiConnectionError);
  expect(requests).toBe(1);
});

test('repeats a PATCH after a 429, which had no effect', async () => {
  const url = await startServer((_, response, count) => {
    if (count > 1) return sendJson(response, 200, event);
    sendJson(response, 429, unavailable, { 'retry-after': '0' });
  });
  expect(await updateEvent({ client: connect(url), path, body: {} })).toEqual(event);
});

test('throws the last error without a pause that would pass the deadline', async () => {
  const url = await startServer((_, response) =>
    sendJson(response, 503, unavailable, { 'retry-after': '30' }),
  );
  const client = connect(url, { deadlineMs: 5000 });
  const startedAt = performance.now();
  await expect(getEvent({ client, path })).rejects.toMatchObject({ httpStatus: 503 });
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

test('spends at most its budget on retries during an outage', async () => {
  let requests = 0;
  const url = await startServer((_, response, count) => {
    requests = count;
    sendJson(response, 503, unavailable, { 'retry-after': '0' });
  });
  const client = connect(url);
  const calls = Array.from({ length: 30 }, () => getEvent({ client, path }).catch(() => 'failed'));
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['failed']));
  // Each call is sent once, and no failure earns a retry.
  expect(requests).toBe(30 + 20);
});

test('earns a retry with five successes', async () => {
  let isAway = true;
  let requests = 0;
  const url = await startServer((_, response, count) => {
    requests = count;
    if (isAway) sendJson(response, 503, unavailable, { 'retry-after': '0' });
    else sendJson(response, 200, event);
  });
  const client = connect(url);
  const requestsOf = async (call: () => Promise<unknown>) => {
    const before = requests;
    await call().catch(() => {});
    return requests - before;
  };
  const fail = () => getEvent({ client, path });
  // Each call has up to four retries, and five calls spend the budget of twenty.
  for (let n = 0; n < 5; n++) expect(await requestsOf(fail)).toBe(5);
  expect(await requestsOf(fail)).toBe(1);
  isAway = false;
  for (let n = 0; n < 5; n++) await getEvent({ client, path });
  isAway = true;
  expect(await requestsOf(fail)).toBe(2);
});

test('ends a call with the reason of its signal', async () => {
  const url = await startServer((_, response) =>
    sendJson(response, 503, unavailable, { 'retry-after': '30' }),
  );
  const reason = new Error('closed');
  const stopping = new AbortController();
  const call = getEvent({ client: connect(url), path, signal: stopping.signal });
  stopping.abort(reason);
  await expect(call).rejects.toBe(reason);
});

test.each(['/', '/v1', '/v1/'])('accepts an address that ends in %s', async (end) => {
  const url = await startServer(({ url: path }, response) =>
    sendJson(response, 200, { ...event, path }),
  );
  expect(await getEvent({ client: connect(`${url}${end}`), path })).toMatchObject({
    path: '/v1/events/evt_1',
  });
});

test.each(['', 'localhost:8080', '/v1'])('rejects the address "%s"', (baseUrl) => {
  expect(() => createClient({ baseUrl, apiKey: 'sk_test_1' })).toThrow(
    `baseUrl must begin with http:// or https://, and is '${baseUrl}'`,
  );
});

test('rejects an empty key', () => {
  expect(() => createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: '' })).toThrow(
    'apiKey is empty',
  );
});

test('names a parameter of the path that is empty', async () => {
  const call = getEvent({ client: connect('http://127.0.0.1:1'), path: { eventId: '' } });
  await expect(call).rejects.toThrow('path.eventId is empty');
});

test('names a parameter of the path that is missing, and sends nothing', async () => {
  let requests = 0;
  const url = await startServer((_, response) => {
    requests += 1;
    sendJson(response, 200, event);
  });
  const withoutId = { id: 'evt_1' } as never;
  await expect(getEvent({ client: connect(url), path: withoutId })).rejects.toThrow(
    'path.eventId is missing',
  );
  expect(requests).toBe(0);
});

test('passes no `client` to the request, because Deno would take it for one of its own', async () => {
  class StrictRequest extends Request {
    constructor(input: string | URL | Request, init?: RequestInit & { client?: unknown }) {
      if (init?.client !== undefined) throw new TypeError('client must be a Deno.HttpClient');
      super(input, init);
    }
  }
  vi.stubGlobal('Request', StrictRequest);
  try {
    const url = await startServer((_, response) => sendJson(response, 200, event));
    expect(await getEvent({ client: connect(url), path })).toEqual(event);
  } finally {
    vi.unstubAllGlobals();
  }
});

// A turnstile that decides by `!result.alreadyCheckedIn` would open for each of these.
const checkin = { checkin: {}, registration: {}, alreadyCheckedIn: false, notice: null };
test.each<[string, number, string, string]>([
  ['the sign-in page of a network', 200, 'text/html', '<h1>Welcome to our hotel</h1>'],
  ['a page that calls itself JSON', 200, 'application/json', '<h1>Welcome</h1>'],
  ['an empty success', 200, 'application/json', ''],
  ['a success without content', 204, '', ''],
  ['null', 200, 'application/json', 'null'],
  ['a list', 200, 'application/json', '[]'],
  ['another object', 200, 'application/json', '{"status":"ok"}'],
  [
    'a field of another type',
    201,
    'application/json',
    JSON.stringify({ ...checkin, alreadyCheckedIn: 'no' }),
  ],
])('takes %s for no response of the API', async (_, status, type, text) => {
  const url = await startServer(
    (_request, response) =>
      void response.writeHead(status, type ? { 'content-type': type } : {}).end(text || undefined),
  );
  const call = createCheckin({
    client: connect(url, { maxRetries: 0 }),
    path,
    body: { checkinCode: 'CHK-1', subjectType: 'event' },
  });
  await expect(call).rejects.toBeInstanceOf(EventApiConnectionError);
});

test('returns a check-in that has all its fields, and fields that it does not know', async () => {
  const url = await startServer((_, response) => sendJson(response, 201, { ...checkin, extra: 1 }));
  const body = { checkinCode: 'CHK-1', subjectType: 'event' } as const;
  expect(await createCheckin({ client: connect(url), path, body })).toEqual({
    ...checkin,
    extra: 1,
  });
});
