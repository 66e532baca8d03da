import { eventually } from '@event-api/platform/testing/eventually';
import { atStep } from '@event-api/platform/testing/switches/switches';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  call,
  currentEvent,
  eventPath,
  scope,
  service,
  typeId,
  useRegistration,
} from '../context.ts';
import { changeType, createTestTicketType } from '../fixtures.ts';
import { addOwnerSnapshot, register, typeData } from '../projection-fixtures.ts';
import { orders } from './orders.ts';

const seats = { capacity: 1, allowWaitlist: true };
useRegistration({ promoteIntervalMs: 100, ticketType: { ...seats, priceAmount: 0 } });

const { seat, reservationInput, reserve, release, read } = orders(currentEvent);

/** The first one has the only seat, the others are on the waitlist. */
let registrations: { id: string }[];
beforeEach(async () => {
  registrations = [];
  for (let n = 0; n < 3; n++)
    registrations.push(await register(call, scope, { registrationTypeId: typeId }));
  addOwnerSnapshot(service.owner, scope, 'catalog.event', scope.eventId, {
    name: 'Summit',
    status: 'published',
    endsAt: null,
    currency: 'EUR',
    form: null,
  });
  ownerHas(typeId, seats);
});
afterEach(() => {
  service.owner.trust = 'confirmed';
});

const ownerHas = (id: string, fields: object) =>
  addOwnerSnapshot(service.owner, scope, 'catalog.ticket_type', id, typeData(fields), 1);

/** Reads the statuses. A read promotes first where this is due. */
const statuses = () =>
  Promise.all(registrations.map(async ({ id }) => (await read(id)).status as string));
const full = ['confirmed', 'waitlisted', 'waitlisted'];
const promoted = ['confirmed', 'confirmed', 'waitlisted'];

/** Resolves when the job has run again for the event. */
async function jobHasRun(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let runs = 0;
  atStep('admission.read', () => {
    runs += 1;
    if (runs > 1) resolve();
  });
  await promise;
}

/** A projected capacity that the database of catalog has lost. */
const raiseProjectedCapacity = () => changeType(service.sql, typeId, { capacity: 2 });

test('a raised capacity promotes while the projections are confirmed, which this negative control shows', async () => {
  await raiseProjectedCapacity();
  expect(await statuses()).toEqual(promoted);
});

describe('while the database of catalog is known to differ and catalog is away', () => {
  beforeEach(() => {
    Object.assign(service.owner, { trust: 'different', isUnavailable: true });
  });

  test('a projected capacity promotes nobody, neither by a read nor by the job', async () => {
    await raiseProjectedCapacity();
    expect(await statuses()).toEqual(full);
    await jobHasRun();
    expect(await statuses()).toEqual(full);
    service.owner.trust = 'confirmed';
    await eventually(async () => expect(await statuses()).toEqual(promoted));
  });

  test('a seat that an order releases waits for catalog, which then has it promoted', async () => {
    service.owner.trust = 'confirmed';
    await raiseProjectedCapacity();
    expect(await statuses()).toEqual(promoted);
    const reservation = reservationInput([seat()]);
    await changeType(service.sql, typeId, { capacity: 4 });
    expect(await statuses()).toEqual(['confirmed', 'confirmed', 'confirmed']);
    await reserve(reservation);
    registrations.push(await register(call, scope, { registrationTypeId: typeId }));
    service.owner.trust = 'different';
    await release(reservation);
    expect((await statuses()).at(-1)).toBe('waitlisted');
    ownerHas(typeId, { ...seats, capacity: 4 });
    service.owner.isUnavailable = false;
    await eventually(async () => expect((await statuses()).at(-1)).toBe('confirmed'));
  });

  test('a projected price of 0 confirms no offer, until catalog confirms that price', async () => {
    service.owner.trust = 'confirmed';
    await changeType(service.sql, typeId, { capacity: 2, priceAmount: 2500 });
    expect(await statuses()).toEqual(full);
    expect((await read(registrations[1]?.id ?? '')).offerExpiresAt).not.toBeNull();
    service.owner.trust = 'different';
    await changeType(service.sql, typeId, { priceAmount: 0 });
    await jobHasRun();
    expect(await statuses()).toEqual(full);
    service.owner.trust = 'confirmed';
    await eventually(async () => expect(await statuses()).toEqual(promoted));
  });
});

describe('while catalog responds and its database was put back', () => {
  beforeEach(() => {
    service.owner.trust = 'different';
  });

  test('its capacity decides about promotions', async () => {
    await raiseProjectedCapacity();
    expect(await statuses()).toEqual(full);
    ownerHas(typeId, { ...seats, capacity: 2 });
    await raiseProjectedCapacity();
    expect(await statuses()).toEqual(promoted);
  });

  test('a registration for another ticket type promotes nobody to a capacity that is lost', async () => {
    const otherId = await createTestTicketType(service.sql, scope);
    ownerHas(otherId, {});
    await raiseProjectedCapacity();
    await register(call, scope, { registrationTypeId: otherId });
    service.owner.trust = 'confirmed';
    expect(await statuses()).toEqual(full);
  });
});

test('the projected capacity promotes while catalog is away if nothing shows that its database differs', async () => {
  Object.assign(service.owner, { trust: 'unconfirmed', isUnavailable: true });
  await raiseProjectedCapacity();
  expect(await statuses()).toEqual(promoted);
  expect(await call('GET', `${eventPath}/registrations`)).toMatchObject({ status: 200 });
});
