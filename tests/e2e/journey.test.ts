import { pairDevice } from '@event-api/contracts/operator/devices';
import { setEventFeatures } from '@event-api/contracts/operator/events';
import * as exhibitors from '@event-api/contracts/operator/exhibitors';
import { setForm } from '@event-api/contracts/operator/forms';
import { bindPerk, createPerk } from '@event-api/contracts/operator/perks';
import { createSession, createSpeaker, createVenue } from '@event-api/contracts/operator/program';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { currentVersion } from '@event-api/contracts/version';
import { eventually } from '@event-api/platform/testing/eventually';
import {
  type HttpClient,
  httpClient,
  type TestResponse,
} from '@event-api/platform/testing/http-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { pay, urls } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { startWebhookReceiver } from './fixtures/webhook-receiver.ts';
import { operationsOf, recorded } from './recorder.ts';

let platform: PlatformFixture;
let unit: Awaited<ReturnType<PlatformFixture['newUnit']>>;
let document: TestResponse['body'];
let call: HttpClient;
let called: Set<string>;

beforeAll(async () => {
  platform = await sharedPlatform();
  unit = await platform.newUnit({ defaultCurrency: 'JPY', rateLimitPerMinute: 1000 });
  const plain = httpClient(platform.baseUrl, { authorization: `Bearer ${unit.secret}` });
  document = (await httpClient(platform.baseUrl)('GET', '/openapi.json')).body;
  ({ call, called } = recorded(plain, document));
});

/** Sends a request that must succeed. Returns the response body. */
async function request(
  method: string,
  path: string,
  body?: unknown,
): Promise<TestResponse['body']> {
  const response = await call(method, path, body === undefined ? {} : { body });
  if (response.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(response)}`);
  return response.body;
}

/** Sends a request that must fail. Returns the status and the first reason or field. */
async function rejectionFor(method: string, path: string, body?: unknown): Promise<unknown[]> {
  const response = await call(method, path, body === undefined ? {} : { body });
  const [detail] = response.body.error?.details ?? [];
  return [response.status, detail?.reason ?? detail?.code];
}

/** The tests depend on each other: together they are one conference from draft to archive. */
describe('an integrator and an operator', () => {
  let path: string;
  let eventId: string;
  const ids: Record<string, string> = {};
  const scope = () => ({ businessUnitId: unit.unitId, eventId });
  const names = (records: { name: string }[]) => records.map(({ name }) => name);
  const ticket = (name: string) => `${path}/ticket-types/${ids[name]}`;
  const item = (name: string, itemType = 'registration_type') => ({ itemType, itemId: ids[name] });

  async function register(
    email: string,
    type: string,
    more: object = {},
  ): Promise<TestResponse['body']> {
    const body = { email, registrationTypeId: ids[type], ...more };
    const { registration, created } = await request('POST', `${path}/registrations`, body);
    expect(created).toBe(true);
    ids[email] = registration.id;
    return registration;
  }

  test('read the public endpoints without a key', async () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: currentVersion } });
    const page = await fetch(`${platform.baseUrl}/docs`);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    expect(await page.text()).toContain('/openapi.json');
  });

  test('create an event as a draft in the currency of the business unit, and publish it with a start', async () => {
    const draft = { name: ' Spring Summit ', timezone: 'europe/berlin' };
    const created = await call('POST', '/v1/events', { body: draft });
    expect(created).toMatchObject({
      status: 201,
      body: { name: 'Spring Summit', status: 'draft', currency: 'JPY', startsAt: null },
    });
    path = created.headers.location ?? '';
    eventId = created.body.id;
    expect(await rejectionFor('PATCH', path, { status: 'published' })).toEqual([400, 'required']);
    const start = { status: 'published', startsAt: '2027-05-10T09:00:00+02:00' };
    const published = await request('PATCH', path, start);
    expect(published).toMatchObject({
      status: 'published',
      timezone: 'Europe/Berlin',
      startsAt: '2027-05-10T07:00:00.000Z',
      publishedAt: expect.any(String),
    });
    await platform.operator.call(setEventFeatures, { ...scope(), features: ['badges'] });
    expect(await request('GET', path)).toEqual({ ...published, features: ['badges'] });
    expect(await request('GET', '/v1/events?status=draft')).toEqual({
      events: [],
      nextCursor: null,
    });
    expect(await request('GET', '/v1/events?status=published')).toMatchObject({
      events: [{ id: eventId }],
      nextCursor: null,
    });
  });

  test('create ticket types with a sort order, and open them', async () => {
    const types = `${path}/ticket-types`;
    const wanted = [
      { name: 'Pass', sortOrder: 10, capacity: 50, priceAmount: 9900 },
      { name: 'Front row', sortOrder: 20, capacity: 1, allowWaitlist: true },
      { name: 'Press', sortOrder: 30, requiresApproval: true, isPublic: false },
    ];
    for (const body of wanted.toReversed()) {
      const created = await request('POST', types, body);
      expect(created).toMatchObject({ ...body, status: 'draft', counts: { confirmed: 0 } });
      ids[created.name] = created.id;
    }
    const first = await request('GET', `${types}?limit=2`);
    expect(names(first.ticketTypes)).toEqual(['Pass', 'Front row']);
    const second = await request('GET', `${types}?limit=2&cursor=${first.nextCursor}`);
    expect([names(second.ticketTypes), second.nextCursor]).toEqual([['Press'], null]);
    for (const { name } of wanted) await request('PATCH', ticket(name), { status: 'open' });
    for (const body of [{ status: 'closed' }, { status: 'open' }, { priceAmount: 12_900 }]) {
      expect(await request('PATCH', ticket('Pass'), body)).toMatchObject(body);
    }
    const back = await rejectionFor('PATCH', ticket('Pass'), { status: 'draft' });
    expect(back).toEqual([400, 'invalid_transition']);
    expect(await request('GET', ticket('Pass'))).toMatchObject({
      status: 'open',
      priceAmount: 12_900,
    });
  });

  test('sell a workshop as an add-on, alone and in a bundle', async () => {
    const workshop = await request('POST', `${path}/addons`, {
      name: 'Workshop',
      priceAmount: 4000,
    });
    expect(workshop.status).toBe('draft');
    const addon = `${path}/addons/${workshop.id}`;
    await request('PATCH', addon, { status: 'open', description: 'Half a day' });
    expect(await request('GET', addon)).toMatchObject({
      status: 'open',
      description: 'Half a day',
    });
    expect(names((await request('GET', `${path}/addons`)).addons)).toEqual(['Workshop']);
    ids.Workshop = workshop.id;

    const { id } = await request('POST', `${path}/bundles`, { name: 'All in' });
    const bundle = `${path}/bundles/${id}`;
    const items = [item('Pass'), item('Workshop', 'addon')].map((one) => ({ ...one, quantity: 1 }));
    expect(await request('PUT', `${bundle}/items`, items)).toMatchObject({ id, items });
    expect((await request('PATCH', bundle, { priceAmount: 15_000 })).priceAmount).toBe(15_000);
    expect(await request('GET', bundle)).toMatchObject({
      name: 'All in',
      items,
      priceAmount: 15_000,
    });
    expect((await request('GET', `${path}/bundles`)).bundles).toMatchObject([{ id, items }]);
    ids['All in'] = id;
  });

  test('create a venue with a perk, a session and a speaker', async () => {
    const { operator } = platform;
    ids.Lounge = (await operator.call(createPerk, { ...scope(), name: 'Lounge' })).id;
    const perkIds = [ids.Lounge];
    const targetType = 'addon' as const;
    const bound = { ...scope(), perkId: ids.Lounge, targetType, targetId: ids.Workshop ?? '' };
    await operator.call(bindPerk, bound);
    const room = await operator.call(createVenue, { ...scope(), name: 'Library', perkIds });
    const talk = await operator.call(createSession, {
      ...scope(),
      title: 'On engines',
      startsAt: '2027-05-10T08:00:00Z',
      endsAt: '2027-05-10T09:00:00Z',
      venueId: room.id,
    });
    const speaker = { ...scope(), name: 'Grace Hopper', sessionIds: [talk.id] };
    const grace = await operator.call(createSpeaker, speaker);
    expect(await request('GET', `${path}/venues/${room.id}`)).toEqual(room);
    expect(await request('GET', `${path}/sessions/${talk.id}`)).toEqual(talk);
    expect(await request('GET', `${path}/speakers/${grace.id}`)).toEqual(grace);
    expect((await request('GET', `${path}/venues`)).venues).toMatchObject([
      { id: room.id, perkIds },
    ]);
    const { sessions } = await request('GET', `${path}/sessions`);
    expect(sessions).toMatchObject([{ id: talk.id, title: 'On engines', venueId: room.id }]);
    const { speakers } = await request('GET', `${path}/speakers`);
    expect(speakers).toMatchObject([{ name: 'Grace Hopper', sessionIds: [talk.id] }]);
    ids.Library = room.id;
  });

  test('register people: confirmed, repeated, waitlisted, and pending approval', async () => {
    const people = `${path}/registrations`;
    const ada = await register('ada@example.com', 'Front row', { name: 'Ada' });
    expect(ada).toMatchObject({ status: 'confirmed', checkinCode: expect.stringMatching(/^CHK-/) });
    const again = { email: 'ADA@example.com', registrationTypeId: ids['Front row'] };
    expect(await call('POST', people, { body: again })).toMatchObject({
      status: 200,
      body: { registration: { id: ada.id }, created: false },
    });
    expect((await register('bob@example.com', 'Front row')).status).toBe('waitlisted');
    expect((await register('cleo@example.com', 'Press')).status).toBe('pending');
    expect((await register('dan@example.com', 'Press')).status).toBe('pending');
    const cleo = `${people}/${ids['cleo@example.com']}`;
    expect(await request('PATCH', cleo, { name: 'Cleo' })).toMatchObject({ name: 'Cleo' });
    expect((await request('POST', `${cleo}/approve`)).status).toBe('confirmed');
    expect(await rejectionFor('POST', `${cleo}/reject`)).toEqual([412, 'NOT_PENDING']);
    const dan = `${people}/${ids['dan@example.com']}`;
    const rejected = { status: 'rejected', rejectionReason: 'No desk' };
    expect(await request('POST', `${dan}/reject`, { reason: 'No desk' })).toMatchObject(rejected);
    expect(await request('GET', dan)).toMatchObject(rejected);

    // The cancellation promotes the waitlisted registration.
    const cancelled = await request('POST', `${people}/${ada.id}/cancel`);
    expect(cancelled).toMatchObject({ status: 'cancelled', cancelledAt: expect.any(String) });
    const { registrations } = await request('GET', `${people}?status=confirmed`);
    expect(registrations.map(({ email }: { email: string }) => email)).toEqual([
      'cleo@example.com',
      'bob@example.com',
    ]);
    const waited = `registrationTypeId=${ids['Front row']}&status=confirmed&email=BOB@example.com`;
    expect((await request('GET', `${people}?${waited}`)).registrations).toEqual([registrations[1]]);
    expect(await request('GET', `${ticket('Front row')}/availability`)).toEqual({
      capacity: 1,
      confirmed: 1,
      waitlisted: 0,
      held: 0,
      remaining: 0,
    });
  });

  test('ask questions with a form, and publish a refund policy', async () => {
    const { operator } = platform;
    const questions = [{ id: 'diet', label: 'Diet', type: 'text' as const, required: false }];
    await operator.call(setForm, { ...scope(), questions });
    expect(await request('GET', `${path}/form`)).toMatchObject({ questions: [{ id: 'diet' }] });
    const text = 'Full refund until a week before the event.';
    await operator.call(setRefundPolicy, { ...scope(), text });
    expect(await request('GET', `${path}/refund-policy`)).toMatchObject({ policy: { text } });
  });

  test('create redemption codes and disable one', async () => {
    const codes = `${path}/redemption-codes`;
    const discount = { type: 'percent', value: 10 };
    const wanted = { registrationTypeId: ids.Pass, code: 'Friends', maxUses: 2, discount };
    const [friends] = (await request('POST', codes, wanted)).redemptionCodes;
    expect(await rejectionFor('POST', codes, { ...wanted, code: 'FRIENDS' })).toEqual([
      409,
      undefined,
    ]);
    expect(await request('GET', `${codes}/lookup?code=friends`)).toMatchObject({
      registrationType: { id: ids.Pass },
      priceAmount: 12_900,
      discountedPriceAmount: 11_610,
      currency: 'JPY',
    });
    const batch = { registrationTypeId: ids.Pass, count: 2, label: 'Sponsors' };
    const [disabled] = (await request('POST', codes, batch)).redemptionCodes;
    expect(await request('POST', `${codes}/${disabled.id}/disable`)).toMatchObject({
      status: 'disabled',
    });
    expect((await call('GET', `${codes}/lookup?code=${disabled.code}`)).status).toBe(404);
    expect(await request('GET', `${codes}/${disabled.id}`)).toEqual({
      ...disabled,
      status: 'disabled',
    });
    expect((await request('GET', codes)).redemptionCodes).toHaveLength(3);
    expect(friends).toMatchObject({ code: 'Friends', uses: 0, status: 'active' });
  });

  test('take orders: free, paid and cancelled', async () => {
    const orders = `${path}/orders`;
    const erin = { email: 'erin@example.com', items: [item('Press')] };
    const free = await request('POST', orders, erin);
    expect(free).toMatchObject({ status: 'held', totalAmount: 0, alreadyRegistered: false });
    const { id, status } = await request('POST', `${orders}/${free.orderNumber}/confirm`);
    expect([id, status]).toEqual([free.id, 'paid']);

    const fay = { email: 'fay@example.com', items: [item('All in', 'bundle')] };
    const held = await request('POST', orders, fay);
    expect(held.totalAmount).toBe(15_000);
    expect(await rejectionFor('POST', `${orders}/${held.id}/confirm`)).toEqual([
      400,
      expect.anything(),
    ]);
    const awaiting = await request('POST', `${orders}/${held.orderNumber}/confirm`, urls);
    expect(awaiting).toMatchObject({ status: 'awaiting_payment' });
    expect((await request('GET', `${ticket('Pass')}/availability`)).held).toBe(1);
    await pay(awaiting.paymentUrl);
    const paid = await eventually(async () => {
      const order = await request('GET', `${orders}/${held.id}`);
      expect(order.status).toBe('paid');
      return order;
    });
    ids['fay@example.com'] = paid.registrationIds[0];
    // Sold items are unchanged, and the event keeps the currency of its first order.
    await request('PATCH', ticket('Pass'), { priceAmount: 1 });
    expect(await rejectionFor('PATCH', path, { currency: 'EUR' })).toEqual([
      412,
      'CURRENCY_LOCKED',
    ]);

    const friend = { items: [item('Pass')], redemptionCode: 'friends' };
    const gift = await request('POST', orders, { email: 'gil@example.com', ...friend });
    for (const _ of [1, 2]) {
      const { status } = await request('POST', `${orders}/${gift.orderNumber}/cancel`);
      expect(status).toBe('cancelled');
    }
    const list = (await request('GET', orders)).orders;
    expect(list.map(({ status }: { status: string }) => status)).toEqual([
      'cancelled',
      'paid',
      'paid',
    ]);
    const paidByFay = await request('GET', `${orders}?status=paid&email=FAY@example.com`);
    expect(paidByFay.orders).toEqual([list[1]]);
    const changes = await request('GET', `${orders}?updatedSince=${list[2].placedAt}`);
    expect(changes.orders).toEqual([list[2], list[1], list[0]]);
    expect(list[1].items).toMatchObject([{ name: 'All in', totalAmount: 15_000 }]);
  });

  test('check people in once per door, and behind a gate only with its perk', async () => {
    const fay = ids['fay@example.com'];
    const { checkinCode } = await request('GET', `${path}/registrations/${fay}`);
    const { perks } = await request('GET', `${path}/registrations/${fay}/perks`);
    expect(perks).toMatchObject([{ name: 'Lounge', sources: [{ type: 'addon' }] }]);
    const scans = `${path}/checkins`;
    for (const [alreadyCheckedIn, status] of [
      [false, 201],
      [true, 200],
    ]) {
      const response = await call('POST', scans, { body: { checkinCode, subjectType: 'event' } });
      expect(response).toMatchObject({ status, body: { alreadyCheckedIn } });
    }
    const library = { subjectType: 'venue', subjectId: ids.Library, method: 'manual' };
    expect(
      (await request('POST', scans, { registrationId: fay, ...library })).checkin,
    ).toMatchObject({
      registrationId: fay,
      method: 'manual',
    });
    const cleo = { registrationId: ids['cleo@example.com'], ...library };
    expect(await rejectionFor('POST', scans, cleo)).toEqual([412, 'GATE_CLOSED']);
    const rejectedScan = { registrationId: ids['dan@example.com'], subjectType: 'event' };
    expect(await rejectionFor('POST', scans, rejectedScan)).toEqual([412, 'NOT_CONFIRMED']);
    const { checkins: scanned } = await request('GET', `${scans}?registrationId=${fay}`);
    expect(await request('GET', `${scans}/summary`)).toBeTypeOf('object');
    expect(scanned).toHaveLength(2);
    expect(await request('GET', `${scans}/${scanned[0].id}`)).toEqual(scanned[0]);
    const { checkins } = await request(
      'GET',
      `${scans}?subjectType=venue&subjectId=${ids.Library}`,
    );
    expect(checkins).toMatchObject([{ registrationId: fay }]);
    const time = '2027-05-10T09:00:00.000Z';
    const entrance = { subjectType: 'event', decision: 'admitted', scannedAt: time };
    const { results } = await request('POST', `${scans}/batch`, {
      sentAt: time,
      scans: [
        { scanId: 'scan-1', checkinCode, ...entrance },
        { scanId: 'scan-2', registrationId: ids['dan@example.com'], ...entrance },
      ],
    });
    expect(results).toMatchObject([
      { result: 'already', checkin: { registrationId: fay } },
      { result: 'overruled', reason: 'NOT_CONFIRMED' },
    ]);
    const reason = 'Scanned at the wrong door.';
    const undone = await request('POST', `${scans}/${checkins[0].id}/undo`, { reason });
    expect(undone).toMatchObject({ id: checkins[0].id, undoneAt: expect.any(String) });
    const { checkins: left } = await request('GET', `${scans}?registrationId=${fay}`);
    expect(left).toHaveLength(1);
    await request('POST', scans, { registrationId: fay, ...library });
  });

  test('pair a scanner for one door, which checks in there only', async () => {
    const venue = { subjectType: 'venue' as const, subjectId: ids.Library ?? '' };
    const pairing = { ...scope(), name: 'Library', doors: [venue] };
    const { code } = await platform.operator.call(pairDevice, pairing);
    const as = async (secret: string | null, method: string, url: string, body?: object) =>
      call(method, url, {
        ...(body && { body }),
        headers: { authorization: `Bearer ${secret}` },
      });
    const installation = { installationId: 'library-scanner-1' };
    const { body: paired } = await as(code, 'POST', '/v1/device/pair', installation);
    const { body: device } = await as(paired.token, 'GET', '/v1/device');
    expect(device).toEqual(paired.device);
    expect(device).toMatchObject({ event: { id: eventId }, doors: [{ name: 'Library' }] });
    const roster = await as(paired.token, 'GET', `${path}/checkins/roster`);
    expect(roster).toMatchObject({ status: 200, body: { doors: [{ name: 'Library' }] } });
    expect(roster.body.badges).toHaveLength(6);
    const scans = `${path}/checkins`;
    const fay = { registrationId: ids['fay@example.com'] };
    const again = await as(paired.token, 'POST', scans, { ...fay, ...venue });
    expect(again).toMatchObject({ status: 200, body: { alreadyCheckedIn: true } });
    const elsewhere = await as(paired.token, 'POST', scans, { ...fay, subjectType: 'event' });
    const missing = { ...fay, subjectType: 'venue', subjectId: 'ven_01k8zq4m3ne7rbj5t2xw9vd6ah' };
    const nowhere = await call('POST', scans, { body: missing });
    expect([elsewhere.status, elsewhere.body]).toEqual([404, nowhere.body]);
  });

  test('list attendees and exhibitors', async () => {
    const { attendees } = await request('GET', `${path}/attendees`);
    const status = Object.fromEntries(
      attendees.map((one: Record<string, string>) => [one.email, one.status]),
    );
    expect(status).toEqual({
      'ada@example.com': 'cancelled',
      'bob@example.com': 'confirmed',
      'cleo@example.com': 'confirmed',
      'dan@example.com': 'rejected',
      'erin@example.com': 'pending',
      'fay@example.com': 'confirmed',
    });
    expect(await request('GET', `${path}/attendees/${attendees[0].id}`)).toEqual(attendees[0]);
    const { operator } = platform;
    const { id: exhibitorId } = await operator.call(exhibitors.createExhibitor, {
      ...scope(),
      name: 'Analytical Engines',
    });
    const one = { ...scope(), exhibitorId };
    const registrationId = ids['bob@example.com'] ?? '';
    await operator.call(exhibitors.confirmExhibitor, one);
    await operator.call(exhibitors.addMember, { ...one, registrationId, role: 'Sales' });
    await operator.call(exhibitors.allocateBooth, { ...one, number: 'A12', type: 'corner' });
    const company = await request('GET', `${path}/exhibitors/${exhibitorId}`);
    expect(company).toMatchObject({
      status: 'confirmed',
      members: [{ registrationId, role: 'Sales' }],
      booths: [{ number: 'A12', type: 'corner', venueId: null }],
    });
    const of = async (id = '') =>
      (await request('GET', `${path}/exhibitors?registrationId=${id}`)).exhibitors;
    expect(await of(registrationId)).toEqual([company]);
    expect(await of(ids['fay@example.com'])).toEqual([]);
  });

  test('change the time freely; a change of the date needs confirmation and clears the agenda', async () => {
    await request('PATCH', path, { startsAt: '2027-05-10T23:30:00+02:00' });
    const move = { startsAt: '2027-05-11T00:30:00+02:00' };
    expect(await rejectionFor('PATCH', path, move)).toEqual([412, 'AGENDA_RESET_UNCONFIRMED']);
    expect((await request('GET', `${path}/sessions`)).sessions).toHaveLength(1);
    const moved = await request('PATCH', path, { ...move, confirmAgendaReset: true });
    expect(moved.startsAt).toBe('2027-05-10T22:30:00.000Z');
    expect((await request('GET', `${path}/sessions`)).sessions).toEqual([]);
    expect((await request('GET', `${path}/venues`)).venues).toHaveLength(1);
  });

  test('archive the event: reads succeed, new records are rejected', async () => {
    const archived = await request('POST', `${path}/archive`);
    expect(archived.status).toBe('archived');
    expect(await request('POST', `${path}/archive`)).toEqual(archived);
    const late = { email: 'late@example.com' };
    const attempts = [
      ['ticket-types', { name: 'Too late' }],
      ['registrations', { ...late, registrationTypeId: ids.Pass }],
      ['orders', { ...late, items: [item('Pass')] }],
    ] as const;
    for (const [list, body] of attempts) {
      expect(await rejectionFor('POST', `${path}/${list}`, body)).toEqual([412, 'EVENT_ARCHIVED']);
    }
    expect(await rejectionFor('PATCH', path, { name: 'Other' })).toEqual([
      400,
      'invalid_transition',
    ]);
    expect((await request('GET', `${path}/ticket-types`)).ticketTypes).toHaveLength(3);
  });

  test('follow the changes up to the archive', async () => {
    const types: string[] = [];
    for (let cursor = '', turn = 0; turn < 20 && !types.includes('event.archived'); turn++) {
      const page = await request('GET', `/v1/changes?wait=5${cursor && `&after=${cursor}`}`);
      types.push(...page.changes.map(({ type }: { type: string }) => type));
      cursor = page.nextCursor;
    }
    expect(types).toContain('event.archived');
    expect((await request('GET', '/v1/changes/head')).sequence).toBe(types.length);
  });

  test('receive the changes again over a webhook', async () => {
    const receiver = await startWebhookReceiver();
    const endpoints = '/v1/webhook-endpoints';
    const { id } = await request('POST', endpoints, { url: receiver.url });
    const endpoint = `${endpoints}/${id}`;
    await eventually(async () => {
      expect(await request('GET', endpoint)).toMatchObject({ status: 'enabled' });
    });
    await request('POST', `${endpoint}/replay`, { from: 1, to: 2 });
    await request('POST', `${endpoint}/test`);
    const types = () => receiver.received.map(({ body }) => JSON.parse(body).type);
    await eventually(() =>
      expect(types().toSorted()).toEqual(['event.created', 'event.published', 'ping', 'ping']),
    );
    await eventually(async () => {
      const { deliveries } = await request('GET', `${endpoint}/deliveries`);
      expect(deliveries).toHaveLength(4);
    });
    const { secret } = await request('POST', `${endpoint}/rotate-secret`);
    expect(secret).toMatch(/^whsec_/);
    await request('PATCH', endpoint, { status: 'disabled' });
    const { webhookEndpoints } = await request('GET', endpoints);
    expect(webhookEndpoints).toMatchObject([{ id, status: 'disabled' }]);
    await receiver.close();
  });

  test('have called every operation of the API', () => {
    expect([...called].toSorted()).toEqual(operationsOf(document).toSorted());
  });
});
