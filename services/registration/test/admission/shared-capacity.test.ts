import { beforeEach, describe, expect, test } from 'vitest';
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
import { joinGroup, setCapacityGroups } from '../projection-fixtures.ts';
import { orders } from './orders.ts';

useRegistration();

const { seat, reservationInput, reserve, fulfil, revoke, availability } = orders(currentEvent);

let otherId: string;
beforeEach(async () => {
  otherId = await createTestTicketType(service.sql, scope, { allowWaitlist: true });
  await setCapacityGroups(service.sql, scope, [{ id: 'cgp_hall', name: 'Hall', capacity: 2 }]);
  await joinGroup(service.sql, [typeId, otherId], 'cgp_hall');
});

const register = async (registrationTypeId: string) => {
  const body = { email: someEmail(), registrationTypeId };
  const response = await call('POST', `${eventPath}/registrations`, { body });
  return response.body.registration ?? response.body.error.details[0].reason;
};
const remaining = async () => [
  (await availability()).remaining,
  (await availability(otherId)).remaining,
];

describe('ticket types that share a capacity', () => {
  test('are sold out together, and their availability says so', async () => {
    expect(await remaining()).toEqual([2, 2]);
    const order = reservationInput([seat(typeId), seat(otherId)]);
    await reserve(order);
    expect(await remaining()).toEqual([0, 0]);
    await fulfil(order);
    expect(await register(typeId)).toBe('SOLD_OUT');
    expect(await reserve(reservationInput([seat(otherId)]))).toMatchObject({ reason: 'SOLD_OUT' });
    await revoke(order.reservationId);
    expect(await remaining()).toEqual([2, 2]);
  });

  test('promote a waitlist when the seats of the group are raised', async () => {
    await register(typeId);
    await register(typeId);
    const { id, status } = await register(otherId);
    expect(status).toBe('waitlisted');
    await setCapacityGroups(service.sql, scope, [{ id: 'cgp_hall', name: 'Hall', capacity: 3 }]);
    expect(await availability(otherId)).toMatchObject({
      confirmed: 1,
      waitlisted: 0,
      remaining: 0,
    });
    expect((await call('GET', `${eventPath}/registrations/${id}`)).body.status).toBe('confirmed');
  });

  test('promote the waitlist of a type that leaves the group', async () => {
    await register(typeId);
    await register(typeId);
    expect((await register(otherId)).status).toBe('waitlisted');
    await joinGroup(service.sql, [otherId], null);
    expect(await availability(otherId)).toMatchObject({ confirmed: 1, waitlisted: 0 });
  });

  test('keep what is sold when a type with sold seats joins a full group', async () => {
    const loneId = await createTestTicketType(service.sql, scope);
    await register(loneId);
    await register(typeId);
    await register(typeId);
    await joinGroup(service.sql, [loneId], 'cgp_hall');
    expect(await register(loneId)).toBe('SOLD_OUT');
    expect(await availability(loneId)).toMatchObject({ confirmed: 1, remaining: 0 });
    // Three seats are taken of two.
    await setCapacityGroups(service.sql, scope, [{ id: 'cgp_hall', name: 'Hall', capacity: 4 }]);
    expect((await register(loneId)).status).toBe('confirmed');
  });

  test('are not limited by a group that does not exist any more', async () => {
    await setCapacityGroups(service.sql, scope, []);
    expect(await remaining()).toEqual([null, null]);
  });
});
