import type { Operation } from '@event-api/contracts/operation';
import { pairDevice } from '@event-api/contracts/operator/devices';
import {
  addMember,
  allocateBooth,
  confirmExhibitor,
  createExhibitor,
} from '@event-api/contracts/operator/exhibitors';
import { setForm } from '@event-api/contracts/operator/forms';
import { createKey } from '@event-api/contracts/operator/keys';
import { bindPerk, createPerk } from '@event-api/contracts/operator/perks';
import { createSession, createSpeaker, createVenue } from '@event-api/contracts/operator/program';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { createUnit } from '@event-api/contracts/operator/units';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { type Steps, stepsOf } from '../examples/steps.ts';
import { type Body, pay, urls } from '../fixtures/checkout.ts';
import type { PlatformFixture } from '../fixtures/platform.ts';

/** Text that runs a script if a page takes it for markup. */
export const hostile = '<img src=x onerror="window.isHacked=true">';

/** Hostile texts that only one record has. */
export const hostileTexts = {
  refundReason: `Wrong size ${hostile}`,
  codeLabel: `Press ${hostile}`,
  website: `https://engines.example/${hostile}`,
  rosterRole: `Host ${hostile}`,
  deviceName: `North ${hostile}`,
  rejectionReason: `No student ${hostile}`,
  undoReason: `Wrong person ${hostile}`,
} as const;

/**
 * An event on sale with records of each kind. Every text of them that is not tested by its name is
 * hostile.
 */
export interface Conference {
  unitId: string;
  eventId: string;
  /** Requests of an integrator. */
  steps: Steps;
  /** Path of the event in the API. */
  path: string;
  /** The ticket type that costs €25.00. */
  seatId: string;
  /** The order of Olga: two seats at €25.00, paid. */
  orderId: string;
  /** The order of Rita: one seat, paid, of which €10.00 were refunded. */
  refundedOrderId: string;
  /** Linus, whose registration was rejected. */
  rejectedId: string;
  /** Grace, whose registration is pending. */
  pendingId: string;
}

export async function createConference(platform: PlatformFixture): Promise<Conference> {
  const { id: unitId } = await platform.operator.call(createUnit, { name: `Acme ${hostile}` });
  const key = await platform.operator.call(createKey, {
    businessUnitId: unitId,
    name: `Shop ${hostile}`,
    rateLimitPerMinute: 100_000,
  });
  const authorization = `Bearer ${key.secret}`;
  const steps = stepsOf(httpClient(platform.baseUrl, { authorization }));
  const event = await steps.create('/v1/events', {
    name: `Summit ${hostile}`,
    timezone: 'Europe/Berlin',
    startsAt: '2027-05-10T09:00:00+02:00',
    endsAt: '2027-05-11T18:00:00+02:00',
  });
  const eventId = String((event as Body).id);
  const path = `/v1/events/${eventId}`;
  await steps.patch(path, { status: 'published' });
  const command = (operation: Operation, input: object): Promise<Body> =>
    platform.operator.callUnchecked(operation, {
      businessUnitId: unitId,
      eventId,
      ...input,
    }) as never;
  const seatId = await createItems(steps, path);
  const exhibitorId = await createProgram(command, seatId);
  const { adaId, ...people } = await register(steps, path, seatId);
  const [orderId, refundedOrderId] = await Promise.all([
    sell(steps, { path, seatId, names: ['Olga', 'Otto'] }),
    sell(steps, { path, seatId, names: ['Rita'] }),
    staff(command, { exhibitorId, registrationId: adaId }),
    undoCheckin(steps, path, adaId),
    command(pairDevice, {
      name: hostileTexts.deviceName,
      doors: [{ subjectType: 'event', subjectId: eventId }],
    }),
    steps.create('/v1/webhook-endpoints', { url: 'https://shop.example/webhooks' }),
  ]);
  const refund = { orderId: refundedOrderId, amount: 1000, reason: hostileTexts.refundReason };
  await command(refundOrder, refund);
  return { unitId, eventId, steps, path, seatId, orderId, refundedOrderId, ...people };
}

/**
 * Two ticket types on sale, an add-on, a bundle and a code. Returns the id of the one that costs
 * €25.00.
 */
async function createItems({ create, patch }: Steps, path: string): Promise<string> {
  const description = `About it ${hostile}`;
  const put = async (folder: string, item: object): Promise<string> => {
    const { id } = (await create(`${path}/${folder}`, { description, ...item })) as Body;
    await patch(`${path}/${folder}/${id}`, { status: 'open' });
    return id;
  };
  const seatId = await put('ticket-types', { name: 'Seat', capacity: 20, priceAmount: 2500 });
  await put('ticket-types', { name: `Student ${hostile}`, requiresApproval: true });
  await put('addons', { name: `Workshop ${hostile}`, priceAmount: 1000 });
  const items = [{ itemType: 'registration_type', itemId: seatId, quantity: 2 }];
  await put('bundles', { name: `Pair ${hostile}`, items });
  const code = { registrationTypeId: seatId, label: hostileTexts.codeLabel };
  await create(`${path}/redemption-codes`, code);
  return seatId;
}

type Command = (operation: Operation, input: object) => Promise<Body>;

/**
 * A perk with a gate that no ticket opens, a session, a speaker, an exhibitor, a form and a policy.
 * Returns the id of the exhibitor.
 */
async function createProgram(command: Command, seatId: string): Promise<string> {
  const lounge = await command(createPerk, { name: `Lounge ${hostile}`, description: hostile });
  const meal = await command(createPerk, { name: 'Meal' });
  const targetType = 'registration_type';
  await command(bindPerk, { perkId: meal.id, targetType, targetId: seatId });
  const venue = await command(createVenue, {
    name: `Hall ${hostile}`,
    description: hostile,
    perkIds: [lounge.id],
  });
  const session = await command(createSession, {
    title: `Keynote ${hostile}`,
    description: hostile,
    startsAt: '2027-05-10T10:00:00+02:00',
    endsAt: '2027-05-10T11:00:00+02:00',
    venueId: venue.id,
  });
  await command(createSpeaker, {
    name: `Barbara ${hostile}`,
    title: hostile,
    bio: hostile,
    sessionIds: [session.id],
  });
  const exhibitor = await command(createExhibitor, {
    name: `Engines ${hostile}`,
    description: hostile,
    website: hostileTexts.website,
  });
  const exhibitorId = exhibitor.id;
  await command(confirmExhibitor, { exhibitorId });
  await command(allocateBooth, { exhibitorId, number: `A1 ${hostile}`, type: hostile });
  const question = { id: 'diet', label: `Diet ${hostile}`, type: 'choice', required: false };
  await command(setForm, { questions: [{ ...question, options: [hostile, 'None'] }] });
  await command(setRefundPolicy, { text: `Refunds ${hostile}`, refundableUntil: null });
  return exhibitorId;
}

/**
 * A confirmed person with a hostile name and answer, one who waits for an approval, and one who was
 * rejected.
 */
async function register({ create, get, post }: Steps, path: string, seatId: string) {
  const { ticketTypes } = (await get(`${path}/ticket-types`)) as Body;
  const student = ticketTypes.find(({ name }: Body) => name.startsWith('Student'));
  const put = async (person: object): Promise<string> => {
    const { registration } = (await create(`${path}/registrations`, person)) as Body;
    return registration.id;
  };
  const adaId = await put({
    email: 'ada@example.com',
    name: `Ada ${hostile}`,
    registrationTypeId: seatId,
    responses: { diet: hostile },
  });
  const ofStudent = { registrationTypeId: student.id };
  const grace = { email: 'grace@example.com', name: 'Grace Hopper', ...ofStudent };
  const pendingId = await put(grace);
  const linus = { email: 'linus@example.com', name: `Linus ${hostile}`, ...ofStudent };
  const rejectedId = await put(linus);
  const reason = hostileTexts.rejectionReason;
  await post(`${path}/registrations/${rejectedId}/reject`, { reason });
  return { adaId, pendingId, rejectedId };
}

/** Puts a person on the roster of an exhibitor. */
const staff = (command: Command, member: { exhibitorId: string; registrationId: string }) =>
  command(addMember, { ...member, role: hostileTexts.rosterRole });

/** Checks a person in by mistake. */
async function undoCheckin({ create, post }: Steps, path: string, registrationId: string) {
  const { checkin } = await create(`${path}/checkins`, { registrationId, subjectType: 'event' });
  await post(`${path}/checkins/${checkin.id}/undo`, { reason: hostileTexts.undoReason });
}

/**
 * Sells a seat to each person, of whom the first one has a hostile name and pays, and waits for the
 * payment.
 */
function sell(
  steps: Steps,
  {
    path,
    seatId,
    names: [buyer = '', ...others],
  }: { path: string; seatId: string; names: string[] },
): Promise<string> {
  const email = (name: string) => `${name.toLowerCase()}@example.com`;
  return sellSeats(steps, path, {
    email: email(buyer),
    name: `${buyer} ${hostile}`,
    responses: { diet: hostile },
    items: [
      {
        itemType: 'registration_type',
        itemId: seatId,
        quantity: 1 + others.length,
        attendees: [
          { email: email(buyer), name: `${buyer} ${hostile}` },
          ...others.map((name) => ({ email: email(name), name })),
        ],
      },
    ],
  });
}

/** Places an order, pays for it, and waits until it is paid. Returns its id. */
export async function sellSeats(steps: Steps, path: string, order: object): Promise<string> {
  const { id } = (await steps.create(`${path}/orders`, order)) as Body;
  const { paymentUrl } = (await steps.post(`${path}/orders/${id}/confirm`, urls)) as Body;
  await pay(paymentUrl);
  await eventually(async () => {
    const { status } = (await steps.get(`${path}/orders/${id}`)) as Body;
    if (status !== 'paid') throw new Error(`the order is ${status}`);
  });
  return String(id);
}
