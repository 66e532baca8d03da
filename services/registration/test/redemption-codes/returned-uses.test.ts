import { describe, expect, test } from 'vitest';
import { orders } from '../admission/orders.ts';
import {
  calls,
  currentEvent,
  eventPath as event,
  inside,
  scope,
  service,
  typeId,
  useRegistration,
} from '../context.ts';
import { createTestTicketType, expireReservation } from '../fixtures.ts';
import { register, succeeded } from '../projection-fixtures.ts';
import { codes } from './codes.ts';

const { createCode, usesOf, tryWith } = codes(() => ({ call: calls[0], scope, typeId }));
const { seat, reservationInput, reserve } = orders(currentEvent);

useRegistration({ replicas: 2 });

describe('a use is released exactly once', () => {
  const move = (id: string, verb: string, call = calls[0]) =>
    call('POST', `${event}/registrations/${id}/${verb}`);

  test('by ten concurrent cancellations', async () => {
    const code = await createCode({ maxUses: 2 });
    const body = { registrationTypeId: typeId, redemptionCode: code.code };
    const { id } = await register(calls[0], scope, body);
    await register(calls[0], scope, body);
    await Promise.all(Array.from({ length: 10 }, (_, n) => move(id, 'cancel', calls[n % 2])));
    expect(await usesOf(code.id)).toBe(1);
  });

  test('by a rejection, and not again by a later cancellation', async () => {
    const type = await createTestTicketType(service.sql, scope, { requiresApproval: true });
    const code = await createCode({ maxUses: 2 }, type);
    const body = { registrationTypeId: type, redemptionCode: code.code };
    const [one, other] = [
      await register(calls[0], scope, body),
      await register(calls[0], scope, body),
    ];
    expect([one.status, await usesOf(code.id)]).toEqual(['pending', 2]);
    for (const verb of ['reject', 'cancel']) succeeded(await move(one.id, verb));
    expect(await usesOf(code.id)).toBe(1);
    succeeded(await move(other.id, 'approve'));
    expect(await usesOf(code.id)).toBe(1);
  });

  test('by ten concurrent releases', async () => {
    const code = await createCode({ maxUses: 5 });
    await reserve(reservationInput([seat(), seat()], { redemptionCode: code.code }));
    const body = reservationInput([seat(), seat(), seat()], { redemptionCode: code.code });
    await reserve(body);
    expect(await usesOf(code.id)).toBe(5);
    const { businessUnitId, eventId, reservationId } = body;
    const release = { body: { businessUnitId, eventId, reservationId } };
    await Promise.all(
      Array.from({ length: 10 }, () => inside('POST', '/internal/reservations/release', release)),
    );
    expect(await usesOf(code.id)).toBe(2);
  });

  test('by the expiry of a reservation, before the next read of the codes', async () => {
    const code = await createCode({ maxUses: 3 });
    const body = reservationInput([seat(), seat(), seat()], { redemptionCode: code.code });
    await reserve(body);
    expect((await tryWith(code.code)).status).toBe(412);
    await expireReservation(service.sql, body.reservationId);
    const { redemptionCodes } = succeeded(await calls[1]('GET', `${event}/redemption-codes`));
    expect(redemptionCodes).toMatchObject([{ uses: 0 }]);
    const { businessUnitId, eventId, reservationId } = body;
    const late = { body: { businessUnitId, eventId, reservationId } };
    expect(succeeded(await inside('POST', '/internal/reservations/release', late)).outcome).toBe(
      'released',
    );
    expect(await usesOf(code.id)).toBe(0);
  });

  test('by the expiry of a reservation in an event that was archived meanwhile', async () => {
    const code = await createCode({ maxUses: 1 });
    const body = reservationInput([seat()], { redemptionCode: code.code });
    await reserve(body);
    await service.sql('update registration.event_projection set status = $2 where id = $1', [
      scope.eventId,
      'archived',
    ]);
    await expireReservation(service.sql, body.reservationId);
    expect(await usesOf(code.id)).toBe(0);
  });

  test('and is neither lost nor doubled when a reservation becomes registrations', async () => {
    const code = await createCode({ maxUses: 2 });
    const body = reservationInput([seat(), seat()], { redemptionCode: code.code });
    await reserve(body);
    for (const _ of [1, 2]) {
      const fulfil = { body: { ...body, reacquire: false } };
      const { seats } = succeeded(await inside('POST', '/internal/reservations/fulfil', fulfil));
      expect(seats).toHaveLength(2);
      expect(await usesOf(code.id)).toBe(2);
    }
  });
});
