import { newId } from '@event-api/platform/core/ids';
import type { TestResponse } from '@event-api/platform/testing/http-client';
import { describe, expect, test } from 'vitest';
import { orders } from '../admission/orders.ts';
import {
  calls,
  currentEvent,
  eventPath as event,
  scope,
  service,
  typeId,
  useRegistration,
} from '../context.ts';
import { createTestEvent, createTestTicketType, expireCode, someEmail } from '../fixtures.ts';
import { errorSummary, succeeded } from '../projection-fixtures.ts';
import { codes } from './codes.ts';

const { createCode, usesOf, tryWith } = codes(() => ({ call: calls[0], scope, typeId }));
const { seat, reservationInput, reserve } = orders(currentEvent);

useRegistration({ replicas: 2 });

const statusesOf = (responses: readonly TestResponse[]) =>
  responses.map(({ status }) => status).toSorted();

describe('the uses of a code', () => {
  test('are limited to five for a hundred concurrent requests to two replicas', async () => {
    const code = await createCode({ maxUses: 5 });
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, n) => tryWith(code.code, calls[n % 2])),
    );
    expect(statusesOf(responses)).toEqual([...Array(5).fill(201), ...Array(95).fill(412)]);
    const rejected = responses.filter(({ status }) => status === 412);
    for (const response of rejected) expect(errorSummary(response)).toEqual([412, 'CODE_INVALID']);
    expect(await usesOf(code.id)).toBe(5);
  });

  test('are shared by concurrent registrations and reservations', async () => {
    const code = await createCode({ maxUses: 6 });
    const [registered, reserved] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, (_, n) => tryWith(code.code, calls[n % 2]))),
      Promise.all(
        Array.from({ length: 20 }, () =>
          reserve(reservationInput([seat(), seat()], { redemptionCode: code.code })),
        ),
      ),
    ]);
    const people = registered.filter(({ status }) => status === 201).length;
    const reservations = reserved.filter(({ outcome }) => outcome === 'reserved').length;
    expect(people + 2 * reservations).toBeLessThanOrEqual(6);
    // One use may remain that no reservation of two seats can take.
    expect(people + 2 * reservations).toBeGreaterThanOrEqual(5);
    expect(await usesOf(code.id)).toBe(people + 2 * reservations);
  });

  test('are unlimited without a maximum', async () => {
    const code = await createCode({ maxUses: null });
    const responses = await Promise.all(Array.from({ length: 30 }, () => tryWith(code.code)));
    expect(statusesOf(responses)).toEqual(Array(30).fill(201));
    expect(await usesOf(code.id)).toBe(30);
  });

  test('are not taken by a repeated registration of the same person', async () => {
    const code = await createCode({ maxUses: 2 });
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
  ])('are rejected with 412 for a code that is %s', async (_case, codeOf) => {
    expect(errorSummary(await tryWith(await codeOf()))).toEqual([412, 'CODE_INVALID']);
  });

  test('are rejected with 412 for another ticket type', async () => {
    const code = await createCode();
    const other = await createTestTicketType(service.sql, scope);
    expect(errorSummary(await tryWith(code.code, calls[0], other))).toEqual([412, 'CODE_INVALID']);
    expect(await usesOf(code.id)).toBe(0);
  });

  test('accept the code in any case', async () => {
    const code = await createCode({ code: 'Mixed-Case', maxUses: 3 });
    for (const input of ['mixed-case', 'MIXED-CASE', ' Mixed-Case ']) {
      expect((await tryWith(input)).status).toBe(201);
    }
    expect(await usesOf(code.id)).toBe(3);
  });

  async function otherEventsCode(): Promise<string> {
    const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const type = await createTestTicketType(service.sql, other);
    const path = `/v1/events/${other.eventId}/redemption-codes`;
    const body = { registrationTypeId: type };
    return succeeded(await calls[0]('POST', path, { body }), 201).redemptionCodes[0].code;
  }

  async function expiredCode(): Promise<string> {
    const { id, code } = await createCode();
    await expireCode(service.sql, id);
    return code;
  }

  async function disabledCode(): Promise<string> {
    const { id, code } = await createCode();
    await calls[0]('POST', `${event}/redemption-codes/${id}/disable`);
    return code;
  }
});

test('a code of another unit is unknown', async () => {
  const code = await createCode();
  const stranger = await service.as(newId('unit'));
  const response = await stranger('POST', `${event}/registrations`, {
    body: { email: someEmail(), registrationTypeId: typeId, redemptionCode: code.code },
  });
  expect(response.status).toBe(404);
});
