import { expect, test } from 'vitest';
import {
  call,
  currentEvent,
  eventPath,
  scope,
  service,
  typeId,
  useRegistration,
} from '../context.ts';
import { createTestTicketType, someEmail } from '../fixtures.ts';
import { register, succeeded } from '../projection-fixtures.ts';
import { orders } from './orders.ts';

useRegistration({ ticketType: { capacity: 1, allowWaitlist: true, priceAmount: 2500 } });

const { seat, reservationInput, reserve, fulfil, release, availability, read } =
  orders(currentEvent);

const join = () => register(call, scope, { registrationTypeId: typeId });
const patch = (id: string, body: object) =>
  call('PATCH', `${eventPath}/registrations/${id}`, { body });
const orderFor = (email: string) => reservationInput([seat(typeId, email)], { price: 'charged' });

/** A registration that has an offer, and the next one on the waitlist. */
async function createOffer() {
  const [seated, offered, next] = [await join(), await join(), await join()];
  succeeded(await call('POST', `${eventPath}/registrations/${seated.id}/cancel`));
  expect((await read(offered.id)).offerExpiresAt).toMatch(/Z$/);
  return { offered, next };
}

test('a transfer keeps the offer, which an order for the new email takes', async () => {
  const { offered } = await createOffer();
  const email = someEmail();
  const { offerExpiresAt } = await read(offered.id);
  const transferred = succeeded(await patch(offered.id, { email }));
  expect(transferred).toMatchObject({ status: 'waitlisted', offerExpiresAt });
  const order = orderFor(email);
  expect(await reserve(order)).toMatchObject({ outcome: 'reserved' });
  const { seats } = await fulfil(order);
  expect(seats).toEqual([{ registrationId: offered.id, created: true, status: 'confirmed' }]);
  expect(await read(offered.id)).toMatchObject({ status: 'confirmed', email });
});

test('while an order has taken the offer, email and ticket type cannot change', async () => {
  const { offered } = await createOffer();
  const other = await createTestTicketType(service.sql, scope);
  const order = orderFor(offered.email);
  await reserve(order);
  for (const body of [{ email: someEmail() }, { registrationTypeId: other }]) {
    const { status, body: rejected } = await patch(offered.id, body);
    expect([status, rejected.error?.details]).toEqual([412, [{ reason: 'OFFER_TAKEN' }]]);
  }
  expect(succeeded(await patch(offered.id, { name: 'Ada' })).name).toBe('Ada');
  await release(order);
  expect(succeeded(await patch(offered.id, { email: someEmail() })).status).toBe('waitlisted');
});

test('another ticket type gives up the offer, which goes to the next registration', async () => {
  const { offered, next } = await createOffer();
  const other = await createTestTicketType(service.sql, scope, { capacity: 1 });
  succeeded(await patch(offered.id, { registrationTypeId: other }));
  expect(await read(offered.id)).toMatchObject({
    status: 'confirmed',
    registrationTypeId: other,
    offerExpiresAt: null,
  });
  expect((await read(next.id)).offerExpiresAt).toMatch(/Z$/);
  expect(await availability()).toMatchObject({ confirmed: 0, waitlisted: 1, held: 1 });
  expect(await availability(other)).toMatchObject({ confirmed: 1, remaining: 0 });
});
