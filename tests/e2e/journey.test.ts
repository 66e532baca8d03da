import * as api from '@event-api/client';
import {
  type Client,
  type CreateCheckin,
  type CreateOrder,
  type CreateRedemptionCodes,
  createClient,
  EventApiError,
  type FeedPosition,
  type ListCheckinsData,
  type UpdateEvent,
  type UpdateTicketType,
} from '@event-api/client';
import { listDeviceActivity, pairDevice } from '@event-api/contracts/operator/devices';
import { setEventFeatures } from '@event-api/contracts/operator/events';
import * as exhibitors from '@event-api/contracts/operator/exhibitors';
import { setForm } from '@event-api/contracts/operator/forms';
import { bindPerk, createPerk } from '@event-api/contracts/operator/perks';
import { createSession, createSpeaker, createVenue } from '@event-api/contracts/operator/program';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { currentVersion } from '@event-api/contracts/version';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient, type TestResponse } from '@event-api/platform/testing/http-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { pay, urls } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { startWebhookReceiver } from './fixtures/webhook-receiver.ts';
import { type Document, operationsOf, recordingFetch } from './recorder.ts';

let platform: PlatformFixture;
let unit: Awaited<ReturnType<PlatformFixture['newUnit']>>;
let document: Document & TestResponse['body'];
let recorder: ReturnType<typeof recordingFetch>;
let client: Client;

beforeAll(async () => {
  platform = await sharedPlatform();
  unit = await platform.newUnit({ defaultCurrency: 'JPY', rateLimitPerMinute: 1000 });
  document = (await httpClient(platform.baseUrl)('GET', '/openapi.json')).body;
  recorder = recordingFetch(document);
  client = clientOf(unit.secret);
});

/** The client library with a key, a pairing code or the token of a device. */
const clientOf = (apiKey: string): Client =>
  createClient({ baseUrl: platform.baseUrl, apiKey, fetch: recorder.fetch });

/** The status and the first reason or code of a call that the API rejects. */
async function rejectionOf(call: Promise<unknown>): Promise<unknown[]> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof EventApiError)) throw new Error('was not rejected', { cause: error });
  return [error.httpStatus, error.reason ?? error.details[0]?.code];
}

/** The tests depend on each other: together they are one conference from draft to archive. */
describe('an integrator and an operator', () => {
  let path: { eventId: string };
  let start: FeedPosition & { sequence: number };
  const ids: Record<string, string> = {};
  const scope = () => ({ businessUnitId: unit.unitId, ...path });
  const names = (records: { name: string }[]) => records.map(({ name }) => name);
  const idOf = (name: string): string => {
    const id = ids[name];
    if (id === undefined) throw new Error(`there is no ${name}`);
    return id;
  };
  const ticket = (name: string) => ({ ...path, typeId: idOf(name) });
  const person = (email: string) => ({ ...path, id: idOf(email) });
  const pass = () => ({ itemType: 'registration_type', itemId: idOf('Pass') }) as const;

  async function register(email: string, type: string, more: { name?: string } = {}) {
    const body = { email, registrationTypeId: idOf(type), ...more };
    const { registration, created } = await api.createRegistration({ client, path, body });
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
    start = await api.getChangesHead({ client });
    const draft = { name: ' Spring Summit ', timezone: 'europe/berlin' };
    const created = await api.createEvent({ client, body: draft });
    expect(created).toMatchObject({
      ...{ name: 'Spring Summit', status: 'draft', currency: 'JPY', startsAt: null },
    });
    path = { eventId: created.id };
    const publish = { status: 'published' } as const;
    const early = api.updateEvent({ client, path, body: publish });
    expect(await rejectionOf(early)).toEqual([400, 'required']);
    const body = { ...publish, startsAt: '2027-05-10T09:00:00+02:00' };
    const published = await api.updateEvent({ client, path, body });
    expect(published).toMatchObject({
      status: 'published',
      timezone: 'Europe/Berlin',
      startsAt: '2027-05-10T07:00:00.000Z',
      publishedAt: expect.any(String),
    });
    await platform.operator.call(setEventFeatures, { ...scope(), features: ['badges'] });
    expect(await api.getEvent({ client, path })).toEqual({ ...published, features: ['badges'] });
    expect(await api.listEvents({ client, query: { status: 'draft' } })).toEqual({
      events: [],
      nextCursor: null,
    });
    expect(await api.listEvents({ client, query: publish })).toMatchObject({
      events: [{ id: path.eventId }],
      nextCursor: null,
    });
  });

  test('create ticket types with a sort order, and open them', async () => {
    const wanted = [
      { name: 'Pass', sortOrder: 10, capacity: 50, priceAmount: 9900 },
      { name: 'Front row', sortOrder: 20, capacity: 1, allowWaitlist: true },
      { name: 'Press', sortOrder: 30, requiresApproval: true, isPublic: false },
    ];
    for (const body of wanted.toReversed()) {
      const created = await api.createTicketType({ client, path, body });
      expect(created).toMatchObject({ ...body, status: 'draft', counts: { confirmed: 0 } });
      ids[created.name] = created.id;
    }
    const first = await api.listTicketTypes({ client, path, query: { limit: 2 } });
    expect(names(first.ticketTypes)).toEqual(['Pass', 'Front row']);
    const query = { limit: 2, cursor: first.nextCursor ?? '' };
    const second = await api.listTicketTypes({ client, path, query });
    expect([names(second.ticketTypes), second.nextCursor]).toEqual([['Press'], null]);
    const update = (name: string, body: UpdateTicketType) =>
      api.updateTicketType({ client, path: ticket(name), body });
    for (const { name } of wanted) await update(name, { status: 'open' });
    const changes = [{ status: 'closed' }, { status: 'open' }, { priceAmount: 12_900 }] as const;
    for (const body of changes) expect(await update('Pass', body)).toMatchObject(body);
    expect(await rejectionOf(update('Pass', { status: 'draft' }))).toEqual([
      400,
      'invalid_transition',
    ]);
    expect(await api.getTicketType({ client, path: ticket('Pass') })).toMatchObject({
      status: 'open',
      priceAmount: 12_900,
    });
  });

  test('sell a workshop as an add-on, alone and in a bundle', async () => {
    const wanted = { name: 'Workshop', priceAmount: 4000 };
    const workshop = await api.createAddon({ client, path, body: wanted });
    expect(workshop.status).toBe('draft');
    ids.Workshop = workshop.id;
    const addon = { ...path, id: workshop.id };
    const open = { status: 'open', description: 'Half a day' } as const;
    await api.updateAddon({ client, path: addon, body: open });
    expect(await api.getAddon({ client, path: addon })).toMatchObject(open);
    expect(names((await api.listAddons({ client, path })).addons)).toEqual(['Workshop']);

    const { id } = await api.createBundle({ client, path, body: { name: 'All in' } });
    ids['All in'] = id;
    const bundle = { ...path, id };
    const items = [
      { ...pass(), quantity: 1 },
      { itemType: 'addon' as const, itemId: workshop.id, quantity: 1 },
    ];
    expect(await api.replaceBundleItems({ client, path: bundle, body: items })).toMatchObject({
      id,
      items,
    });
    const price = { priceAmount: 15_000, status: 'open' } as const;
    expect(await api.updateBundle({ client, path: bundle, body: price })).toMatchObject(price);
    expect(await api.getBundle({ client, path: bundle })).toMatchObject({
      name: 'All in',
      items,
      ...price,
    });
    expect((await api.listBundles({ client, path })).bundles).toMatchObject([{ id, items }]);
  });

  test('create a venue with a perk, a session and a speaker', async () => {
    const { operator } = platform;
    const { id: perkId } = await operator.call(createPerk, { ...scope(), name: 'Lounge' });
    const perkIds = [perkId];
    const target = { targetType: 'addon', targetId: idOf('Workshop') } as const;
    await operator.call(bindPerk, { ...scope(), perkId, ...target });
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
    const at = ({ id }: { id: string }) => ({ client, path: { ...path, id } });
    expect(await api.getVenue(at(room))).toEqual(room);
    expect(await api.getSession(at(talk))).toEqual(talk);
    expect(await api.getSpeaker(at(grace))).toEqual(grace);
    const { venues } = await api.listVenues({ client, path });
    expect(venues).toMatchObject([{ id: room.id, perkIds }]);
    const { sessions } = await api.listSessions({ client, path });
    expect(sessions).toMatchObject([{ id: talk.id, title: 'On engines', venueId: room.id }]);
    const { speakers } = await api.listSpeakers({ client, path });
    expect(speakers).toMatchObject([{ name: 'Grace Hopper', sessionIds: [talk.id] }]);
    ids.Library = room.id;
  });

  test('register people: confirmed, repeated, waitlisted, and pending approval', async () => {
    const ada = await register('ada@example.com', 'Front row', { name: 'Ada' });
    expect(ada).toMatchObject({ status: 'confirmed', checkinCode: expect.stringMatching(/^CHK-/) });
    const again = { email: 'ADA@example.com', registrationTypeId: idOf('Front row') };
    expect(await api.createRegistration({ client, path, body: again })).toMatchObject({
      registration: { id: ada.id },
      created: false,
    });
    expect((await register('bob@example.com', 'Front row')).status).toBe('waitlisted');
    expect((await register('cleo@example.com', 'Press')).status).toBe('pending');
    expect((await register('dan@example.com', 'Press')).status).toBe('pending');
    const cleo = { client, path: person('cleo@example.com') };
    const named = { name: 'Cleo' };
    expect(await api.updateRegistration({ ...cleo, body: named })).toMatchObject(named);
    expect((await api.approveRegistration(cleo)).status).toBe('confirmed');
    expect(await rejectionOf(api.rejectRegistration(cleo))).toEqual([412, 'NOT_PENDING']);
    const dan = { client, path: person('dan@example.com') };
    const rejected = { status: 'rejected', rejectionReason: 'No desk' };
    const body = { reason: 'No desk' };
    expect(await api.rejectRegistration({ ...dan, body })).toMatchObject(rejected);
    expect(await api.getRegistration(dan)).toMatchObject(rejected);

    // The cancellation promotes the waitlisted registration.
    const cancelled = await api.cancelRegistration({ client, path: person('ada@example.com') });
    expect(cancelled).toMatchObject({ status: 'cancelled', cancelledAt: expect.any(String) });
    const query = { status: 'confirmed' } as const;
    const { registrations } = await api.listRegistrations({ client, path, query });
    expect(registrations.map(({ email }) => email)).toEqual([
      'cleo@example.com',
      'bob@example.com',
    ]);
    const front = { registrationTypeId: idOf('Front row'), email: 'BOB@example.com' };
    const waited = await api.listRegistrations({ client, path, query: { ...query, ...front } });
    expect(waited.registrations).toEqual([registrations[1]]);
    expect(await api.getAvailability({ client, path: ticket('Front row') })).toEqual({
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
    expect(await api.getForm({ client, path })).toMatchObject({ questions: [{ id: 'diet' }] });
    const text = 'Full refund until a week before the event.';
    await operator.call(setRefundPolicy, { ...scope(), text });
    expect(await api.getRefundPolicy({ client, path })).toMatchObject({ policy: { text } });
  });

  test('create redemption codes and disable one', async () => {
    const create = async (body: CreateRedemptionCodes) =>
      (await api.createRedemptionCodes({ client, path, body })).redemptionCodes;
    const lookUp = (code: string) => api.lookUpRedemptionCode({ client, path, query: { code } });
    const discount = { type: 'percent', value: 10 } as const;
    const wanted = { registrationTypeId: idOf('Pass'), code: 'Friends', maxUses: 2, discount };
    const [friends] = await create(wanted);
    expect(await rejectionOf(create({ ...wanted, code: 'FRIENDS' }))).toEqual([
      409,
      'already_exists',
    ]);
    expect(await lookUp('friends')).toMatchObject({
      registrationType: { id: idOf('Pass') },
      priceAmount: 12_900,
      discountedPriceAmount: 11_610,
      currency: 'JPY',
    });
    const batch = { registrationTypeId: idOf('Pass'), count: 2, label: 'Sponsors' };
    const [unused] = await create(batch);
    if (!unused) throw new Error('the batch has no code');
    const one = { client, path: { ...path, codeId: unused.id } };
    expect(await api.disableRedemptionCode(one)).toMatchObject({ status: 'disabled' });
    expect(await rejectionOf(lookUp(unused.code))).toEqual([404, undefined]);
    expect(await api.getRedemptionCode(one)).toEqual({ ...unused, status: 'disabled' });
    const { redemptionCodes } = await api.listRedemptionCodes({ client, path });
    expect(redemptionCodes).toHaveLength(3);
    expect(friends).toMatchObject({ code: 'Friends', uses: 0, status: 'active' });
  });

  test('take orders: free, paid and cancelled', async () => {
    const place = async (body: CreateOrder) => {
      const order = await api.placeOrder({ client, path, body });
      if (order.alreadyRegistered) throw new Error('the buyer is registered already');
      return order;
    };
    const orderPath = (orderNumber: string) => ({ client, path: { ...path, orderNumber } });
    const read = (orderId: string) => api.getOrder({ client, path: { ...path, orderId } });
    const press = { itemType: 'registration_type', itemId: idOf('Press') } as const;
    const free = await place({ email: 'erin@example.com', items: [press] });
    expect(free).toMatchObject({ status: 'held', totalAmount: 0, alreadyRegistered: false });
    const { id, status } = await api.confirmOrder(orderPath(free.orderNumber));
    expect([id, status]).toEqual([free.id, 'paid']);

    const allIn = { itemType: 'bundle', itemId: idOf('All in') } as const;
    const held = await place({ email: 'fay@example.com', items: [allIn] });
    expect(held.totalAmount).toBe(15_000);
    expect(await rejectionOf(api.confirmOrder(orderPath(held.id)))).toEqual([
      400,
      expect.anything(),
    ]);
    const awaiting = await api.confirmOrder({ ...orderPath(held.orderNumber), body: urls });
    expect(awaiting).toMatchObject({ status: 'awaiting_payment' });
    expect((await api.getAvailability({ client, path: ticket('Pass') })).held).toBe(1);
    await pay(awaiting.paymentUrl ?? '');
    const paid = await eventually(async () => {
      const order = await read(held.id);
      expect(order.status).toBe('paid');
      return order;
    });
    const [registrationId = ''] = paid.registrationIds;
    ids['fay@example.com'] = registrationId;
    // Sold items are unchanged, and the event keeps the currency of its first order.
    await api.updateTicketType({ client, path: ticket('Pass'), body: { priceAmount: 1 } });
    const inEuros = api.updateEvent({ client, path, body: { currency: 'EUR' } });
    expect(await rejectionOf(inEuros)).toEqual([412, 'CURRENCY_LOCKED']);

    const friend = { items: [pass()], redemptionCode: 'friends' };
    const gift = await place({ email: 'gil@example.com', ...friend });
    for (const _ of [1, 2]) {
      const order = await api.cancelOrder(orderPath(gift.orderNumber));
      expect(order.status).toBe('cancelled');
    }
    const { orders } = await api.listOrders({ client, path });
    expect(orders.map(({ status }) => status)).toEqual(['cancelled', 'paid', 'paid']);
    const query = { status: 'paid', email: 'FAY@example.com' } as const;
    expect((await api.listOrders({ client, path, query })).orders).toEqual([orders[1]]);
    const since = { updatedSince: orders[2]?.placedAt ?? '' };
    const changed = await api.listOrders({ client, path, query: since });
    expect(changed.orders).toEqual([orders[2], orders[1], orders[0]]);
    expect(orders[1]?.items).toMatchObject([{ name: 'All in', totalAmount: 15_000 }]);
  });

  test('check people in once per door, and behind a gate only with its perk', async () => {
    const scan = (body: CreateCheckin) => api.createCheckin({ client, path, body });
    const list = async (query: NonNullable<ListCheckinsData['query']>) =>
      (await api.listCheckins({ client, path, query })).checkins;
    const registrationId = idOf('fay@example.com');
    const fay = { client, path: person('fay@example.com') };
    const { checkinCode } = await api.getRegistration(fay);
    const { perks } = await api.getRegistrationPerks(fay);
    const badge = await api.getRegistrationBadge({ ...fay, query: { format: 'pdf' } });
    expect([badge.type, await badge.slice(0, 8).text()]).toEqual(['application/pdf', '%PDF-1.7']);
    expect(perks).toMatchObject([{ name: 'Lounge', sources: [{ type: 'addon' }] }]);
    for (const alreadyCheckedIn of [false, true]) {
      expect(await scan({ checkinCode, subjectType: 'event' })).toMatchObject({ alreadyCheckedIn });
    }
    const library = { subjectType: 'venue', subjectId: idOf('Library'), method: 'manual' } as const;
    const { checkin } = await scan({ registrationId, ...library });
    expect(checkin).toMatchObject({ registrationId, method: 'manual' });
    const cleo = scan({ registrationId: idOf('cleo@example.com'), ...library });
    expect(await rejectionOf(cleo)).toEqual([412, 'GATE_CLOSED']);
    const dan = { registrationId: idOf('dan@example.com'), subjectType: 'event' } as const;
    expect(await rejectionOf(scan(dan))).toEqual([412, 'NOT_CONFIRMED']);
    const [scanned, ...others] = await list({ registrationId });
    expect(others).toHaveLength(1);
    expect(await api.getCheckinSummary({ client, path })).toMatchObject({ checkedIn: 2 });
    const one = { client, path: { ...path, id: scanned?.id ?? '' } };
    expect(await api.getCheckin(one)).toEqual(scanned);
    const checkins = await list({ subjectType: 'venue', subjectId: idOf('Library') });
    expect(checkins).toEqual([checkin]);
    const time = '2027-05-10T09:00:00.000Z';
    const entrance = { subjectType: 'event', decision: 'admitted', scannedAt: time } as const;
    const scans = [
      { scanId: 'scan-1', checkinCode, ...entrance },
      { scanId: 'scan-2', registrationId: idOf('dan@example.com'), ...entrance },
    ];
    const body = { sentAt: time, scans };
    const { results } = await api.createCheckinBatch({ client, path, body });
    expect(results).toMatchObject([
      { result: 'already', checkin: { registrationId } },
      { result: 'overruled', reason: 'NOT_CONFIRMED' },
    ]);
    const wrongDoor = { client, path: { ...path, id: checkin.id } };
    const reason = 'Scanned at the wrong door.';
    const undone = await api.undoCheckin({ ...wrongDoor, body: { reason } });
    expect(undone).toMatchObject({ id: checkin.id, undoneAt: expect.any(String) });
    expect(await list({ registrationId })).toHaveLength(1);
    await scan({ registrationId, ...library });
  });

  test('pair a scanner for one door, which checks in there only', async () => {
    const venue = { subjectType: 'venue', subjectId: idOf('Library') } as const;
    const pairing = { ...scope(), name: 'Library', doors: [venue] };
    const { code } = await platform.operator.call(pairDevice, pairing);
    const body = { installationId: 'library-scanner-1' };
    const { token, device } = await api.pairDevice({ client: clientOf(code ?? ''), body });
    const scanner = clientOf(token);
    expect(await api.getDevice({ client: scanner })).toEqual(device);
    expect(device).toMatchObject({ event: { id: path.eventId }, doors: [{ name: 'Library' }] });
    const roster = await api.getRoster({ client: scanner, path });
    expect(roster).toMatchObject({ doors: [{ name: 'Library' }] });
    expect(roster.badges).toHaveLength(6);
    const state = { unsentScans: 2, rosterAgeMs: 500 };
    const report = await api.reportDevice({ client: scanner, path, body: state });
    expect(report.unsentScans).toBe(2);
    const activity = await platform.operator.call(listDeviceActivity, scope());
    expect(activity.devices).toMatchObject([{ id: device.id, report }]);
    const fay = { registrationId: idOf('fay@example.com') };
    const again = await api.createCheckin({ client: scanner, path, body: { ...fay, ...venue } });
    expect(again.alreadyCheckedIn).toBe(true);
    const entrance = { ...fay, subjectType: 'event' } as const;
    const missing = { ...fay, ...venue, subjectId: 'ven_01k8zq4m3ne7rbj5t2xw9vd6ah' };
    const errors = await Promise.all(
      [
        api.createCheckin({ client: scanner, path, body: entrance }),
        api.createCheckin({ client, path, body: missing }),
      ].map((call) =>
        call.catch((error: EventApiError) => [error.httpStatus, error.message, error.details]),
      ),
    );
    expect(errors[0]).toEqual([404, expect.any(String), expect.any(Array)]);
    expect(errors[0]).toEqual(errors[1]);
  });

  test('list attendees and exhibitors', async () => {
    const { attendees } = await api.listAttendees({ client, path });
    const status = Object.fromEntries(attendees.map(({ email, status }) => [email, status]));
    expect(status).toEqual({
      'ada@example.com': 'cancelled',
      'bob@example.com': 'confirmed',
      'cleo@example.com': 'confirmed',
      'dan@example.com': 'rejected',
      'erin@example.com': 'pending',
      'fay@example.com': 'confirmed',
    });
    const [attendee] = attendees;
    const one = { client, path: { ...path, id: attendee?.id ?? '' } };
    expect(await api.getAttendee(one)).toEqual(attendee);
    const { operator } = platform;
    const { id: exhibitorId } = await operator.call(exhibitors.createExhibitor, {
      ...scope(),
      name: 'Analytical Engines',
    });
    const exhibitor = { ...scope(), exhibitorId };
    const registrationId = idOf('bob@example.com');
    await operator.call(exhibitors.confirmExhibitor, exhibitor);
    await operator.call(exhibitors.addMember, { ...exhibitor, registrationId, role: 'Sales' });
    await operator.call(exhibitors.allocateBooth, { ...exhibitor, number: 'A12', type: 'corner' });
    const company = await api.getExhibitor({ client, path: { ...path, exhibitorId } });
    expect(company).toMatchObject({
      status: 'confirmed',
      members: [{ registrationId, role: 'Sales' }],
      booths: [{ number: 'A12', type: 'corner', venueId: null }],
    });
    const of = async (email: string) => {
      const query = { registrationId: idOf(email) };
      return (await api.listExhibitors({ client, path, query })).exhibitors;
    };
    expect(await of('bob@example.com')).toEqual([company]);
    expect(await of('fay@example.com')).toEqual([]);
  });

  test('change the time freely; a change of the date needs confirmation and clears the agenda', async () => {
    const update = (body: UpdateEvent) => api.updateEvent({ client, path, body });
    await update({ startsAt: '2027-05-10T23:30:00+02:00' });
    const move = { startsAt: '2027-05-11T00:30:00+02:00' };
    expect(await rejectionOf(update(move))).toEqual([412, 'AGENDA_RESET_UNCONFIRMED']);
    expect((await api.listSessions({ client, path })).sessions).toHaveLength(1);
    const moved = await update({ ...move, confirmAgendaReset: true });
    expect(moved.startsAt).toBe('2027-05-10T22:30:00.000Z');
    expect((await api.listSessions({ client, path })).sessions).toEqual([]);
    expect((await api.listVenues({ client, path })).venues).toHaveLength(1);
  });

  test('sell seats without names, assign one, let one be claimed and cancel the other', async () => {
    const items = [{ itemType: 'registration_type', itemId: idOf('Press'), quantity: 3 } as const];
    const placed = await api.placeOrder({
      client,
      path,
      body: { email: 'hal@example.com', items, assignLater: true },
    });
    if (placed.alreadyRegistered) throw new Error('the buyer is registered already');
    const order = { ...path, orderNumber: placed.orderNumber };
    const address = {
      line1: 'Rue Cuvier 12',
      postalCode: '75005',
      city: 'Paris',
      country: 'FR',
    } as const;
    const billing = { company: 'Hal SARL', address, vatId: 'fr 83 404 833 048' };
    const billed = await api.setOrderBilling({ client, path: order, body: { billing } });
    expect(billed.billing).toMatchObject({ company: 'Hal SARL', vatId: 'FR83404833048' });
    const { seats } = await api.confirmOrder({ client, path: order });
    expect(seats.map(({ status }) => status)).toEqual(['open', 'open', 'open']);
    const [first, second, third] = seats;
    if (!first || !second || !third) throw new Error('the order has no seats');
    const body = { email: 'ida@example.com', name: 'Ida Rhodes' };
    await api.assignSeat({ client, path: { ...order, seatId: first.id }, body });
    const link = await api.createClaimLink({ client, path: order, body: { seatId: third.id } });
    const holder = clientOf(link.claimToken ?? '');
    const offer = await api.getClaim({ client: holder });
    expect(offer.seats.map(({ id }) => id)).toEqual([third.id]);
    const claimed = { seatId: third.id };
    const claimant = { email: 'joy@example.com' };
    await api.assignClaimedSeat({ client: holder, path: claimed, body: claimant });
    await api.revokeClaimLink({ client, path: { ...order, claimLinkId: link.id } });
    expect(await rejectionOf(api.getClaim({ client: holder }))).toEqual([401, undefined]);
    const quoted = { dryRun: true, cancelSeats: [second.id] };
    const { quote } = await api.changeOrder({ client, path: order, body: quoted });
    const changed = await api.changeOrder({ client, path: order, body: { quoteId: quote.id } });
    expect(changed.order.seats.map(({ status }) => status)).toEqual([
      'assigned',
      'cancelled',
      'assigned',
    ]);
  });

  test('archive the event: reads succeed, new records are rejected', async () => {
    const archived = await api.archiveEvent({ client, path });
    expect(archived.status).toBe('archived');
    expect(await api.archiveEvent({ client, path })).toEqual(archived);
    const late = { email: 'late@example.com' };
    const registration = { ...late, registrationTypeId: idOf('Pass') };
    const attempts = [
      api.createTicketType({ client, path, body: { name: 'Too late' } }),
      api.createRegistration({ client, path, body: registration }),
      api.placeOrder({ client, path, body: { ...late, items: [pass()] } }),
    ];
    const rejections = await Promise.all(attempts.map(rejectionOf));
    expect(rejections).toEqual(attempts.map(() => [412, 'EVENT_ARCHIVED']));
    const rename = api.updateEvent({ client, path, body: { name: 'Other' } });
    expect(await rejectionOf(rename)).toEqual([400, 'invalid_transition']);
    expect((await api.listTicketTypes({ client, path })).ticketTypes).toHaveLength(3);
  });

  test('follow the changes up to the archive', async () => {
    const types: string[] = [];
    // Ends with the archive: the library has compared the digest of each page.
    for await (const page of api.changes({ client, from: start })) {
      types.push(...page.changes.map(({ type }) => type));
      if (types.includes('event.archived')) break;
    }
    const { sequence } = await api.getChangesHead({ client });
    expect(sequence - start.sequence).toBe(types.length);
  });

  test('receive the changes again over a webhook', async () => {
    const receiver = await startWebhookReceiver();
    const body = { url: receiver.url };
    const { id } = await api.createWebhookEndpoint({ client, body });
    const endpoint = { client, path: { endpointId: id } };
    await eventually(async () => {
      expect(await api.getWebhookEndpoint(endpoint)).toMatchObject({ status: 'enabled' });
    });
    await api.replayWebhookChanges({ ...endpoint, body: { from: 1, to: 2 } });
    await api.testWebhookEndpoint(endpoint);
    const types = () => receiver.received.map(({ body }) => JSON.parse(body).type);
    await eventually(() =>
      expect(types().toSorted()).toEqual(['event.created', 'event.published', 'ping', 'ping']),
    );
    const [delivery] = await eventually(async () => {
      const { deliveries } = await api.listWebhookDeliveries(endpoint);
      expect(deliveries).toHaveLength(4);
      return deliveries;
    });
    const attempt = { endpointId: id, deliveryId: delivery?.id ?? '' };
    const { request } = await api.getWebhookDelivery({ client, path: attempt });
    expect(receiver.received.map((each) => each.body)).toContain(request.body);
    const { secret } = await api.rotateWebhookSecret(endpoint);
    expect(secret).toMatch(/^whsec_/);
    await api.updateWebhookEndpoint({ ...endpoint, body: { status: 'disabled' } });
    const { webhookEndpoints } = await api.listWebhookEndpoints({ client });
    expect(webhookEndpoints).toMatchObject([{ id, status: 'disabled' }]);
    await receiver.close();
  });

  test('have called every operation of the API', () => {
    expect([...recorder.called].toSorted()).toEqual(operationsOf(document).toSorted());
  });
});
