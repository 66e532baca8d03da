import { maxEndpoints } from '@event-api/contracts/http/webhook-endpoints';
import { pairDevice } from '@event-api/contracts/operator/devices';
import {
  addMember,
  allocateBooth,
  createExhibitor,
} from '@event-api/contracts/operator/exhibitors';
import { setForm } from '@event-api/contracts/operator/forms';
import { bindPerk, createPerk } from '@event-api/contracts/operator/perks';
import { createSession, createSpeaker, createVenue } from '@event-api/contracts/operator/program';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import type { OperatorClient } from '@event-api/tools/admin/operator-client';
import { pay, urls } from '../fixtures/checkout.ts';
import { startWebhookReceiver } from '../fixtures/webhook-receiver.ts';
import { type Steps, stepsOf } from './steps.ts';

export interface JourneyOptions {
  /** Its exchanges become examples. */
  recorded: HttpClient;
  /** For requests that poll. */
  unrecorded: HttpClient;
  operator: OperatorClient;
  businessUnitId: string;
}

interface Journey {
  steps: Steps;
  operator: OperatorClient;
  scope: { businessUnitId: string; eventId: string };
  /** Path of the event. */
  path: string;
}

/** An id for each parameter of a path, by the preceding path segment. */
export type JourneyIds = Record<string, string>;

/**
 * One conference from draft to archive. It uses every operation and provokes the typical
 * rejections. The first response of each operation and status becomes the example in the reference,
 * so the order of requests matters. Errors: a response with an unexpected status.
 */
export async function runJourney(options: JourneyOptions): Promise<JourneyIds> {
  const { recorded, operator, businessUnitId } = options;
  const steps = stepsOf(recorded);
  const { id: eventId } = await planEvent(steps);
  await followChanges(steps, stepsOf(options.unrecorded));
  const webhooks = await manageWebhooks(steps, stepsOf(options.unrecorded));
  const path = `/v1/events/${eventId}`;
  const journey = { steps, operator, scope: { businessUnitId, eventId }, path };
  await informBuyers(journey);
  const goods = await createGoods(journey);
  const people = await registerPeople(journey, goods);
  const codes = await createCodes(journey, goods);
  const sale = await sell(journey, goods, { recorded, unrecorded: stepsOf(options.unrecorded) });
  await steps.post(`${path}/redemption-codes/${codes['redemption-codes']}/disable`);
  const program = await fillProgram(journey, goods, sale);
  const doors = await openDoors(journey, { ...people, ...sale, ...program });
  await useScanner(journey, recorded, program.venues);
  await archiveEvent(steps);
  return {
    events: eventId,
    ...webhooks,
    ...goods,
    ...people,
    ...codes,
    ...sale,
    ...program,
    ...doors,
  };
}

async function planEvent({ create, patch, get, expect }: Steps) {
  await expect(400, 'POST', '/v1/events', { name: '', timezone: 'Berlin' });
  const event = await create('/v1/events', {
    name: 'Spring Summit',
    timezone: 'Europe/Berlin',
    startsAt: '2027-05-10T09:00:00+02:00',
    endsAt: '2027-05-11T18:00:00+02:00',
  });
  const path = `/v1/events/${event.id}`;
  await patch(path, { status: 'published' });
  const move = { startsAt: '2027-05-12T09:00:00+02:00', endsAt: null };
  await expect(412, 'PATCH', path, move);
  await get(path);
  await get('/v1/events');
  return event as { id: string };
}

/** Reads the changes so far: the event was created and published. */
async function followChanges({ get, expect }: Steps, unrecorded: Steps): Promise<void> {
  await eventually(async () => {
    const { changes } = await unrecorded.get('/v1/changes?types=event.published&wait=5');
    if ((changes as unknown[]).length === 0) throw new Error('the feed is behind');
  });
  await get('/v1/changes/head');
  await get('/v1/changes?limit=2');
  await expect(400, 'GET', '/v1/changes?after=text');
  const other = '1.00000000-0000-4000-8000-000000000000.1.0000000000000000';
  const cursor = Buffer.from(other).toString('base64url');
  await expect(412, 'GET', `/v1/changes?after=${cursor}`);
}

/** Creates an endpoint, sends a ping and a change, replaces the secret and disables it. */
async function manageWebhooks({ create, post, patch, get, expect }: Steps, unrecorded: Steps) {
  const endpoints = '/v1/webhook-endpoints';
  const receiver = await startWebhookReceiver();
  await expect(400, 'POST', endpoints, { url: 'http://shop.example/webhooks' });
  const { id } = await create(endpoints, { url: receiver.url, types: ['order.paid'] });
  const path = `${endpoints}/${id}`;
  await eventually(async () => {
    const { status } = await unrecorded.get(path);
    if (status !== 'enabled') throw new Error(`the endpoint is ${status}`);
  });
  await get(path);
  await get(endpoints);
  const { deliveries } = await get(`${path}/deliveries`);
  const [delivery] = deliveries as { id: string }[];
  await get(`${path}/deliveries/${delivery?.id}`);
  await patch(path, { types: ['order.paid', 'order.refunded'] });
  await post(`${path}/rotate-secret`);
  await post(`${path}/test`);
  await post(`${path}/replay`, { from: 1, to: 2 });
  await expect(400, 'POST', `${path}/replay`, { from: 1, to: 1_000_000 });
  await unrecorded.patch(path, { status: 'disabled' });
  await expect(412, 'POST', `${path}/test`);
  await expect(412, 'POST', `${path}/replay`, { from: 1, to: 2 });
  await exceedEndpointLimit({ url: receiver.url }, path, { expect }, unrecorded);
  await receiver.close();
  return { 'webhook-endpoints': id as string, deliveries: delivery?.id ?? '' };
}

/**
 * Creates as many endpoints as a business unit may have, and provokes the rejection of one more and
 * of the disabled one.
 */
async function exceedEndpointLimit(
  body: { url: string },
  disabled: string,
  { expect }: Pick<Steps, 'expect'>,
  unrecorded: Steps,
): Promise<void> {
  const endpoints = '/v1/webhook-endpoints';
  const ids: string[] = [];
  while (ids.length < maxEndpoints) ids.push((await unrecorded.create(endpoints, body)).id);
  await expect(412, 'POST', endpoints, body);
  await expect(412, 'PATCH', disabled, { status: 'enabled' });
  for (const id of ids) await unrecorded.patch(`${endpoints}/${id}`, { status: 'disabled' });
}

/** Sets the form and the refund policy, which operators do, and reads them. */
async function informBuyers({ steps, operator, scope, path }: Journey): Promise<void> {
  const diet = { id: 'diet', label: 'Diet', type: 'text' as const, required: false };
  await operator.call(setForm, { ...scope, questions: [diet] });
  const text = 'Until two weeks before the event 80 % less 5 €, until a week before it half';
  const refundableUntil = '2027-05-03T09:00:00+02:00';
  const bands = [
    { daysBeforeStart: 14, percent: 80, fixedFee: 500 },
    { daysBeforeStart: 7, percent: 50 },
  ];
  await operator.call(setRefundPolicy, { ...scope, text, refundableUntil, bands });
  await steps.get(`${path}/form`);
  await steps.get(`${path}/refund-policy`);
}

/** Creates ticket types, an add-on that gives access to the lounge, and a bundle. */
async function createGoods({ steps, operator, scope, path }: Journey) {
  const { create, patch, get, expect } = steps;
  const types = `${path}/ticket-types`;
  await expect(400, 'POST', types, { name: 'Standard', capacity: 0, priceAmount: '25.00' });
  const bodies = {
    standard: { name: 'Standard', description: 'Both days', capacity: 200, priceAmount: 12_900 },
    workshop: { name: 'Workshop', capacity: 1, allowWaitlist: true },
    press: { name: 'Press', requiresApproval: true, isPublic: false },
    frontRow: { name: 'Front row', capacity: 1 },
  };
  const ids: Record<string, string> = {};
  for (const [key, body] of Object.entries(bodies)) {
    const { id } = await create(types, body);
    await patch(`${types}/${id}`, { status: 'open' });
    ids[key] = id;
  }
  await expect(400, 'PATCH', `${types}/${ids.standard}`, { status: 'draft' });
  const addon = { name: 'Speakers dinner', description: 'Three courses', priceAmount: 4500 };
  const { id: dinner } = await create(`${path}/addons`, addon);
  await patch(`${path}/addons/${dinner}`, { status: 'open' });
  await get(`${path}/addons/${dinner}`);
  await get(`${path}/addons`);
  const items = [
    { itemType: 'registration_type', itemId: ids.standard, quantity: 1 },
    { itemType: 'addon', itemId: dinner, quantity: 1 },
  ];
  const { id: bundle } = await create(`${path}/bundles`, { name: 'All inclusive', items });
  await patch(`${path}/bundles/${bundle}`, { priceAmount: 15_900, status: 'open' });
  await expect(200, 'PUT', `${path}/bundles/${bundle}/items`, items);
  await get(`${path}/bundles/${bundle}`);
  await get(`${path}/bundles`);
  const perk = await operator.call(createPerk, { ...scope, name: 'Lounge access' });
  const binding = { perkId: perk.id, targetType: 'addon' as const, targetId: dinner };
  await operator.call(bindPerk, { ...scope, ...binding });
  const { standard = '', ...others } = ids;
  return { ...others, 'ticket-types': standard, addons: dinner, bundles: bundle, perk: perk.id };
}

type Goods = Awaited<ReturnType<typeof createGoods>> & Record<string, string>;

/**
 * Creates confirmed, repeated, waitlisted, pending, approved, rejected and cancelled registrations.
 */
async function registerPeople({ steps, path }: Journey, goods: Goods) {
  const { create, post, patch, get, expect } = steps;
  const registrations = `${path}/registrations`;
  const register = async (email: string, registrationTypeId = '', name?: string, more = {}) =>
    (await create(registrations, { email, name, registrationTypeId, ...more })).registration
      .id as string;
  const { 'ticket-types': standard, workshop, press, frontRow } = goods;
  const responses = { diet: 'vegetarian' };
  const ada = await register('ada@example.com', standard, 'Ada Lovelace', { responses });
  await post(registrations, { email: 'ada@example.com', registrationTypeId: standard });
  await register('vera@example.com', frontRow, 'Vera Rubin');
  const late = { email: 'late@example.com', registrationTypeId: frontRow };
  await expect(412, 'POST', registrations, late);
  const barbara = await register('barbara@example.com', workshop, 'Barbara Liskov');
  await register('edsger@example.com', workshop, 'Edsger Dijkstra');
  const grace = await register('grace@example.com', press, 'Grace Hopper');
  const alan = await register('alan@example.com', press, 'Alan Turing');
  await post(`${registrations}/${grace}/approve`);
  await expect(412, 'POST', `${registrations}/${grace}/approve`);
  await post(`${registrations}/${alan}/reject`, { reason: 'All places for the press are taken.' });
  await expect(412, 'POST', `${registrations}/${alan}/reject`, {});
  await patch(`${registrations}/${grace}`, {
    email: 'katherine@example.com',
    name: 'Katherine Johnson',
  });
  const taken = { email: 'ada@example.com' };
  await expect(412, 'PATCH', `${registrations}/${grace}`, taken);
  await post(`${registrations}/${barbara}/cancel`);
  const expected = { status: 'confirmed' };
  await expect(412, 'POST', `${registrations}/${barbara}/cancel`, { expected });
  await get(`${registrations}/${ada}`);
  await get(`${registrations}/${ada}/badge`);
  await expect(412, 'GET', `${registrations}/${barbara}/badge`);
  await get(registrations);
  const { attendees } = await get(`${path}/attendees`);
  await get(`${path}/attendees/${attendees[0].id}`);
  for (const rest of ['', '/availability']) await get(`${path}/ticket-types/${standard}${rest}`);
  await get(`${path}/ticket-types`);
  return { registrations: ada, attendees: attendees[0].id as string };
}

async function createCodes({ steps, path }: Journey, goods: Goods) {
  const { create, get, expect } = steps;
  const codes = `${path}/redemption-codes`;
  const friends = {
    registrationTypeId: goods['ticket-types'],
    code: 'FRIENDS-10',
    label: 'Friends of the speakers',
    maxUses: 50,
    discount: { type: 'percent', value: 10 },
  };
  const { redemptionCodes } = await create(codes, friends);
  await expect(409, 'POST', codes, friends);
  await expect(400, 'POST', codes, { ...friends, discount: { type: 'percent', value: 110 } });
  await get(`${codes}/lookup?code=friends-10`);
  await expect(404, 'GET', `${codes}/lookup?code=UNKNOWN`);
  await get(`${codes}/${redemptionCodes[0].id}`);
  await get(codes);
  return { 'redemption-codes': redemptionCodes[0].id as string };
}

/**
 * Creates an order that is paid on the payment page, one that is rejected, and one that is
 * cancelled.
 */
async function sell(
  { steps, path }: Journey,
  goods: Goods,
  { recorded, unrecorded }: { recorded: HttpClient; unrecorded: Steps },
) {
  const { create, post, get, expect } = steps;
  const orders = `${path}/orders`;
  const ticket = (itemId = goods['ticket-types']) => ({ itemType: 'registration_type', itemId });
  const items = [ticket(), { itemType: 'addon', itemId: goods.addons }];
  const margaret = { email: 'margaret@example.com', name: 'Margaret Hamilton' };
  await expect(400, 'POST', orders, { ...margaret, items: [{ ...ticket(), quantity: 0 }] });
  const order = await create(orders, { ...margaret, redemptionCode: 'FRIENDS-10', items });
  await post(orders, { email: 'ada@example.com', items: [ticket()] });
  const late = { email: 'late@example.com', items: [ticket(goods.frontRow)] };
  await expect(412, 'POST', orders, late);
  const confirmation = `${orders}/${order.orderNumber}/confirm`;
  await expect(400, 'POST', confirmation, {});
  const { paymentUrl } = await post(confirmation, urls);
  await pay(paymentUrl);
  await eventually(async () => {
    const { status } = await unrecorded.get(`${orders}/${order.id}`);
    if (status !== 'paid') throw new Error(`the order is ${status}`);
  });
  const paid = await get(`${orders}/${order.id}`);
  await expect(412, 'POST', `${orders}/${order.orderNumber}/cancel`);
  const changes = `${orders}/${order.orderNumber}/changes`;
  await expect(400, 'POST', changes, {});
  await post(changes, { dryRun: true, cancelSeats: [paid.seats[0].id] });
  const joan = { email: 'joan@example.com', name: 'Joan Clarke', items };
  const { orderNumber, seats: heldSeats } = await create(orders, joan);
  const address = { line1: 'Parkstrasse 7', postalCode: '1010', city: 'Wien', country: 'AT' };
  const billing = { company: 'Clarke GmbH', address, vatId: 'ATU12345678' };
  await expect(200, 'PUT', `${orders}/${orderNumber}/billing`, { billing });
  const malformed = { billing: { ...billing, vatId: 'ATU1' } };
  await expect(400, 'PUT', `${orders}/${orderNumber}/billing`, malformed);
  await post(`${orders}/${orderNumber}/cancel`);
  await expect(412, 'PUT', `${orders}/${orderNumber}/billing`, { billing: null });
  const unpaid = { dryRun: true, cancelSeats: [heldSeats[0].id] };
  await expect(412, 'POST', `${orders}/${orderNumber}/changes`, unpaid);
  await expect(412, 'POST', `${orders}/${orderNumber}/confirm`, urls);
  await get(orders);
  const seats = await assignSeat({ steps, path }, ticket(), { recorded, unrecorded });
  return { orders: order.id as string, buyer: paid.registrationIds[0] as string, ...seats };
}

/** Buys two open seats, assigns one of them, and claims the other one. Returns their ids. */
async function assignSeat(
  { steps, path }: Pick<Journey, 'steps' | 'path'>,
  ticket: object,
  { recorded, unrecorded }: { recorded: HttpClient; unrecorded: Steps },
) {
  const { post, expect } = steps;
  const orders = `${path}/orders`;
  const items = [{ ...ticket, quantity: 2 }];
  const annie = { email: 'annie@example.com', items, assignLater: true };
  const { id } = await unrecorded.create(orders, annie);
  const { paymentUrl } = await unrecorded.post(`${orders}/${id}/confirm`, urls);
  await pay(paymentUrl);
  const [seat, open] = await eventually(async () => {
    const { status, seats } = await unrecorded.get(`${orders}/${id}`);
    if (status !== 'paid') throw new Error(`the order is ${status}`);
    return seats;
  });
  const assignment = `${orders}/${id}/seats/${seat.id}/assign`;
  const karen = { email: 'karen@example.com', name: 'Karen Sparck Jones' };
  await expect(400, 'POST', assignment, { ...karen, email: 'karen' });
  await post(assignment, karen);
  await expect(412, 'POST', assignment, { email: 'katherine@example.com' });
  const link = await claimSeat(`${orders}/${id}`, open.id, { steps, recorded });
  return { seats: seat.id as string, claims: open.id as string, 'claim-links': link };
}

/** Creates a claim link, takes a seat with its token, and revokes it. Returns the id of the link. */
async function claimSeat(
  order: string,
  seatId: string,
  { steps: { post, expect }, recorded }: Pick<Journey, 'steps'> & { recorded: HttpClient },
): Promise<string> {
  const links = `${order}/claim-links`;
  await expect(400, 'POST', links, { pageUrl: 'http://tickets.example.com/seats' });
  const { id, claimToken } = await post(links, { pageUrl: 'https://tickets.example.com/seats' });
  const person = withCredential(recorded, claimToken);
  await person.expect(400, 'GET', '/v1/claims?unexpected=1');
  await person.get('/v1/claims');
  const assignment = `/v1/claims/${seatId}/assign`;
  await person.expect(400, 'POST', assignment, { email: 'radia' });
  await person.expect(404, 'POST', '/v1/claims/seat_01k8zq4m3ne7rbj5t2xw9vd6ah_1/assign', {});
  await person.post(assignment, { email: 'radia@example.com', name: 'Radia Perlman' });
  await person.expect(412, 'POST', assignment, { email: 'frances@example.com' });
  await expect(412, 'POST', links, {});
  await expect(400, 'POST', `${links}/${id}/revoke?unexpected=1`);
  await post(`${links}/${id}/revoke`);
  return id;
}

/** Creates the records that operators enter: a venue, a session, a speaker and an exhibitor. */
async function fillProgram(
  { steps, operator, scope, path }: Journey,
  goods: Goods,
  { buyer }: { buyer: string },
) {
  const perkIds = [goods.perk];
  const venue = await operator.call(createVenue, { ...scope, name: 'Lounge', perkIds });
  const session = await operator.call(createSession, {
    ...scope,
    title: 'Opening keynote',
    startsAt: '2027-05-10T09:30:00+02:00',
    endsAt: '2027-05-10T10:30:00+02:00',
  });
  const speaker = await operator.call(createSpeaker, {
    ...scope,
    name: 'Margaret Hamilton',
    title: 'Software engineer',
    registrationId: buyer,
    sessionIds: [session.id],
  });
  const website = 'https://engines.example.com';
  const company = { ...scope, name: 'Analytical Engines', website };
  const { id: exhibitorId } = await operator.call(createExhibitor, company);
  const member = { registrationId: buyer, role: 'Sales' };
  await operator.call(addMember, { ...scope, exhibitorId, ...member });
  await operator.call(allocateBooth, { ...scope, exhibitorId, number: 'A12', type: 'corner' });
  for (const list of ['sessions', 'speakers', 'venues', 'exhibitors']) {
    await steps.get(`${path}/${list}`);
  }
  const ids = {
    venues: venue.id,
    sessions: session.id,
    speakers: speaker.id,
    exhibitors: exhibitorId,
  };
  for (const [list, id] of Object.entries(ids)) await steps.get(`${path}/${list}/${id}`);
  return ids;
}

/** The cursor of a roster before its last rebuild. */
function ofOtherEpoch(cursor: unknown): string {
  const [name, , ...key] = JSON.parse(Buffer.from(String(cursor), 'base64url').toString());
  return Buffer.from(JSON.stringify([name, 'before', ...key])).toString('base64url');
}

async function openDoors(
  { steps, path }: Journey,
  { registrations, buyer, venues }: { registrations: string; buyer: string; venues: string },
) {
  const { create, post, get, expect } = steps;
  const checkins = `${path}/checkins`;
  const lounge = { subjectType: 'venue', subjectId: venues };
  await get(`${path}/registrations/${buyer}/perks`);
  await expect(400, 'POST', checkins, { subjectType: 'session' });
  const entrance = { registrationId: buyer, subjectType: 'event' };
  const { checkin } = await create(checkins, entrance);
  await post(checkins, entrance);
  await expect(412, 'POST', checkins, { registrationId: registrations, ...lounge });
  await create(checkins, { registrationId: buyer, ...lounge, method: 'manual' });
  await get(`${checkins}/${checkin.id}`);
  await get(`${checkins}/summary`);
  const roster = await get(`${checkins}/roster`);
  await expect(412, 'GET', `${checkins}/roster?cursor=${ofOtherEpoch(roster.nextCursor)}`);
  await get(checkins);
  const scan = {
    subjectType: 'event',
    decision: 'admitted',
    scannedAt: '2027-05-10T09:00:00.000Z',
  };
  await post(`${checkins}/batch`, {
    sentAt: '2027-05-10T09:00:05.000Z',
    scans: [
      { scanId: 'scan-0001', registrationId: buyer, ...scan },
      { scanId: 'scan-0002', registrationId: buyer, ...scan, decision: 'refused' },
      { scanId: 'scan-0003', checkinCode: 'CHK-UNKNOWN', ...scan },
    ],
  });
  await post(`${checkins}/${checkin.id}/undo`, {
    reason: 'The neighbour of the attendee was scanned.',
  });
  return { checkins: checkin.id as string };
}

/** Pairs a scanner for a door, which reads what it may do. */
async function useScanner(
  { operator, scope }: Journey,
  recorded: HttpClient,
  venueId: string,
): Promise<void> {
  const { code } = await operator.call(pairDevice, {
    ...scope,
    name: 'Lounge, left',
    doors: [{ subjectType: 'venue', subjectId: venueId }],
  });
  const { expect } = withCredential(recorded, code);
  await expect(400, 'POST', '/v1/device/pair', { installationId: 'short' });
  const { token } = await expect(200, 'POST', '/v1/device/pair', {
    installationId: 'qI4xZ0bTn7Wc9dLk',
  });
  const device = withCredential(recorded, token);
  await device.expect(400, 'GET', '/v1/device?unexpected=1');
  await device.get('/v1/device');
  const report = `/v1/events/${scope.eventId}/checkins/device`;
  await device.expect(200, 'PUT', report, { unsentScans: 3, rosterAgeMs: 12_000 });
  await device.expect(400, 'PUT', report, { unsentScans: -1 });
  await device.expect(404, 'PUT', '/v1/events/evt_01k8zq4m3ne7rbj5t2xw9vd6ah/checkins/device', {
    unsentScans: 0,
  });
}

/** Steps with the credential of a device in place of the key. */
const withCredential = (call: HttpClient, secret: string | null): Steps =>
  stepsOf((method, path, options = {}) =>
    call(method, path, {
      ...options,
      headers: { ...options.headers, authorization: `Bearer ${secret}` },
    }),
  );

/** Archives the event, which then accepts no new records. */
async function archiveEvent({ create, post, expect }: Steps): Promise<void> {
  const { id } = await create('/v1/events', { name: 'Winter Summit', timezone: 'Europe/Berlin' });
  const path = `/v1/events/${id}`;
  const type = await create(`${path}/ticket-types`, { name: 'Standard' });
  await post(`${path}/archive`);
  for (const [collection, body] of [
    ['ticket-types', { name: 'Late' }],
    ['addons', { name: 'Late' }],
    ['bundles', { name: 'Late' }],
    ['redemption-codes', { registrationTypeId: type.id }],
  ] as const) {
    await expect(412, 'POST', `${path}/${collection}`, body);
  }
}
