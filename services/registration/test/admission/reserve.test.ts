import { eventSnapshot, ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { newId } from '@event-api/platform/core/ids';
import { describe, expect, test } from 'vitest';
import { call, currentEvent, inside, scope, service, typeId, useRegistration } from '../context.ts';
import { changeEvent, createTestCode, createTestTicketType, unique } from '../fixtures.ts';
import {
  addOwnerSnapshot,
  createTestAddon,
  register,
  succeeded,
  typeData,
} from '../projection-fixtures.ts';
import { orders } from './orders.ts';

const reservationMs = 600_000;
const { post, seat, reservationInput, reserve, availability } = orders(currentEvent);

useRegistration({ ticketType: { capacity: 3 }, replicas: 2, reservationMs });

describe('reserving', () => {
  test('reserves seats for the configured time, and a repeated call returns the same', async () => {
    const body = reservationInput([seat(), seat()]);
    const first = await reserve(body);
    const { expiresAt } = first;
    expect(first).toEqual({
      outcome: 'reserved',
      expiresAt,
      redemptionCode: null,
      discount: null,
      discountedTicketTypeId: null,
      approvalSeat: null,
      buyerRegistrationId: null,
    });
    const [row] = await service.sql<{ ms: string }>(
      'select extract(epoch from $1::timestamptz - created_at) * 1000 as ms from registration.seat_reservation where id = $2',
      [expiresAt, body.reservationId],
    );
    expect(Math.abs(Number(row?.ms) - reservationMs)).toBeLessThan(5000);
    expect(await availability()).toMatchObject({ held: 2, remaining: 1, confirmed: 0 });
    const others = await service.service(1);
    const again = await Promise.all(
      [inside, others].map((caller) => caller('POST', '/internal/reservations', { body })),
    );
    for (const response of again) expect(succeeded(response)).toEqual(first);
    expect((await availability()).held).toBe(2);
  });

  test('takes all of the seats or none', async () => {
    const other = await createTestTicketType(service.sql, scope, { capacity: 1 });
    const body = reservationInput([seat(), seat(other), seat(other)]);
    expect(await reserve(body)).toEqual({
      outcome: 'refused',
      reason: 'SOLD_OUT',
      seat: 1,
      seatsLeft: 1,
      seatsRequested: 2,
    });
    expect([await availability(), await availability(other)]).toMatchObject([
      { held: 0 },
      { held: 0 },
    ]);
    expect(await reserve({ ...body, seats: body.seats.slice(0, 2) })).toMatchObject({
      outcome: 'reserved',
    });
  });

  test('returns the code as it is stored, its discount and the type that it is for', async () => {
    const body = {
      registrationTypeId: typeId,
      code: unique('Early-Bird'),
      maxUses: 5,
      discount: { type: 'percent', value: 20 },
    };
    const created = await call('POST', `/v1/events/${scope.eventId}/redemption-codes`, { body });
    const [{ code }] = succeeded(created, 201).redemptionCodes;
    const wanted = reservationInput([seat()], { redemptionCode: code.toLowerCase() });
    for (const _ of [1, 2]) {
      expect(await reserve(wanted)).toMatchObject({
        outcome: 'reserved',
        redemptionCode: code,
        discount: { type: 'percent', value: 20 },
        discountedTicketTypeId: typeId,
      });
    }
  });

  test('returns the first seat that requires approval, and the same for a repeated call', async () => {
    const approved = await createTestTicketType(service.sql, scope, { requiresApproval: true });
    const body = reservationInput([seat(), seat(approved)]);
    expect(await reserve(body)).toMatchObject({ outcome: 'reserved', approvalSeat: 1 });
    await service.sql(
      'update registration.ticket_type_projection set requires_approval = false where id = $1',
      [approved],
    );
    expect(await reserve(body)).toMatchObject({ outcome: 'reserved', approvalSeat: 1 });
  });

  test('returns the existing registration of the buyer', async () => {
    const { id, email } = await register(call, scope, { registrationTypeId: typeId });
    const body = reservationInput([seat(typeId, email.toUpperCase())]);
    expect(await reserve(body)).toEqual({
      outcome: 'already_registered',
      registrationId: id,
      registrationStatus: 'confirmed',
      openOrderId: null,
    });
  });

  test('returns the seat of another attendee who is already registered', async () => {
    const { email } = await register(call, scope, { registrationTypeId: typeId });
    const body = reservationInput([seat(), seat(typeId, email)]);
    expect(await reserve(body)).toEqual({ outcome: 'attendee_registered', seat: 1 });
  });

  test('add-ons alone needs a registered buyer', async () => {
    const { email } = await register(call, scope, { registrationTypeId: typeId });
    const addonIds = [await createTestAddon(service.sql, scope)];
    const rejected = { outcome: 'refused', reason: 'NOT_REGISTERED' };
    expect(await reserve(reservationInput([], { addonIds }))).toEqual(rejected);
    const buyer = { email, name: null };
    expect(await reserve(reservationInput([], { addonIds, buyer }))).toMatchObject({
      outcome: 'reserved',
    });
  });

  test('reports the registration of a buyer whose seats are for others', async () => {
    const { id, email } = await register(call, scope, { registrationTypeId: typeId });
    const body = reservationInput([seat()], { buyer: { email: email.toUpperCase(), name: null } });
    for (const _ of [1, 2]) {
      expect(await reserve(body)).toMatchObject({ outcome: 'reserved', buyerRegistrationId: id });
    }
  });

  test('reports the uses that a code has left when the seats need more', async () => {
    const { code } = await createTestCode(service.sql, scope, typeId, { maxUses: 3 });
    expect(await reserve(reservationInput([seat()], { redemptionCode: code }))).toMatchObject({
      outcome: 'reserved',
    });
    await service.sql(
      'update registration.ticket_type_projection set capacity = null where id = $1',
      [typeId],
    );
    expect(
      await reserve(reservationInput([seat(), seat(), seat()], { redemptionCode: code })),
    ).toEqual({
      outcome: 'refused',
      reason: 'CODE_USES_EXCEEDED',
      usesLeft: 2,
      usesRequested: 3,
    });
    await reserve(reservationInput([seat(), seat()], { redemptionCode: code }));
    expect(await reserve(reservationInput([seat()], { redemptionCode: code }))).toEqual({
      outcome: 'refused',
      reason: 'CODE_INVALID',
    });
  });

  test.each([
    ['NOT_FOUND', { seat: 1 }, async () => reservationInput([seat(), seat(newId('tt'))])],
    [
      'NOT_ON_SALE',
      { seat: 1, block: 'draft' },
      async () =>
        reservationInput([
          seat(),
          seat(await createTestTicketType(service.sql, scope, { status: 'draft' })),
        ]),
    ],
    [
      'NOT_ON_SALE',
      { seat: 0, block: 'requires_approval' },
      async () => {
        const type = await createTestTicketType(service.sql, scope, { requiresApproval: true });
        return reservationInput([seat(type)], { price: 'charged' });
      },
    ],
    ['CODE_INVALID', {}, async () => reservationInput([seat()], { redemptionCode: 'UNKNOWN' })],
    [
      'CODE_USES_EXCEEDED',
      { usesLeft: 1, usesRequested: 2 },
      async () => {
        const { code } = await createTestCode(service.sql, scope, typeId, { maxUses: 1 });
        return reservationInput([seat(), seat()], { redemptionCode: code });
      },
    ],
    [
      'CODE_FITS_NOTHING',
      {},
      async () => {
        const { code } = await createTestCode(
          service.sql,
          scope,
          await createTestTicketType(service.sql, scope),
        );
        return reservationInput([seat()], { redemptionCode: code });
      },
    ],
    [
      'SOLD_OUT',
      { seat: 0, seatsLeft: 3, seatsRequested: 4 },
      async () => reservationInput([seat(), seat(), seat(), seat()]),
    ],
    [
      'EVENT_ARCHIVED',
      {},
      async () => {
        await changeEvent(service.sql, scope, 'archived');
        return reservationInput();
      },
    ],
  ])('is rejected with %s and %j', async (reason, details, bodyOf) => {
    const body = await bodyOf();
    expect(await reserve(body)).toEqual({ outcome: 'refused', reason, ...details });
    expect((await availability()).held).toBe(0);
  });

  test('refreshes once before a rejection that depends on a projection, and decides again', async () => {
    const open = (id: string, fields = {}) =>
      addOwnerSnapshot(service.owner, scope, ticketTypeSnapshot.type, id, typeData(fields));
    const late = newId('tt');
    const draft = await createTestTicketType(service.sql, scope, { status: 'draft' });
    const full = await createTestTicketType(service.sql, scope, { capacity: 1 });
    for (const id of [late, draft, full]) open(id, { capacity: 5 });
    for (const type of [late, draft]) {
      expect(await reserve(reservationInput([seat(type)]))).toMatchObject({ outcome: 'reserved' });
    }
    expect(await reserve(reservationInput([seat(full), seat(full)]))).toMatchObject({
      outcome: 'reserved',
    });
    await changeEvent(service.sql, scope, 'archived');
    addOwnerSnapshot(service.owner, scope, eventSnapshot.type, scope.eventId, {
      name: 'Summit',
      status: 'published',
      endsAt: null,
      currency: 'EUR',
      form: null,
    });
    expect(await reserve(reservationInput())).toMatchObject({ outcome: 'reserved' });
  });

  test('responds 503 when a refresh is needed and the owner is unavailable', async () => {
    service.owner.isUnavailable = true;
    expect(
      (await post('/internal/reservations', reservationInput([seat(newId('tt'))]))).status,
    ).toBe(503);
    expect(await reserve(reservationInput())).toMatchObject({ outcome: 'reserved' });
  });

  test('responds 404 for an unknown event, as do the other operations', async () => {
    const body = { ...reservationInput(), eventId: newId('evt') };
    const responses = await Promise.all([
      post('/internal/reservations', body),
      post('/internal/reservations/fulfil', { ...body, reacquire: false }),
      post('/internal/reservations/release', body),
      post('/internal/reservations/revoke', { ...body, orderId: body.reservationId }),
      post('/internal/reservations', { ...reservationInput(), businessUnitId: newId('unit') }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });
});
