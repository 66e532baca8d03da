import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCollector } from '../../testing/collector.ts';
import { eventually } from '../../testing/eventually.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';

describe('the log', () => {
  test('has the request id and trace id in each line of a request, without a collector', async () => {
    const things = await startTestServer();
    const requestId = 'req_01k8aaaaaaaaaaaaaaaaaaaaaa';
    const headers = { 'x-request-id': requestId, traceparent: `00-${traceId}-${parent}-00` };
    await things.call('GET', '/v1/things/broken', { headers });
    await things.call('GET', '/v1/things/1');
    await things.stop();
    const requestLines = things.lines().filter((line) => 'requestId' in line);
    expect(requestLines).toMatchObject([
      { msg: 'asked', requestId, traceId },
      { msg: 'unexpected error', requestId, traceId },
      { msg: 'asked' },
    ]);
    expect(requestLines[2].traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(requestLines[2].traceId).not.toBe(traceId);
  });
});

describe('spans', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let things: TestServer;
  beforeAll(async () => {
    collector = await startCollector();
    things = await startTestServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  });
  afterAll(async () => {
    await things?.stop();
    await collector?.close();
  });

  test('reach the collector as children of the caller, without secrets', async () => {
    await things.call('GET', '/v1/things/hidden-id?email=a%40b.example', {
      headers: {
        traceparent: `00-${traceId}-${parent}-01`,
        authorization: 'Bearer hunter2',
        'x-caller': 'hunter2',
      },
    });
    const span = await eventually(() => {
      const found = collector.spans.find((each) => each.traceId === traceId);
      expect(found).toBeDefined();
      return found;
    });
    expect(span).toEqual({
      service: 'things',
      name: 'GET /v1/things/:thingId',
      traceId,
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      parentSpanId: parent,
      kind: 'server',
      links: [],
      status: 0,
      durationMs: expect.any(Number),
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/v1/things/:thingId',
        'http.response.status_code': 200,
        'url.scheme': 'http',
        'event_api.request_id': expect.stringMatching(/^req_/),
      },
    });
    expect(collector.bodies.join()).not.toMatch(/hunter2|example|hidden-id/);
  });

  test('of a failure are marked as failed', async () => {
    await things.call('GET', '/v1/things/broken');
    const span = await eventually(() => {
      const found = collector.spans.find(({ status }) => status === 2);
      expect(found).toBeDefined();
      return found;
    });
    expect(span?.parentSpanId).toBeUndefined();
    expect(span?.attributes).toMatchObject({
      'http.response.status_code': 500,
      'error.type': '500',
    });
  });

  test('are all sent before the process ends', async () => {
    const ending = await startTestServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const own = 'c'.repeat(32);
    await ending.call('GET', '/v1/things/1', {
      headers: { traceparent: `00-${own}-${parent}-01` },
    });
    await ending.stop();
    expect(collector.spans.map((span) => span.traceId)).toContain(own);
  });
});

describe('spans of a trace that is not sampled', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let things: TestServer;
  beforeAll(async () => {
    collector = await startCollector();
    things = await startTestServer({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      TELEMETRY_SAMPLE_RATIO: 0,
    });
  });
  afterAll(async () => {
    await things?.stop();
    await collector?.close();
  });

  /** Sends a request in a trace of its own that its caller does not sample. */
  async function request(thingId: string, call = things.call) {
    const ownTrace = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${ownTrace}-${parent}-00` };
    const response = await call('GET', `/v1/things/${thingId}`, { headers });
    const spans = () => collector.spans.filter((span) => span.traceId === ownTrace);
    return { response, spans, ownTrace };
  }

  /** Waits until everything before has been exported. */
  async function settle() {
    const { spans } = await request('broken');
    await eventually(() => expect(spans()).toHaveLength(1));
  }

  test('are dropped if the request is quick and succeeds', async () => {
    // On a busy machine a request may be slow.
    await eventually(async () => {
      const { spans, response } = await request('1');
      await settle();
      expect(response.headers).not.toHaveProperty('traceresponse');
      expect(spans()).toEqual([]);
    });
  });

  test('are exported if the request fails', async () => {
    const { spans } = await request('broken');
    await eventually(() =>
      expect(spans()).toMatchObject([{ kind: 'server', status: 2, parentSpanId: parent }]),
    );
  });

  test('are exported if the request is slow', async () => {
    const { spans } = await request('slow');
    await eventually(() => expect(spans()).toMatchObject([{ kind: 'server', status: 0 }]));
    expect(spans()[0]?.durationMs).toBeGreaterThan(250);
  });

  test('are exported if a dependency fails and the request succeeds, and the caller is told', async () => {
    const { response, spans, ownTrace } = await request('degraded');
    expect(response.status).toBe(200);
    expect(response.headers.traceresponse).toMatch(new RegExp(`^00-${ownTrace}-[0-9a-f]{16}-01$`));
    await eventually(() =>
      expect(spans()).toMatchObject([
        { kind: 'client', name: 'GET /gone', status: 2 },
        { kind: 'server', status: 0 },
      ]),
    );
    const [inner, outer] = spans();
    expect(inner?.parentSpanId).toBe(outer?.spanId);
  });

  test('are exported if the process that is called exports its own', async () => {
    const { response, spans } = await request('calls-degraded');
    expect(response.status).toBe(200);
    await eventually(() =>
      expect(
        spans()
          .map(({ kind, name }) => `${kind} ${name}`)
          .toSorted(),
      ).toEqual([
        'client GET /gone',
        'client GET /v1/things/:thingId',
        'server GET /v1/things/:thingId',
        'server GET /v1/things/:thingId',
      ]),
    );
  });

  test('of failing background work are exported, those of other work are not', async () => {
    const failing = things.telemetry.trace('failing work', () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    await things.telemetry.trace('good work', async () => {});
    await settle();
    const names = collector.spans.map(({ name }) => name);
    expect(names).toContain('failing work');
    expect(names).not.toContain('good work');
  });

  test('are an exemplar of the duration in OpenMetrics if they are exported', async () => {
    const scrape = () => things.metrics('application/openmetrics-text; version=1.0.0');
    // On a busy machine a request may be slow.
    await eventually(async () => {
      const { ownTrace: ofQuick } = await request('1');
      await settle();
      // The last request of its bucket is the exemplar.
      const { ownTrace } = await request('broken');
      await eventually(async () => expect(await scrape()).toContain(`# {trace_id="${ownTrace}"}`));
      const text = await scrape();
      expect(text).not.toContain(ofQuick);
      expect(text).toMatch(/# EOF\n$/);
    });
    expect(await things.metrics()).not.toContain('trace_id');
  });
});

describe('a collector', () => {
  test.each([
    ['that hangs', () => {}],
    [
      'that refuses',
      (_: unknown, response: { writeHead(code: number): { end(): void } }) =>
        response.writeHead(400).end(),
    ],
  ])('%s delays no request, and the shutdown by at most two seconds', async (_what, respond) => {
    const collector = await startCollector(respond);
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    try {
      // A request that waits for the collector, and an end that waits for the limit of an export,
      // are slow each time.
      await eventually(async () => {
        const things = await startTestServer(settings);
        const before = collector.bodies.length;
        await things.call('GET', '/v1/things/1');
        await eventually(() => expect(collector.bodies.length).toBeGreaterThan(before));
        const begunAt = performance.now();
        for (let i = 0; i < 20; i++) {
          expect((await things.call('GET', '/v1/things/1')).status).toBe(200);
        }
        const stopsAt = performance.now();
        await things.stop();
        expect(stopsAt - begunAt).toBeLessThan(3000);
        expect(performance.now() - stopsAt).toBeLessThan(3000);
      });
    } finally {
      await collector.close();
    }
  });

  test('that is unavailable is logged once, and lost spans are counted', async () => {
    const collector = await startCollector();
    await collector.close();
    const things = await startTestServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    for (let i = 0; i < 3; i++) await things.call('GET', '/v1/things/1');
    await eventually(async () => {
      expect(await things.metrics()).toMatch(/telemetry_spans_dropped_total 3/);
    });
    await things.stop();
    const complaints = things.lines().filter(({ msg }) => /collector/.test(msg));
    expect(complaints.map(({ msg }) => msg)).toEqual([
      'trace collector unavailable, spans are lost',
    ]);
  });
});
