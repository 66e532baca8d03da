import type { Operation } from '@event-api/contracts/operation';
import {
  allocateBooth,
  confirmExhibitor,
  createExhibitor,
} from '@event-api/contracts/operator/exhibitors';
import { setForm } from '@event-api/contracts/operator/forms';
import { createKey } from '@event-api/contracts/operator/keys';
import { bindPerk, createPerk } from '@event-api/contracts/operator/perks';
import { createSession, createSpeaker, createVenue } from '@event-api/contracts/operator/program';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { createUnit } from '@event-api/contracts/operator/units';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { type Steps, stepsOf } from '../examples/steps.ts';
import { type Body, pay, urls } from '../fixtures/checkout.ts';
import type { PlatformFixture } from '../fixtures/platform.ts';

/** Text that runs a script if a page takes it for markup. */
export const hostile = '<img src=x onerror="window.isHacked=true">';

/** An event on sale with records of each kind. Every text of them that is not tested by its name is hostile. */
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
  await createProgram(command, seatId);
  const pendingId = await register(steps, path, seatId);
  const orderId = await sell(steps, path, seatId);
  await steps.create('/v1/webhook-endpoints', { url: 'https://shop.example/webhooks' });
  return { unitId, eventId, steps, path, seatId, orderId, pendingId };
}

/** Two ticket types on sale, an add-on, a bundle and a code. Returns the id of the one that costs €25.00. */
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
  await create(`${path}/bundles`, { name: `Pair ${hostile}`, description, items });
  await create(`${path}/redemption-codes`, { registrationTypeId: seatId });
  return seatId;
}

/** A perk with a gate that no ticket opens, a session, a speaker, an exhibitor, a form and a policy. */
async function createProgram(
  command: (operation: Operation, input: object) => Promise<Body>,
  seatId: string,
): Promise<void> {
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
  });
  const exhibitorId = exhibitor.id;
  await command(confirmExhibitor, { exhibitorId });
  await command(allocateBooth, { exhibitorId, number: `A1 ${hostile}`, type: hostile });
  const question = { id: 'diet', label: `Diet ${hostile}`, type: 'choice', required: false };
  await command(setForm, { questions: [{ ...question, options: [hostile, 'None'] }] });
  await command(setRefundPolicy, { text: `Refunds ${hostile}`, refundableUntil: null });
}

/** A confirmed person with a hostile name and answer, and one who waits for an approval. Returns the id of the latter. */
async function register({ create, get, post }: Steps, path: string, seatId: string) {
  const { ticketTypes } = (await get(`${path}/ticket-types`)) as Body;
  const student = ticketTypes.find(({ name }: Body) => name.startsWith('Student'));
  await create(`${path}/registrations`, {
    email: 'ada@example.com',
    name: `Ada ${hostile}`,
    registrationTypeId: seatId,
    responses: { diet: hostile },
  });
  const grace = await create(`${path}/registrations`, {
    email: 'grace@example.com',
    name: 'Grace Hopper',
    registrationTypeId: student.id,
  });
  const linus = (await create(`${path}/registrations`, {
    email: 'linus@example.com',
    name: `Linus ${hostile}`,
    registrationTypeId: student.id,
  })) as Body;
  await post(`${path}/registrations/${linus.registration.id}/reject`, { reason: hostile });
  return String((grace as Body).registration.id);
}

/** Sells two seats to Olga, and waits for the payment. */
const sell = (steps: Steps, path: string, itemId: string): Promise<string> =>
  sellSeats(steps, path, {
    email: 'olga@example.com',
    name: `Olga ${hostile}`,
    responses: { diet: hostile },
    items: [
      {
        itemType: 'registration_type',
        itemId,
        quantity: 2,
        attendees: [
          { email: 'olga@example.com', name: `Olga ${hostile}` },
          { email: 'otto@example.com', name: 'Otto' },
        ],
      },
    ],
  });

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
