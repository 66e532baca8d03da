import { apiProcessNames } from '@event-api/contracts/topology';
import { type CollectedSpan, startCollector } from '@event-api/platform/testing/collector';
import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, createBusFixture, openEvent } from './fixtures/bus.ts';
import { randomEmail } from './fixtures/checkout.ts';
import { startPrometheus } from './fixtures/prometheus.ts';
import { Trace, traceOf } from './trace.ts';

let collector: Awaited<ReturnType<typeof startCollector>>;
let bus: BusFixture;
let call: HttpClient;
let path: string;
let typeId: string;

/** One trace in twenty is sampled, which is the default. */
beforeAll(async () => {
  collector = await startCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  bus = await createBusFixture({
    env: Object.fromEntries(apiProcessNames.map((name) => [name, env])),
  });
  const unit = await bus.newUnit();
  call = unit.at(bus.gatewayUrl);
  ({ path, typeId } = await openEvent(call, { capacity: 5000, priceAmount: 1500 }));
});
afterAll(async () => {
  await bus?.stop();
  await collector?.close();
});

const order = '/v1/events/:eventId/orders';
const email = randomEmail();
const placeOrder = () =>
  call('POST', `${path}/orders`, {
    body: { email, items: [{ itemType: 'registration_type', itemId: typeId }] },
  });

/** The calls of registration by commerce: a reservation, and its release after the failure. */
const callsIn = (trace: Trace) => trace.all('commerce', 'client', 'POST /internal/reservations');

/** The span of a request at the gateway, if its trace is exported. */
const rootOf = ({ headers }: TestResponse): CollectedSpan | undefined =>
  collector.spans.find(
    ({ service, kind, attributes }) =>
      service === 'gateway' &&
      kind === 'server' &&
      attributes['event_api.request_id'] === headers['request-id'],
  );

describe('while registration is stopped', () => {
  const failed: TestResponse[] = [];
  beforeAll(async () => {
    await bus.processes.stop('registration');
    for (let i = 0; i < 10; i++) failed.push(await placeOrder());
  });
  afterAll(() => bus.processes.restart('registration'));

  test('every failed request has its trace, with the failing span in each process', async () => {
    expect(failed.map(({ status }) => status)).toEqual(failed.map(() => 503));
    for (const response of failed) {
      const trace = await traceOf(
        { collector },
        async () => response,
        (spans) => {
          spans.one('commerce', 'server');
          callsIn(spans)[0] ?? expect.fail('no call yet');
          spans.one('gateway', 'client');
        },
      );
      const [cause] = callsIn(trace);
      expect(cause && trace.wayUp(cause)).toEqual([
        'commerce client POST /internal/reservations',
        `commerce server POST ${order}`,
        `gateway client POST ${order}`,
        `gateway server POST ${order}`,
      ]);
      for (const { attributes } of callsIn(trace))
        expect(attributes['error.type']).toBe('unreachable');
      for (const span of [
        ...callsIn(trace),
        trace.one('commerce', 'server'),
        trace.one('gateway', 'client'),
        trace.one('gateway', 'server'),
      ])
        expect(span.status, `${span.service} ${span.kind}`).toBe(2);
      // What commerce did before is in the trace as well.
      expect(trace.spans.some(({ attributes }) => 'db.query.summary' in attributes)).toBe(true);
    }
    expect(collector.bodies.join()).not.toContain(email);
  });

  test('Prometheus shows the trace of a failed request beside its duration', async (context) => {
    const prometheus = await startPrometheus(bus.internalUrls);
    if (!prometheus) return context.skip('Prometheus is not available');
    try {
      const response = await placeOrder();
      expect(response.status).toBe(503);
      const traceId = await eventually(() => {
        const root = rootOf(response);
        if (!root) throw new Error('the trace has not been exported yet');
        return root.traceId;
      });
      for (const service of ['gateway', 'commerce']) {
        const query = `http_server_request_duration_seconds_bucket{service="${service}",http_response_status_code="503"}`;
        await eventually(async () => {
          const ids = (await prometheus.exemplars(query)).flatMap(({ exemplars }) =>
            exemplars.map(({ labels }) => labels.trace_id),
          );
          expect(ids).toContain(traceId);
        });
      }
      // Each format of each process can be read.
      await eventually(async () => {
        const errors = await prometheus.scrapeErrors();
        expect(errors.length).toBeGreaterThan(5);
        const ofRunning = errors.filter((error) => !error.includes('connection refused'));
        expect(new Set(ofRunning)).toEqual(new Set(['']));
      });
    } finally {
      await prometheus.close();
    }
  });
});

test('of quick requests that succeed, about one in twenty has its trace', async () => {
  const responses: TestResponse[] = [];
  for (let i = 0; i < 400; i++) responses.push(await call('GET', path));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  // The spans of a later request are exported after those of all others.
  await bus.processes.stop('registration');
  try {
    const last = await placeOrder();
    await eventually(() => expect(rootOf(last)).toBeDefined());
  } finally {
    await bus.processes.restart('registration');
  }
  const exported = responses.flatMap((response) => rootOf(response) ?? []);
  // On a busy machine some requests are slow, and have their traces for this reason.
  const sampled = exported.filter(({ durationMs }) => durationMs < 250);
  // The mean is 20; 60 is more than nine standard deviations above it.
  expect(sampled.length).toBeLessThan(60);
  for (const { traceId } of sampled) {
    const trace = new Trace(collector.spans.filter((span) => span.traceId === traceId));
    expect(trace.all('catalog', 'server')).toHaveLength(1);
  }
});
