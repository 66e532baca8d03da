import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectStatus, openEvent } from './fixtures/bus.ts';
import { createSale, pay, randomEmail, urls } from './fixtures/checkout.ts';
import { createTelemetryFixture, type TelemetryFixture } from './fixtures/telemetry.ts';
import { Trace, traceOf } from './trace.ts';

let fixture: TelemetryFixture;
let call: HttpClient;
let path: string;
let typeId: string;
beforeAll(async () => {
  fixture = await createTelemetryFixture();
  const unit = await fixture.bus.newUnit();
  call = unit.at(fixture.bus.gatewayUrl);
  ({ path, typeId } = await openEvent(call, { capacity: 50 }));
});
afterAll(() => fixture?.stop());

const order = '/v1/events/:eventId/orders';
const registrations = '/v1/events/:eventId/registrations';

describe('a registration', () => {
  const register = () =>
    call('POST', `${path}/registrations`, {
      body: { email: randomEmail(), registrationTypeId: typeId },
    });
  // A projection writes the messages that it has received together in the trace of the first one.
  // Afterwards no earlier message is left.
  beforeAll(async () => {
    await traceOf(fixture, register, (spans) => {
      for (const reader of ['catalog', 'onsite']) spans.one(reader, 'consumer');
    });
  });

  test('is one trace from the gateway to the projections of other services', async () => {
    const trace = await traceOf(fixture, register, (spans) => {
      spans.one('registration', 'server');
      for (const reader of ['catalog', 'onsite']) {
        spans.one(reader, 'consumer');
        spans.all(reader, 'client', 'projections_write')[0] ?? expect.fail('no statement yet');
      }
    });
    const inGateway = [
      `gateway client POST ${registrations}`,
      `gateway server POST ${registrations}`,
    ];
    const inService = [
      'registration internal admission',
      `registration server POST ${registrations}`,
      ...inGateway,
    ];
    const published = ['registration producer publish snapshot.registration', ...inService];
    const wayUp = (...which: Parameters<Trace['one']>) => trace.wayUp(trace.one(...which));
    expect(wayUp('registration', 'client', 'admission_insert')).toEqual([
      'registration client admission_insert',
      ...inService,
    ]);
    expect(wayUp('registration', 'producer')).toEqual(published);
    for (const reader of ['catalog', 'onsite']) {
      const processed = [`${reader} consumer process snapshot.registration`, ...published];
      expect(wayUp(reader, 'consumer')).toEqual(processed);
      // The name contains the projections that are written together.
      const { name } = trace.one(reader, 'client', 'projections_write');
      expect(wayUp(reader, 'client', name)).toEqual([`${reader} client ${name}`, ...processed]);
    }
    expect(trace.all('gateway', 'server')).toHaveLength(1);
    for (const span of trace.spans) trace.wayUp(span);
  });

  test('that is decided in a batch is in the trace of each request', async () => {
    const requests = Array.from({ length: 12 }, register);
    const traces = await Promise.all(
      requests.map((request) =>
        traceOf(
          fixture,
          () => request,
          (spans) => {
            spans.one('registration', 'internal', 'admission');
            spans.one('registration', 'server');
            const isLed = spans.one('registration', 'internal', 'admission').links.length > 0;
            if (!isLed) spans.one('catalog', 'consumer');
          },
        ),
      ),
    );
    // The work is a child of one of the spans; the others link to it.
    const batches = traces.map((trace) => trace.one('registration', 'internal', 'admission'));
    const led = batches.filter(({ links }) => links.length > 0);
    expect(led.length).toBeGreaterThan(0);
    const leaders = new Set(led.flatMap(({ links }) => links));
    for (const batch of batches) {
      expect(batch.links.length > 0 || batch.attributes['event_api.batch.size'] === 1).toBe(
        !leaders.has(batch.spanId),
      );
    }
    for (const leader of leaders) {
      const { traceId } = batches.find(({ spanId }) => spanId === leader) ?? {};
      const trace = new Trace(fixture.collector.spans.filter((span) => span.traceId === traceId));
      expect(trace.one('registration', 'client', 'admission_insert').parentSpanId).toBe(leader);
      expect(trace.one('registration', 'producer').parentSpanId).toBe(leader);
      trace.one('catalog', 'consumer');
    }
  });
});

describe('an order', () => {
  test('has one trace per placement and confirmation, up to the registration that it creates', async () => {
    const items = [{ itemType: 'registration_type', itemId: typeId }];
    let number = '';
    const placed = await traceOf(
      fixture,
      async () => {
        const response = await call('POST', `${path}/orders`, {
          body: { email: randomEmail(), items },
        });
        number = response.body.orderNumber;
        return response;
      },
      (spans) => {
        spans.one('registration', 'server');
        spans.one('commerce', 'server');
      },
    );
    expect(placed.wayUp(placed.one('registration', 'server'))).toEqual([
      'registration server POST /internal/reservations',
      'commerce client POST /internal/reservations',
      `commerce server POST ${order}`,
      `gateway client POST ${order}`,
      `gateway server POST ${order}`,
    ]);
    const confirm = `${order}/:orderNumber/confirm`;
    const confirmed = await traceOf(
      fixture,
      () => call('POST', `${path}/orders/${number}/confirm`, { body: urls }),
      (spans) => {
        spans.one('registration', 'server');
        spans.one('commerce', 'server');
        spans.one('onsite', 'consumer');
      },
    );
    const requested = [
      `commerce server POST ${confirm}`,
      `gateway client POST ${confirm}`,
      `gateway server POST ${confirm}`,
    ];
    const fulfilled = [
      'registration internal admission',
      'registration server POST /internal/reservations/fulfil',
      'commerce client POST /internal/reservations/fulfil',
      ...requested,
    ];
    const statement = confirmed.one('registration', 'client', 'admission_insert');
    expect(confirmed.wayUp(statement).slice(1)).toEqual(fulfilled);
    expect(confirmed.wayUp(confirmed.one('onsite', 'consumer'))).toEqual([
      'onsite consumer process snapshot.registration',
      'registration producer publish snapshot.registration',
      ...fulfilled,
    ]);
    const paid = confirmed.one('commerce', 'client', 'order_set_paid');
    expect(confirmed.wayUp(paid)).toEqual(['commerce client order_set_paid', ...requested]);
  });
});

test('a payment notification starts its own trace, up to the registration that it pays for', async () => {
  const shop = await createSale(fixture.bus, { priceAmount: 1500 });
  const { id, orderNumber } = await shop.placed();
  const { body } = await shop.confirm(orderNumber);
  await pay(body.paymentUrl);
  await shop.until(id, 'paid');
  const trace = await eventually(() => {
    const paid = fixture.collector.spans.find(
      ({ name, traceId }) =>
        name === 'order_set_paid' &&
        fixture.collector.spans.some(
          (span) => span.traceId === traceId && span.name === 'apply settlement',
        ),
    );
    const spans = new Trace(
      fixture.collector.spans.filter((span) => span.traceId === paid?.traceId),
    );
    spans.one('onsite', 'consumer');
    spans.one('registration', 'server');
    return spans;
  });
  expect(trace.wayUp(trace.one('onsite', 'consumer'))).toEqual([
    'onsite consumer process snapshot.registration',
    'registration producer publish snapshot.registration',
    'registration internal admission',
    'registration server POST /internal/reservations/fulfil',
    'commerce client POST /internal/reservations/fulfil',
    'commerce internal apply settlement',
  ]);
  for (const span of trace.spans) trace.wayUp(span);
});

test('a message that is published later continues its trace', async () => {
  await fixture.bus.nats.kill('SIGTERM');
  const response = call('POST', `${path}/registrations`, {
    body: { email: randomEmail(), registrationTypeId: typeId },
  });
  await response;
  await fixture.bus.nats.start();
  const trace = await traceOf(
    fixture,
    () => response,
    (spans) => {
      spans.one('registration', 'server');
      spans.one('catalog', 'consumer');
    },
  );
  expect(trace.wayUp(trace.one('catalog', 'consumer')).slice(0, 3)).toEqual([
    'catalog consumer process snapshot.registration',
    'registration producer publish snapshot.registration',
    'registration internal admission',
  ]);
});

describe('a route', () => {
  const template = /^(\/[a-zA-Z0-9:/*.-]+|unmatched)$/;
  const routeLabel = /http_route="(\/[a-zA-Z0-9:/*.-]+|unmatched)"/;

  test('is its template on every server span and metric', async () => {
    for (const list of ['ticket-types', 'registrations', 'orders', 'checkins']) {
      await expectStatus(call, ['GET', `${path}/${list}`]);
    }
    await expectStatus(call, ['GET', '/v1/changes/head']);
    await call('GET', `${path}/nothing-here`);
    const servers = fixture.collector.spans.filter(({ kind }) => kind === 'server');
    expect(servers.length).toBeGreaterThan(20);
    for (const { service, name, attributes } of servers) {
      expect(attributes['http.route'], `${service} ${name}`).toMatch(template);
      expect(name).toBe(`${attributes['http.request.method']} ${attributes['http.route']}`);
    }
    const texts = Object.entries(await fixture.metrics());
    expect(texts.length).toBeGreaterThanOrEqual(5);
    for (const [service, text] of texts) {
      const counts = text
        .split('\n')
        .filter((line) => line.startsWith('http_server_request_duration_seconds_count'));
      expect(counts.length, service).toBeGreaterThan(0);
      for (const line of counts) expect(line).toMatch(routeLabel);
    }
  });
});
