import { createLogger } from '@event-api/platform/core/log';
import { createHttpServer } from '@event-api/platform/http/server';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { traceparentOf } from '@event-api/platform/telemetry/trace-context';
import { currentTrace } from '@event-api/platform/telemetry/trace-scope';
import { startCollector } from '@event-api/platform/testing/collector';
import { eventually } from '@event-api/platform/testing/eventually';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createGatewayDatabase,
  insertUnseenKey,
  startGateway,
  startUpstream,
  type TestGateway,
} from './harness.ts';
import { readMetric } from './read-metric.ts';

const forged = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const forgedHeaders = {
  traceparent: `00-${forged.traceId}-${forged.spanId}-01`,
  tracestate: 'forged=1',
  baggage: 'forged=1',
};

let database: Awaited<ReturnType<typeof createGatewayDatabase>>;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let gateway: TestGateway;
let testKey: Awaited<ReturnType<TestGateway['createKey']>>;
const lines: string[] = [];

beforeAll(async () => {
  database = await createGatewayDatabase();
  upstream = await startUpstream();
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ service: 'gateway', level: 'info', destination });
  gateway = await startGateway({ catalogUrl: upstream.url, databaseUrl: database.url, log });
  testKey = await gateway.createKey({ rateLimitPerMinute: 1_000_000 });
});
afterAll(async () => {
  await gateway?.close();
  await upstream?.close();
  await database?.drop();
});
beforeEach(() => {
  upstream.received.length = 0;
  upstream.respondWith((_request, response) =>
    response.setHeader('content-type', 'application/json').end('{"ok":true}'),
  );
});

const metric = (series: string, { internalUrl } = gateway) => readMetric(internalUrl, series);

describe('a trace', () => {
  test('starts at the gateway, regardless of client headers, and continues in the service', async () => {
    await testKey.client('GET', '/v1/events', { headers: forgedHeaders });
    const headers = upstream.received[0]?.headers ?? {};
    expect(headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(JSON.stringify(headers)).not.toMatch(/forged|0af7651916cd43dd|b7ad6b7169203331/);
  });

  test('is unique per request, and its id is in the log lines', async () => {
    upstream.respondWith((_request, response) => response.end('not JSON'));
    await testKey.client('GET', '/v1/events');
    await testKey.client('GET', '/v1/events');
    const ids = upstream.received.map(({ headers }) => headers.traceparent?.slice(3, 35));
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) {
      const logged = lines.map((line) => JSON.parse(line)).filter(({ traceId }) => traceId === id);
      expect(logged).toContainEqual(
        expect.objectContaining({
          msg: 'service response rejected',
          requestId: expect.any(String),
        }),
      );
    }
  });

  test("has the service's span below the client span, and that below the gateway's server span", async () => {
    const collector = await startCollector();
    const settings = { TELEMETRY_SAMPLE_RATIO: 1, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const log = createLogger({ service: 'catalog', level: 'silent' });
    const telemetry = await createTelemetry({ service: 'catalog', log, settings });
    const options = { log, telemetry, checkResponses: true, trustRequestId: true };
    const service = createHttpServer(options);
    service.get('/v1/events/:eventId', async () => {
      const scope = currentTrace();
      return { onward: scope && traceparentOf(scope.trace) };
    });
    const catalogUrl = await service.listen({ host: '127.0.0.1', port: 0 });
    const traced = await startGateway({ catalogUrl, telemetrySettings: settings });
    try {
      const { client } = await traced.createKey();
      const { body } = await client('GET', '/v1/events/evt_1', { headers: forgedHeaders });
      const [outer, inner] = await eventually(() => {
        const found = ['gateway', 'catalog'].map((name) =>
          collector.spans.find(
            (span) =>
              span.service === name &&
              span.kind === 'server' &&
              span.name === 'GET /v1/events/:eventId',
          ),
        );
        for (const span of found) expect(span).toBeDefined();
        return found;
      });
      expect(outer?.parentSpanId).toBeUndefined();
      expect(outer?.traceId).not.toBe(forged.traceId);
      const clientSpan = collector.spans.find(({ spanId }) => spanId === inner?.parentSpanId);
      expect(inner?.traceId).toBe(outer?.traceId);
      expect(clientSpan).toEqual({
        service: 'gateway',
        name: 'GET /v1/events/:eventId',
        traceId: outer?.traceId,
        spanId: inner?.parentSpanId,
        parentSpanId: outer?.spanId,
        kind: 'client',
        links: [],
        status: 0,
        durationMs: expect.any(Number),
        attributes: {
          'http.request.method': 'GET',
          'url.template': '/v1/events/:eventId',
          'service.peer.name': 'catalog',
          'http.response.status_code': 200,
        },
      });
      expect(inner?.attributes['event_api.request_id']).toBe(
        outer?.attributes['event_api.request_id'],
      );
      expect(body.onward).toBe(`00-${inner?.traceId}-${inner?.spanId}-01`);
      expect(collector.bodies.join()).not.toMatch(/sk_live|evt_1|forged/);
    } finally {
      await traced.close();
      await service.close();
      await telemetry.close();
      await collector.close();
    }
  });
});

describe('a trace that is not sampled', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let unsampled: TestGateway;
  let client: HttpClient;
  beforeAll(async () => {
    collector = await startCollector();
    unsampled = await startGateway({
      catalogUrl: upstream.url,
      databaseUrl: database.url,
      telemetrySettings: {
        TELEMETRY_SAMPLE_RATIO: 0,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      },
    });
    ({ client } = await unsampled.createKey());
  });
  afterAll(async () => {
    await unsampled?.close();
    await collector?.close();
  });

  /** The exported spans of a request. */
  async function spansOf(path = '/v1/events') {
    const response = await client('GET', path);
    const traceId = upstream.received.at(-1)?.headers.traceparent?.slice(3, 35);
    return { response, spans: () => collector.spans.filter((span) => span.traceId === traceId) };
  }
  const both = [
    { kind: 'client', name: 'GET /v1/events' },
    { kind: 'server', name: 'GET /v1/events' },
  ];

  test('is exported if the service responds with a 5xx', async () => {
    upstream.respondWith((_request, response) =>
      response.writeHead(503, { 'content-type': 'application/json' }).end('{}'),
    );
    const { spans } = await spansOf();
    await eventually(() => expect(spans()).toMatchObject(both));
    expect(spans().map(({ status }) => status)).toEqual([2, 2]);
  });

  test('is exported if the service does not respond', async () => {
    upstream.respondWith((request) => request.socket.destroy());
    const { spans } = await spansOf();
    await eventually(() => expect(spans()).toMatchObject(both));
  });

  test('is exported if the service exports its part, and clients do not see that', async () => {
    upstream.respondWith((request, response) => {
      const [, traceId] = String(request.headers.traceparent).split('-');
      response.writeHead(200, {
        'content-type': 'application/json',
        traceresponse: `00-${traceId}-b7ad6b7169203331-01`,
      });
      response.end('{"ok":true}');
    });
    const { spans, response } = await spansOf();
    await eventually(() => expect(spans()).toMatchObject(both));
    expect(spans().map(({ status }) => status)).toEqual([0, 0]);
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty('traceresponse');
  });

  test('is not exported after a success, a 4xx or a 404 of a service', async () => {
    let status = 200;
    upstream.respondWith((_request, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}'),
    );
    // On a busy machine a request may be slow, and is exported then.
    await eventually(async () => {
      status = 200;
      const good = await spansOf();
      status = 404;
      const missing = await spansOf();
      status = 503;
      const last = await spansOf();
      await eventually(() => expect(last.spans()).toHaveLength(2));
      expect([good.response.status, missing.response.status]).toEqual([200, 404]);
      expect([...good.spans(), ...missing.spans()]).toEqual([]);
    });
  });
});

describe('metrics', () => {
  const requestCount = (route: string, status: number, method = 'GET') =>
    metric(
      `http_server_request_duration_seconds_count{http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"}`,
    );
  const failures = (kind: string, of = gateway) =>
    metric(`gateway_upstream_failures_total{owner="catalog",kind="${kind}"}`, of);

  test('label a request with its route, and requests without a route with one value', async () => {
    await testKey.client('GET', '/v1/events/evt_secret');
    await testKey.client('PUT', '/v1/events/evt_secret');
    await testKey.client('GET', '/v1/secret');
    await httpClient(gateway.apiUrl)('GET', '/v1/events/evt_secret');
    await eventually(async () => {
      expect(await requestCount('/v1/events/:eventId', 200)).toBe(1);
      expect(await requestCount('unmatched', 405, 'PUT')).toBe(1);
      expect(await requestCount('unmatched', 404)).toBe(1);
      expect(await requestCount('/v1/events/:eventId', 401)).toBe(1);
    });
    const { body } = await httpClient(gateway.internalUrl)('GET', '/metrics');
    expect(body).not.toMatch(/="[^"]*(secret|key_|unit_|req_)/);
  });

  test('are not served on the public port', async () => {
    expect((await testKey.client('GET', '/metrics')).status).toBe(404);
    expect((await testKey.client('GET', '/v1/metrics')).status).toBe(404);
  });

  test('count failed requests to a service, by kind', async () => {
    const kinds = ['unreachable', 'unauthenticated', 'unusable'];
    const counts = () => Promise.all(kinds.map((kind) => failures(kind)));
    const before = await counts();
    upstream.respondWith((request) => request.socket.destroy());
    expect((await testKey.client('GET', '/v1/events')).status).toBe(503);
    upstream.respondWith((_request, response) =>
      response.writeHead(401, { 'content-type': 'application/json' }).end('{}'),
    );
    expect((await testKey.client('GET', '/v1/events')).status).toBe(503);
    upstream.respondWith((_request, response) => response.end('<html>'));
    expect((await testKey.client('GET', '/v1/events')).status).toBe(503);
    const after = await counts();
    expect(after.map((count, i) => count - (before[i] ?? 0))).toEqual([1, 1, 1]);
  });

  test('count timeouts of a service', async () => {
    const impatient = await startGateway({
      catalogUrl: upstream.url,
      databaseUrl: database.url,
      upstreamTimeoutMs: 300,
    });
    upstream.respondWith(() => {});
    const { client } = await impatient.createKey();
    expect((await client('GET', '/v1/events')).status).toBe(504);
    expect(await failures('timeout', impatient)).toBe(1);
    await impatient.close();
  });

  test('count requests over a limit, and those counted without Redis', async () => {
    const { client } = await gateway.createKey({ rateLimitPerMinute: 1 });
    const denied = await metric('gateway_rate_limit_denied_total');
    await client('GET', '/v1/events');
    expect((await client('GET', '/v1/events')).status).toBe(429);
    expect(await metric('gateway_rate_limit_denied_total')).toBe(denied + 1);
    const fallback = await metric('gateway_rate_limit_fallback_total');
    gateway.redis.destroy();
    await testKey.client('GET', '/v1/events');
    expect(await metric('gateway_rate_limit_fallback_total')).toBe(fallback + 1);
    await gateway.redis.connect();
  });

  test('count hits and misses of the key cache', async () => {
    const lookups = (result: string) =>
      metric(`gateway_key_cache_lookups_total{result="${result}"}`);
    // On a busy machine the gateway may load all keys meanwhile. Then another new key causes the
    // miss.
    await eventually(async () => {
      const secret = await insertUnseenKey(database.sql);
      const client = httpClient(gateway.apiUrl, { authorization: `Bearer ${secret}` });
      const [hits, misses] = [await lookups('hit'), await lookups('miss')];
      for (let i = 0; i < 3; i++) await client('GET', '/v1/events');
      expect([(await lookups('hit')) - hits, (await lookups('miss')) - misses]).toEqual([2, 1]);
    });
  });
});
