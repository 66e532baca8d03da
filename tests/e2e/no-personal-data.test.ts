import { randomBytes } from 'node:crypto';
import { setForm } from '@event-api/contracts/operator/forms';
import { apiProcessNames, changeOwners } from '@event-api/contracts/topology';
import { eventually } from '@event-api/platform/testing/eventually';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { distinctiveValues } from './canary-values.ts';
import { expectStatus, openEvent } from './fixtures/bus.ts';
import { command, pay, urls } from './fixtures/checkout.ts';
import { findLeaks, type Written } from './fixtures/find-leaks.ts';
import { createTelemetryFixture, type TelemetryFixture } from './fixtures/telemetry.ts';
import { startWebhookReceiver, type WebhookReceiver } from './fixtures/webhook-receiver.ts';

const secrets = distinctiveValues();
let fixture: TelemetryFixture;
let call: HttpClient;
let receiver: WebhookReceiver;
beforeAll(async () => {
  fixture = await createTelemetryFixture();
  // A receiver that responds with what it knows about a person.
  receiver = await startWebhookReceiver((_, response) => {
    response.writeHead(500, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ failed: buyer(), phone: secrets.phone }));
  });
});
afterAll(async () => {
  await receiver?.close();
  await fixture?.stop();
});

/** Waits until the spans of all earlier requests have been exported. */
async function waitUntilExported(): Promise<void> {
  const { headers } = await call('GET', '/v1/events');
  await eventually(() => expect(fixture.collector.bodies.join()).toContain(headers['request-id']));
  // Each process exports its spans every second. This request is the last of each process.
  const last = await Promise.all(
    ['registrations', 'orders', 'checkins'].map((list) => call('GET', `${event.path}/${list}`)),
  );
  await eventually(() => {
    for (const { headers } of last) {
      const requestSpans = fixture.collector.spans.filter(
        ({ attributes }) => attributes['event_api.request_id'] === headers['request-id'],
      );
      expect(requestSpans.map(({ service }) => service)).toHaveLength(2);
    }
  });
}

let event: Awaited<ReturnType<typeof openEvent>>;
const buyer = () => ({
  email: secrets.email,
  name: `${secrets['first name']} ${secrets['last name']}`,
});

const billing = () => ({
  name: buyer().name,
  company: secrets.company,
  address: { line1: secrets.street, postalCode: '1010', city: 'Wien', country: 'AT' },
  vatId: secrets['VAT id'],
});

describe('a journey with personal data', () => {
  let type: { itemType: string; itemId: string };
  let checkinCode: string;
  let webhook: string;

  beforeAll(async () => {
    const { unitId, secret } = await fixture.bus.newKey();
    secrets['API key'] = secret;
    call = httpClient(fixture.bus.gatewayUrl, { authorization: `Bearer ${secret}` });
    event = await openEvent(call, { capacity: 50, priceAmount: 1500 });
    type = { itemType: 'registration_type', itemId: event.typeId };
    const shop = { unitId, eventId: event.eventId };
    const questions = ['phone', 'diet'].map((id) => ({
      id,
      label: id,
      type: 'text' as const,
      required: true,
    }));
    await command(fixture.bus, shop, setForm, { questions });
  });

  test('succeeds', async () => {
    const { path, typeId } = event;
    await expectStatus(call, [
      'POST',
      `${path}/redemption-codes`,
      { registrationTypeId: typeId, code: secrets['redemption code'], maxUses: 5 },
    ]);
    const query = new URLSearchParams({ code: secrets['redemption code'] ?? '' });
    await expectStatus(call, ['GET', `${path}/redemption-codes/lookup?${query}`]);
    const ordered = await call('POST', `${path}/orders`, {
      headers: { 'idempotency-key': secrets['idempotency key'] ?? '' },
      body: {
        ...buyer(),
        items: [type],
        billing: billing(),
        responses: { phone: secrets.phone, diet: secrets.response },
      },
    });
    expect(ordered.status).toBe(201);
    const order = `${path}/orders/${ordered.body.orderNumber}`;
    const later = { billing: { ...billing(), company: null } };
    await expectStatus(call, ['PUT', `${order}/billing`, later]);
    const secretUrls = {
      successUrl: `${urls.successUrl}&t=${secrets['return address']}`,
      cancelUrl: `${urls.cancelUrl}?t=${secrets['return address']}`,
    };
    const { paymentUrl } = await expectStatus(call, ['POST', `${order}/confirm`, secretUrls]);
    secrets['payment page'] = String(paymentUrl).split('/').at(-1) ?? '';
    expect(secrets['payment page']).toMatch(/.{10}/);
    expect(await pay(paymentUrl)).toBeLessThan(400);
    await eventually(async () => {
      const { status } = await expectStatus(call, ['GET', `${path}/orders/${ordered.body.id}`]);
      expect(status).toBe('paid');
    });
    await claimSeat(path);
    const { registrations } = await expectStatus(call, ['GET', `${path}/registrations`]);
    ({ checkinCode } = registrations[0]);
    secrets['badge code'] = checkinCode;
    for (const status of [201, 200]) {
      await expectStatus(
        call,
        ['POST', `${path}/checkins`, { checkinCode, subjectType: 'event' }],
        status,
      );
    }
    const other = {
      email: secrets['another email'],
      name: secrets['name of another'],
      registrationTypeId: typeId,
      redemptionCode: secrets['redemption code'],
      responses: { phone: secrets.phone, diet: secrets.response },
    };
    for (const created of [true, false]) {
      const response = await expectStatus(call, ['POST', `${path}/registrations`, other]);
      expect(response.created).toBe(created);
      expect(response.registration.responses).toEqual(other.responses);
    }
  });

  /** Assigns a seat with the token of a claim link, and tries to use the token wrongly. */
  async function claimSeat(path: string): Promise<void> {
    const items = [{ ...type, quantity: 1 }];
    const responses = { phone: secrets.phone, diet: secrets.response };
    const order = { email: 'team@example.com', items, assignLater: true, responses };
    const { id, seats } = await expectStatus(call, ['POST', `${path}/orders`, order]);
    const { paymentUrl } = await expectStatus(call, ['POST', `${path}/orders/${id}/confirm`, urls]);
    await pay(paymentUrl);
    await eventually(async () => {
      const { status } = await expectStatus(call, ['GET', `${path}/orders/${id}`]);
      expect(status).toBe('paid');
    });
    const links = `${path}/orders/${id}/claim-links`;
    const body = { pageUrl: 'https://tickets.example.com/seats' };
    const { claimToken } = await expectStatus(call, ['POST', links, body]);
    secrets['claim token'] = claimToken;
    const authorization = `Bearer ${claimToken}`;
    const person = httpClient(fixture.bus.gatewayUrl, { authorization });
    await expectStatus(person, ['GET', '/v1/claims']);
    const claim = `/v1/claims/${seats[0].id}/assign`;
    const malformed = { email: secrets['malformed email'] };
    expect((await person('POST', claim, { body: malformed })).status).toBe(400);
    await expectStatus(person, ['POST', claim, { email: 'claims@example.com' }]);
    // In the places of a path, a query and a key, where it does not belong.
    expect((await person('GET', `/v1/claims/${claimToken}`)).status).toBe(401);
    expect((await person('GET', `/v1/claims?token=${claimToken}`)).status).toBe(400);
    expect((await person('GET', `${path}/orders`)).status).toBe(401);
  }

  test('shows the responses of a webhook endpoint to those who may read them', async () => {
    const body = { url: receiver.url };
    const { id } = await expectStatus(call, ['POST', '/v1/webhook-endpoints', body], 201);
    webhook = `/v1/webhook-endpoints/${id}`;
    await eventually(async () => {
      const { deliveries } = await expectStatus(call, ['GET', `${webhook}/deliveries`]);
      const attempt = `${webhook}/deliveries/${deliveries[0]?.id}`;
      const { responseBody } = await expectStatus(call, ['GET', attempt]);
      expect(responseBody).toContain(secrets.email);
    });
  });

  test('provokes all rejections', async () => {
    const { path, typeId } = event;
    const person = { ...buyer(), registrationTypeId: typeId };
    const post = async (to: string, body: object, status: number, headers = {}) => {
      const response = await call('POST', `${path}/${to}`, { body, headers });
      expect([to, response.status]).toEqual([to, status]);
    };
    await post('registrations', { ...person, email: secrets['malformed email'] }, 400);
    await post('registrations', { ...person, email: secrets.email, [secrets.phone ?? '']: 1 }, 400);
    await post('registrations', { ...person, name: `${person.name}\u0000` }, 400);
    await post('registrations', { ...person, redemptionCode: secrets['unknown code'] }, 200);
    const stranger = { ...person, email: `x${secrets.email}` };
    await post('registrations', { ...stranger, responses: { phone: secrets.phone } }, 400);
    await post('registrations', { ...stranger, redemptionCode: secrets['unknown code'] }, 412);
    await post('registrations', { ...stranger, registrationTypeId: secrets.email }, 404);
    await post('orders', { ...buyer(), items: [type], responses: { phone: secrets.phone } }, 400);
    const wrong = { phone: secrets.phone, diet: { text: secrets.response } };
    await post('orders', { ...buyer(), items: [type], responses: wrong }, 400);
    const misbilled = { ...billing(), vatId: `${secrets['VAT id']}9` };
    await post('orders', { ...buyer(), items: [type], billing: misbilled }, 400);
    const responses = { phone: secrets.phone, diet: secrets.response };
    await post(
      'orders',
      { ...buyer(), items: [{ ...type, itemId: secrets.email }], responses },
      400,
    );
    const again = { items: [type], responses, ...buyer(), email: secrets['another email'] };
    const key = { 'idempotency-key': secrets['idempotency key'] };
    await post('orders', again, 400, key);
    await post(
      'redemption-codes',
      { registrationTypeId: typeId, code: secrets['redemption code'] },
      409,
    );
    await post('checkins', { checkinCode: secrets['unknown badge'], subjectType: 'event' }, 404);
    await post(
      'checkins',
      { checkinCode, registrationId: secrets.email, subjectType: 'event' },
      404,
    );
    for (const [where, text] of [
      ['orders', `{"email":"${secrets.email}","name":${secrets['first name']}}`],
      ['registrations', `email=${encodeURIComponent(secrets.email ?? '')}`],
    ] as const) {
      expect((await call('POST', `${path}/${where}`, { raw: text })).status).toBe(400);
    }
    for (const [to, status] of [
      [`${path}/redemption-codes/lookup?code=${secrets['unknown code']}`, 404],
      [`${path}/redemption-codes/lookup?code=${secrets['redemption code']}&code=x`, 404],
      [`${path}/registrations?cursor=${encodeURIComponent(secrets.email ?? '')}`, 400],
      [`${path}/registrations?email=${encodeURIComponent(secrets.email ?? '')}`, 200],
      [`${path}/registrations?email=${secrets.email}&x=${secrets['unknown query']}`, 400],
      [`${path}/orders/${encodeURIComponent(secrets.email ?? '')}`, 404],
      [`/v1/events/${secrets.email}/registrations`, 404],
      [`/v1/${secrets.email}?q=${secrets['unknown query']}`, 404],
    ] as const) {
      expect([to, (await call('GET', to)).status]).toEqual([to, status]);
    }
    for (const authorization of [`Bearer ${secrets['unknown key']}`, String(secrets['API key'])]) {
      const stranger = httpClient(fixture.bus.gatewayUrl, { authorization });
      expect((await stranger('GET', `${path}/orders`)).status).toBe(401);
    }
  });

  test('provokes internal errors', async () => {
    const { database } = fixture.bus;
    const { path, typeId } = event;
    // The error of the driver then contains the row, and that of the ORM the statement with its
    // values.
    const name = `${secrets['first name']} ${secrets['last name']}`;
    const broken = [
      ['registration.registration', 'email'],
      ['commerce.customer_order', 'email'],
      ['catalog.ticket_type', 'name'],
      ['onsite.registration_projection', 'checkin_code'],
      ['changes.webhook_attempt', 'response_body'],
    ] as const;
    for (const [table, column] of broken) {
      await database.sql(
        `alter table ${table} add constraint nobody_foresaw check (length(${column}) = 0) not valid`,
      );
    }
    const email = `y${secrets.email}`;
    const body = { email, name, registrationTypeId: typeId };
    expect((await call('POST', `${path}/registrations`, { body })).status).toBe(500);
    const responses = { phone: secrets.phone, diet: secrets.response };
    const order = { email, name, items: [type], responses };
    expect((await call('POST', `${path}/orders`, { body: order })).status).toBe(500);
    const named = { name, priceAmount: 1 };
    expect((await call('POST', `${path}/ticket-types`, { body: named })).status).toBe(500);
    await database.sql('alter table registration.registration drop constraint nobody_foresaw');
    const fine = await call('POST', `${path}/registrations`, { body });
    expect(fine.status).toBe(201);
    secrets['second badge'] = fine.body.registration.checkinCode;
    await expectStatus(call, ['POST', `${webhook}/test`]);
    await eventually(() =>
      expect(fixture.bus.logLines().join()).toContain('failed to deliver webhooks, will retry'),
    );
    // Onsite cannot apply the message, which becomes a dead letter with an alarm.
    await eventually(() => expect(fixture.bus.alarms().join()).toMatch(/dead_letter/));
  });

  /** The changes of the business unit as a client gets them, and all changes as they are stored. */
  async function feed(): Promise<Written[]> {
    const pages: Written[] = [];
    let after = '';
    for (let isEnd = false; !isEnd; ) {
      const page = await expectStatus(call, ['GET', `/v1/changes?limit=20${after}`]);
      pages.push({ where: 'the feed', text: JSON.stringify(page) });
      after = `&after=${page.nextCursor}`;
      isEnd = page.changes.length === 0;
    }
    for (const owner of changeOwners) {
      const rows = await fixture.bus.database.sql(
        `select body from ${owner}.change_log union all select body from ${owner}.change_inbox`,
      );
      pages.push({ where: `the log of ${owner}`, text: JSON.stringify(rows) });
    }
    return pages;
  }

  test('leaves no personal data in the change feed', async () => {
    const expected = ['redemption_code.created', 'order.paid', 'registration.created'];
    await eventually(async () => {
      const text = JSON.stringify(await feed());
      for (const type of [...expected, 'checkin.created']) expect(text).toContain(type);
    });
    const changes = await feed();
    expect(findLeaks(secrets, changes)).toEqual([]);
    const [page] = changes;
    for (const [what, secret] of Object.entries(secrets)) {
      const text = page?.text.replace(
        '"changes":[',
        `"changes":[{"name":${JSON.stringify(secret)}},`,
      );
      expect(text).not.toBe(page?.text);
      expect(findLeaks({ [what]: secret }, [{ where: 'the feed', text: text ?? '' }])).toHaveLength(
        1,
      );
    }
  });

  test('leaves no personal data in logs, spans or metrics', async () => {
    await waitUntilExported();
    const all = await fixture.written();
    const { 'first name': _first, 'last name': _last, ...others } = secrets;
    expect(Object.values(others).every((secret) => secret.length >= 8)).toBe(true);
    expect(findLeaks(secrets, all)).toEqual([]);
  });

  test('is verified by a search that finds planted values in a realistic amount of output', async () => {
    const all = await fixture.written();
    const places = ['a log', 'a span', 'the metrics of gateway', 'the metrics of commerce'];
    for (const where of places) {
      const some = all.filter((each) => each.where === where).map(({ text }) => text);
      expect(some.join().length, where).toBeGreaterThan(1000);
      for (const [what, secret] of Object.entries(secrets)) {
        const planted = `${some[0]} ${Buffer.from(`{"x":"${secret}"}`).toString('base64')}`;
        const leaks = findLeaks({ [what]: secret }, [{ where, text: planted }]);
        expect(leaks, `${what} in ${where}`).toHaveLength(1);
      }
    }
    const logs = fixture.bus.logLines().join('\n');
    for (const process of apiProcessNames) {
      expect(logs).toMatch(new RegExp(`^${process} \\{.*"level"`, 'm'));
    }
    expect(logs.match(/unexpected error/g)?.length).toBeGreaterThanOrEqual(3);
    const statements = fixture.collector.spans.filter(
      ({ attributes }) => attributes['db.system.name'],
    );
    expect(statements.length).toBeGreaterThan(200);
  });
});

test('the search finds a value in a log line', () => {
  const token = randomBytes(12).toString('hex');
  const logged = fixture.bus.logLines().map((text) => ({ where: 'a log', text }));
  const planted = [...logged, { where: 'a log', text: `registration {"msg":"${token}"}` }];
  expect(findLeaks({ token }, logged)).toEqual([]);
  expect(findLeaks({ token }, planted)).toHaveLength(1);
});
