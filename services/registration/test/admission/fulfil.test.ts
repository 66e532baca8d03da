import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { describe, expect, test } from 'vitest';
import { call, currentEvent, scope, service, typeId, useRegistration } from '../context.ts';
import { changeEvent, createTestTicketType, someEmail } from '../fixtures.ts';
import {
  addOwnerSnapshot,
  createTestAddon,
  createTestPerk,
  register,
  typeData,
} from '../projection-fixtures.ts';
import { orders } from './orders.ts';

const { seat, reservationInput, reserve, fulfil, release, revoke, expire, availability, read } =
  orders(currentEvent);

useRegistration({ ticketType: { capacity: 3 } });

describe('fulfilling', () => {
  test('creates the registrations of a reservation once; a repeated call returns the same result', async () => {
    const body = reservationInput([seat(), seat()]);
    await reserve(body);
    const first = await fulfil(body);
    expect(first).toEqual({
      outcome: 'fulfilled',
      seats: [
        { registrationId: expect.stringMatching(/^reg_/), created: true, status: 'confirmed' },
        { registrationId: expect.stringMatching(/^reg_/), created: true, status: 'confirmed' },
      ],
      addonRegistrationId: null,
    });
    const again = await Promise.all(Array.from({ length: 5 }, () => fulfil(body, true)));
    for (const response of again) expect(response).toEqual(first);
    expect(await availability()).toMatchObject({ held: 0, confirmed: 2, remaining: 1 });
    for (const [n, { registrationId }] of first.seats.entries()) {
      expect(await read(registrationId)).toMatchObject({
        email: body.seats[n]?.email,
        status: 'confirmed',
        registrationTypeId: typeId,
      });
    }
  });

  test('does not check sale rules again', async () => {
    const body = reservationInput();
    await reserve(body);
    await service.sql(
      `update registration.ticket_type_projection set status = 'archived' where id = $1`,
      [typeId],
    );
    await changeEvent(service.sql, scope, 'archived');
    expect(await fulfil(body)).toMatchObject({ outcome: 'fulfilled' });
  });

  test('releases the seat of a person who has registered meanwhile and returns that registration', async () => {
    const body = reservationInput([seat(), seat()]);
    await reserve(body);
    const { email } = body.seats[1] as { email: string };
    const { id } = await register(call, scope, { email, registrationTypeId: typeId });
    const { seats } = await fulfil(body);
    expect(seats).toEqual([
      { registrationId: expect.any(String), created: true, status: 'confirmed' },
      { registrationId: id, created: false, status: 'confirmed' },
    ]);
    expect(await availability()).toMatchObject({ confirmed: 2, held: 0, remaining: 1 });
  });

  test('creates a pending registration for a type that requires approval, which reserved no seat', async () => {
    const type = await createTestTicketType(service.sql, scope, {
      capacity: 1,
      requiresApproval: true,
    });
    const body = reservationInput([seat(type), seat(type)]);
    await reserve(body);
    expect(await availability(type)).toMatchObject({ held: 0, remaining: 1 });
    const { seats } = await fulfil(body);
    for (const { registrationId } of seats) {
      expect((await read(registrationId)).status).toBe('pending');
    }
  });

  test('gives the add-ons to the buyer', async () => {
    const { id, email } = await register(call, scope, { registrationTypeId: typeId });
    const addonId = await createTestAddon(service.sql, scope);
    const body = reservationInput([], { addonIds: [addonId], buyer: { email, name: null } });
    await reserve(body);
    expect(await fulfil(body)).toEqual({
      outcome: 'fulfilled',
      seats: [],
      addonRegistrationId: id,
    });
  });

  test('gives an add-on to exactly the named persons, and takes it from them when the order is revoked', async () => {
    const perk = await createTestPerk(service.sql, scope);
    const addonId = await createTestAddon(service.sql, scope, [perk]);
    const { id: registeredId, email: registered } = await register(call, scope, {
      registrationTypeId: typeId,
    });
    const seats = [seat(), seat()];
    const addons = [{ addonId, emails: [seats[1]?.email ?? '', registered.toUpperCase()] }];
    const body = reservationInput(seats, { addonIds: [addonId], addons });
    await reserve(body);
    const result = await fulfil(body);
    const [first, second] = result.seats.map(
      (each: { registrationId: string }) => each.registrationId,
    );
    expect(result).toMatchObject({
      addonRegistrationId: null,
      addonRegistrationIds: [[second, registeredId]],
    });
    expect(await fulfil(body)).toEqual(result);
    const perksOf = async (id: string) => {
      const path = `/v1/events/${scope.eventId}/registrations/${id}/perks`;
      return (await call('GET', path)).body.perks.map((each: { id: string }) => each.id);
    };
    const perks = () => Promise.all([first, second, registeredId].map(perksOf));
    expect(await perks()).toEqual([[], [perk], [perk]]);
    await revoke(body.reservationId);
    expect(await perks()).toEqual([[], [], []]);
    expect((await read(registeredId)).status).toBe('confirmed');
  });

  test('rejects an add-on for a person who is neither registered nor an attendee', async () => {
    const seats = [seat()];
    const emails = [seats[0]?.email ?? '', someEmail()];
    const addons = [{ addonId: await createTestAddon(service.sql, scope), emails }];
    const body = reservationInput(seats, { addonIds: [addons[0]?.addonId], addons });
    expect(await reserve(body)).toEqual({
      outcome: 'refused',
      reason: 'NOT_REGISTERED',
      addon: 0,
      attendee: 1,
    });
    expect(await availability()).toMatchObject({ held: 0 });
  });

  test.each([
    [false, 'unfulfillable'],
    [true, 'fulfilled'],
  ])('of an expired reservation, with reacquire %s, is %s', async (reacquire, outcome) => {
    const body = reservationInput();
    await reserve(body);
    await expire(body);
    expect(await fulfil(body, reacquire)).toMatchObject({ outcome });
    expect(await availability()).toMatchObject({ held: 0, confirmed: reacquire ? 1 : 0 });
  });

  test('of a reservation that never arrived is unfulfillable, or with reacquire fulfilled', async () => {
    expect(await fulfil(reservationInput())).toEqual({ outcome: 'unfulfillable' });
    expect(await fulfil(reservationInput(), true)).toMatchObject({ outcome: 'fulfilled' });
  });

  test('with reacquire is unfulfillable when no seats are available, after a refresh from the owner', async () => {
    const body = reservationInput([seat(), seat()]);
    await reserve(body);
    await expire(body);
    for (const _ of [1, 2]) await register(call, scope, { registrationTypeId: typeId });
    expect(await fulfil(body, true)).toEqual({ outcome: 'unfulfillable' });
    const more = typeData({ capacity: 10 });
    addOwnerSnapshot(service.owner, scope, ticketTypeSnapshot.type, typeId, more);
    expect(await fulfil(body, true)).toMatchObject({ outcome: 'fulfilled' });
    expect(await availability()).toMatchObject({ capacity: 10, confirmed: 4 });
  });

  test('of a released reservation is released, even with reacquire', async () => {
    const body = reservationInput();
    await reserve(body);
    await release(body);
    for (const reacquire of [false, true]) {
      expect(await fulfil(body, reacquire)).toEqual({ outcome: 'released' });
    }
  });
});
