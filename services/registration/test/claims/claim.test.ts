import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventSnapshot, ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { newId } from '@event-api/platform/ids';
import type { Client } from '@event-api/platform/testing/http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeEvent, givenCode, givenEvent, givenType, unique } from '../given.ts';
import { ownerHas, register, succeeded, typeData } from '../given-copies.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { brokenInvariants } from '../invariants.ts';
import { orders } from './orders.ts';

const holdMs = 600_000;
let service: TestRegistration;
let inside: Client;
let call: Client;
let scope: EventScope;
let typeId: string;
const { post, seat, claimOf, claim, availability } = orders(() => ({
  service,
  inside,
  call,
  scope,
  typeId,
}));

beforeAll(async () => {
  service = await startRegistration({ replicas: 2, holdMs });
  inside = await service.service();
});
afterAll(async () => {
  expect(await brokenInvariants(service.sql)).toEqual({});
  await service.close();
});
beforeEach(async () => {
  service.owner.isAway = false;
  scope = await givenEvent(service.sql);
  typeId = await givenType(service.sql, scope, { capacity: 3 });
  call = await service.as(scope.businessUnitId);
});

describe('claiming', () => {
  test('sets seats aside for the time of the setting, and a repeat answers the same', async () => {
    const body = claimOf([seat(), seat()]);
    const first = await claim(body);
    const { expiresAt } = first;
    expect(first).toEqual({
      outcome: 'claimed',
      expiresAt,
      redemptionCode: null,
      discount: null,
      discountedTicketTypeId: null,
      needsApproval: false,
      buyerRegistrationId: null,
    });
    const [row] = await service.sql<{ ms: string }>(
      'select extract(epoch from $1::timestamptz - created_at) * 1000 as ms from registration.seat_claim where id = $2',
      [expiresAt, body.claimId],
    );
    expect(Math.abs(Number(row?.ms) - holdMs)).toBeLessThan(5000);
    expect(await availability()).toMatchObject({ held: 2, remaining: 1, confirmed: 0 });
    const others = await service.service(1);
    const again = await Promise.all(
      [inside, others].map((ask) => ask('POST', '/internal/claims', { body })),
    );
    for (const answer of again) expect(succeeded(answer)).toEqual(first);
    expect((await availability()).held).toBe(2);
  });

  test('takes all of the seats or none', async () => {
    const other = await givenType(service.sql, scope, { capacity: 1 });
    const body = claimOf([seat(), seat(other), seat(other)]);
    expect(await claim(body)).toEqual({
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
    expect(await claim({ ...body, seats: body.seats.slice(0, 2) })).toMatchObject({
      outcome: 'claimed',
    });
  });

  test('returns the code as it is stored, its discount and the type that it is for', async () => {
    const body = {
      registrationTypeId: typeId,
      code: unique('Early-Bird'),
      maxUses: 5,
      discount: { type: 'percent', value: 20 },
    };
    const made = await call('POST', `/v1/events/${scope.eventId}/redemption-codes`, { body });
    const [{ code }] = succeeded(made, 201).redemptionCodes;
    const wanted = claimOf([seat()], { redemptionCode: code.toLowerCase() });
    for (const _ of [1, 2]) {
      expect(await claim(wanted)).toMatchObject({
        outcome: 'claimed',
        redemptionCode: code,
        discount: { type: 'percent', value: 20 },
        discountedTicketTypeId: typeId,
      });
    }
  });

  test('says whether a seat asks for approval, and says the same when it is repeated', async () => {
    const approved = await givenType(service.sql, scope, { requiresApproval: true });
    const body = claimOf([seat(), seat(approved)]);
    expect(await claim(body)).toMatchObject({ outcome: 'claimed', needsApproval: true });
    await service.sql(
      'update registration.ticket_type_copy set requires_approval = false where id = $1',
      [approved],
    );
    expect(await claim(body)).toMatchObject({ outcome: 'claimed', needsApproval: true });
  });

  test('answers the registration that the buyer has already', async () => {
    const { id, email } = await register(call, scope, { registrationTypeId: typeId });
    const body = claimOf([seat(typeId, email.toUpperCase())]);
    expect(await claim(body)).toEqual({ outcome: 'already_registered', registrationId: id });
  });

  test('names the seat of another attendee who is registered already', async () => {
    const { email } = await register(call, scope, { registrationTypeId: typeId });
    const body = claimOf([seat(), seat(typeId, email)]);
    expect(await claim(body)).toEqual({ outcome: 'attendee_registered', seat: 1 });
  });

  test('of add-ons alone needs a registered buyer', async () => {
    const { email } = await register(call, scope, { registrationTypeId: typeId });
    const addonIds = [newId('addon')];
    const refused = { outcome: 'refused', reason: 'NOT_REGISTERED' };
    expect(await claim(claimOf([], { addonIds }))).toEqual(refused);
    const buyer = { email, name: null };
    expect(await claim(claimOf([], { addonIds, buyer }))).toMatchObject({ outcome: 'claimed' });
  });

  test('reports the registration of a buyer whose seats are for others', async () => {
    const { id, email } = await register(call, scope, { registrationTypeId: typeId });
    const body = claimOf([seat()], { buyer: { email: email.toUpperCase(), name: null } });
    for (const _ of [1, 2]) {
      expect(await claim(body)).toMatchObject({ outcome: 'claimed', buyerRegistrationId: id });
    }
  });

  test('reports the uses that a code has left when the seats need more', async () => {
    const { code } = await givenCode(service.sql, scope, typeId, { maxUses: 3 });
    expect(await claim(claimOf([seat()], { redemptionCode: code }))).toMatchObject({
      outcome: 'claimed',
    });
    await service.sql('update registration.ticket_type_copy set capacity = null where id = $1', [
      typeId,
    ]);
    expect(await claim(claimOf([seat(), seat(), seat()], { redemptionCode: code }))).toEqual({
      outcome: 'refused',
      reason: 'CODE_USES_EXCEEDED',
      usesLeft: 2,
      usesRequested: 3,
    });
    await claim(claimOf([seat(), seat()], { redemptionCode: code }));
    expect(await claim(claimOf([seat()], { redemptionCode: code }))).toEqual({
      outcome: 'refused',
      reason: 'CODE_INVALID',
    });
  });

  test.each([
    ['NOT_FOUND', { seat: 1 }, async () => claimOf([seat(), seat(newId('tt'))])],
    [
      'NOT_ON_SALE',
      { seat: 1, block: 'draft' },
      async () => claimOf([seat(), seat(await givenType(service.sql, scope, { status: 'draft' }))]),
    ],
    [
      'NOT_ON_SALE',
      { seat: 0, block: 'requires_approval' },
      async () => {
        const type = await givenType(service.sql, scope, { requiresApproval: true });
        return claimOf([seat(type)], { isFree: false });
      },
    ],
    ['CODE_INVALID', {}, async () => claimOf([seat()], { redemptionCode: 'UNKNOWN' })],
    [
      'CODE_USES_EXCEEDED',
      { usesLeft: 1, usesRequested: 2 },
      async () => {
        const { code } = await givenCode(service.sql, scope, typeId, { maxUses: 1 });
        return claimOf([seat(), seat()], { redemptionCode: code });
      },
    ],
    [
      'CODE_FITS_NOTHING',
      {},
      async () => {
        const { code } = await givenCode(service.sql, scope, await givenType(service.sql, scope));
        return claimOf([seat()], { redemptionCode: code });
      },
    ],
    [
      'SOLD_OUT',
      { seat: 0, seatsLeft: 3, seatsRequested: 4 },
      async () => claimOf([seat(), seat(), seat(), seat()]),
    ],
    [
      'EVENT_ARCHIVED',
      {},
      async () => {
        await changeEvent(service.sql, scope, 'archived');
        return claimOf();
      },
    ],
  ])('is refused with %s and %j', async (reason, details, bodyOf) => {
    const body = await bodyOf();
    expect(await claim(body)).toEqual({ outcome: 'refused', reason, ...details });
    expect((await availability()).held).toBe(0);
  });

  test('asks the owner once before a refusal that a copy has caused, and decides again', async () => {
    const open = (id: string, fields = {}) =>
      ownerHas(service.owner, scope, ticketTypeSnapshot.type, id, typeData(fields));
    const late = newId('tt');
    const draft = await givenType(service.sql, scope, { status: 'draft' });
    const full = await givenType(service.sql, scope, { capacity: 1 });
    for (const id of [late, draft, full]) open(id, { capacity: 5 });
    for (const type of [late, draft]) {
      expect(await claim(claimOf([seat(type)]))).toMatchObject({ outcome: 'claimed' });
    }
    expect(await claim(claimOf([seat(full), seat(full)]))).toMatchObject({ outcome: 'claimed' });
    await changeEvent(service.sql, scope, 'archived');
    ownerHas(service.owner, scope, eventSnapshot.type, scope.eventId, {
      status: 'published',
      currency: 'EUR',
    });
    expect(await claim(claimOf())).toMatchObject({ outcome: 'claimed' });
  });

  test('is a 503 where the owner has to be asked and is away', async () => {
    service.owner.isAway = true;
    expect((await post('/internal/claims', claimOf([seat(newId('tt'))]))).status).toBe(503);
    expect(await claim(claimOf())).toMatchObject({ outcome: 'claimed' });
  });

  test('of an event that nobody knows is a 404, as are all the other steps', async () => {
    const body = { ...claimOf(), eventId: newId('evt') };
    const answers = await Promise.all([
      post('/internal/claims', body),
      post('/internal/claims/fulfil', { ...body, retake: false }),
      post('/internal/claims/release', body),
      post('/internal/claims/revoke', { ...body, orderId: body.claimId }),
      post('/internal/claims', { ...claimOf(), businessUnitId: newId('unit') }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });
});
