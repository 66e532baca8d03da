import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Client } from '@event-api/platform/testing/http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { givenEvent, givenType, unique } from '../given.ts';
import { register } from '../given-copies.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { brokenInvariants } from '../invariants.ts';
import { orders } from './orders.ts';

let service: TestRegistration;
let inside: Client;
let call: Client;
let scope: EventScope;
let typeId: string;
const { seat, claimOf, claim, fulfil, release, revoke, runOut, availability, read } = orders(
  () => ({ service, inside, call, scope, typeId }),
);

beforeAll(async () => {
  service = await startRegistration();
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

describe('releasing', () => {
  test('gives the seats back, once', async () => {
    const [one, other] = [claimOf(), claimOf()];
    for (const body of [one, other]) await claim(body);
    for (const _ of [1, 2]) expect(await release(one)).toBe('released');
    expect(await availability()).toMatchObject({ held: 1, remaining: 2 });
  });

  test('before the claim has come closes it: it is refused when it comes', async () => {
    const body = claimOf();
    expect(await release(body)).toBe('released');
    expect(await claim(body)).toEqual({ outcome: 'refused', reason: 'CLOSED' });
    expect(await availability()).toMatchObject({ held: 0, remaining: 3 });
  });

  test('leaves a claim that was fulfilled, and closes one that has run out for good', async () => {
    const [done, late] = [claimOf(), claimOf()];
    for (const body of [done, late]) await claim(body);
    const { seats } = await fulfil(done);
    await runOut(late);
    expect([await release(done), await release(late)]).toEqual(['fulfilled', 'released']);
    expect(await fulfil(late, true)).toEqual({ outcome: 'released' });
    expect((await read(seats[0].registrationId)).status).toBe('confirmed');
    expect(await claim(late)).toMatchObject({ outcome: 'refused', reason: 'CLOSED' });
  });
});

describe('revoking an order', () => {
  test('cancels what it has made, and only that, once', async () => {
    const [order, other] = [claimOf([seat(), seat()]), claimOf()];
    for (const body of [order, other]) await claim(body);
    const ids = (await fulfil(order)).seats.map(
      (each: { registrationId: string }) => each.registrationId,
    );
    const kept = (await fulfil(other)).seats[0].registrationId;
    expect((await revoke(order.claimId)).toSorted()).toEqual(ids.toSorted());
    expect(await revoke(order.claimId)).toEqual([]);
    for (const id of ids) expect((await read(id)).status).toBe('cancelled');
    expect((await read(kept)).status).toBe('confirmed');
    expect(await availability()).toMatchObject({ confirmed: 1, remaining: 2 });
  });

  test('that made nothing cancels nothing', async () => {
    expect(await revoke(unique('ord'))).toEqual([]);
  });

  test('leaves a registration that was there before it', async () => {
    const body = claimOf();
    await claim(body);
    const { email } = body.buyer;
    const { id } = await register(call, scope, { email, registrationTypeId: typeId });
    await fulfil(body);
    expect(await revoke(body.claimId)).toEqual([]);
    expect((await read(id)).status).toBe('confirmed');
  });
});
