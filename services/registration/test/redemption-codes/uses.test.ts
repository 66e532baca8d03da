import type { EventScope } from '@event-api/contracts/internal/scope';
import { newId } from '@event-api/platform/ids';
import type { Answer, Client } from '@event-api/platform/testing/http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { orders } from '../claims/orders.ts';
import { expireCode, givenEvent, givenType, someEmail } from '../given.ts';
import { refusalOf, succeeded } from '../given-copies.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { brokenInvariants } from '../invariants.ts';
import { codes } from './codes.ts';

let service: TestRegistration;
let inside: Client;
let scope: EventScope;
let typeId: string;
let calls: [Client, Client];
let event: string;
const { givenCode, usesOf, tryWith } = codes(() => ({ call: calls[0], scope, typeId }));
const { seat, claimOf, claim } = orders(() => ({ service, inside, call: calls[0], scope, typeId }));

beforeAll(async () => {
  service = await startRegistration({ replicas: 2 });
  inside = await service.service();
});
afterAll(async () => {
  expect(await brokenInvariants(service.sql)).toEqual({});
  await service.close();
});
beforeEach(async () => {
  scope = await givenEvent(service.sql);
  typeId = await givenType(service.sql, scope);
  calls = [await service.as(scope.businessUnitId, 0), await service.as(scope.businessUnitId, 1)];
  event = `/v1/events/${scope.eventId}`;
});

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted();

describe('the uses of a code', () => {
  test('are five for a hundred who come at once, to two replicas', async () => {
    const code = await givenCode({ maxUses: 5 });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => tryWith(code.code, calls[n % 2])),
    );
    expect(statusesOf(answers)).toEqual([...Array(5).fill(201), ...Array(95).fill(412)]);
    const refused = answers.filter(({ status }) => status === 412);
    for (const answer of refused) expect(refusalOf(answer)).toEqual([412, 'CODE_INVALID']);
    expect(await usesOf(code.id)).toBe(5);
  });

  test('are shared by registrations and claims that come at once', async () => {
    const code = await givenCode({ maxUses: 6 });
    const [registered, claimed] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, (_, n) => tryWith(code.code, calls[n % 2]))),
      Promise.all(
        Array.from({ length: 20 }, () =>
          claim(claimOf([seat(), seat()], { redemptionCode: code.code })),
        ),
      ),
    ]);
    const people = registered.filter(({ status }) => status === 201).length;
    const claims = claimed.filter(({ outcome }) => outcome === 'claimed').length;
    expect(people + 2 * claims).toBeLessThanOrEqual(6);
    // One use may be left over that no claim of two can take, if nobody else was left to take it.
    expect(people + 2 * claims).toBeGreaterThanOrEqual(5);
    expect(await usesOf(code.id)).toBe(people + 2 * claims);
  });

  test('have no end without a limit', async () => {
    const code = await givenCode({ maxUses: null });
    const answers = await Promise.all(Array.from({ length: 30 }, () => tryWith(code.code)));
    expect(statusesOf(answers)).toEqual(Array(30).fill(201));
    expect(await usesOf(code.id)).toBe(30);
  });

  test('are not taken by a repeat of somebody who is registered', async () => {
    const code = await givenCode({ maxUses: 2 });
    const body = { email: someEmail(), registrationTypeId: typeId, redemptionCode: code.code };
    const first = await calls[0]('POST', `${event}/registrations`, { body });
    const again = await calls[1]('POST', `${event}/registrations`, { body });
    expect([first.status, again.status, again.body.created]).toEqual([201, 200, false]);
    expect(await usesOf(code.id)).toBe(1);
  });

  test.each([
    ['unknown', async () => 'UNKNOWN'],
    ['of another event', async () => otherEventsCode()],
    ['expired', async () => expiredCode()],
    ['disabled', async () => disabledCode()],
  ])('cannot be had of a code that is %s: 412', async (_case, codeOf) => {
    expect(refusalOf(await tryWith(await codeOf()))).toEqual([412, 'CODE_INVALID']);
  });

  test('cannot be had for another ticket type: 400', async () => {
    const code = await givenCode();
    const other = await givenType(service.sql, scope);
    expect(refusalOf(await tryWith(code.code, calls[0], other))).toEqual([400, 'redemptionCode']);
    expect(await usesOf(code.id)).toBe(0);
  });

  test('are had in either case of the letters', async () => {
    const code = await givenCode({ code: 'Mixed-Case', maxUses: 3 });
    for (const typed of ['mixed-case', 'MIXED-CASE', ' Mixed-Case ']) {
      expect((await tryWith(typed)).status).toBe(201);
    }
    expect(await usesOf(code.id)).toBe(3);
  });

  async function otherEventsCode(): Promise<string> {
    const other = await givenEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const type = await givenType(service.sql, other);
    const path = `/v1/events/${other.eventId}/redemption-codes`;
    const body = { registrationTypeId: type };
    return succeeded(await calls[0]('POST', path, { body }), 201).redemptionCodes[0].code;
  }

  async function expiredCode(): Promise<string> {
    const { id, code } = await givenCode();
    await expireCode(service.sql, id);
    return code;
  }

  async function disabledCode(): Promise<string> {
    const { id, code } = await givenCode();
    await calls[0]('POST', `${event}/redemption-codes/${id}/disable`);
    return code;
  }
});

test('a code of another unit is nobody’s here', async () => {
  const code = await givenCode();
  const stranger = await service.as(newId('unit'));
  const answer = await stranger('POST', `${event}/registrations`, {
    body: { email: someEmail(), registrationTypeId: typeId, redemptionCode: code.code },
  });
  expect(answer.status).toBe(404);
});
