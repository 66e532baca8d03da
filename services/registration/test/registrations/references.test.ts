import type { EventScope } from '@event-api/contracts/internal/scope';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { orders } from '../admission/orders.ts';
import { createTestCode, createTestEvent, createTestTicketType } from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { register, succeeded } from '../projection-fixtures.ts';

let service: TestRegistration;
let inside: HttpClient;
let call: HttpClient;
let scope: EventScope;
let typeId: string;
const { seat, reservationInput, reserve, fulfil } = orders(() => ({
  service,
  inside,
  call,
  scope,
  typeId,
}));

beforeAll(async () => {
  service = await startRegistration();
  inside = await service.service();
});
afterAll(() => service?.close());
beforeEach(async () => {
  scope = await createTestEvent(service.sql);
  typeId = await createTestTicketType(service.sql, scope, { requiresApproval: true });
  call = await service.as(scope.businessUnitId);
});

const pathOf = (id = '') => `/v1/events/${scope.eventId}/registrations${id && `/${id}`}`;

describe('redemptionCodeId and orderId of a registration', () => {
  test('are null without a code and without an order', async () => {
    const created = await register(call, scope, { registrationTypeId: typeId });
    expect(created).toMatchObject({ redemptionCodeId: null, orderId: null });
  });

  test('name the code in every response that shows the registration', async () => {
    const { id: codeId, code } = await createTestCode(service.sql, scope, typeId);
    const created = await register(call, scope, {
      registrationTypeId: typeId,
      redemptionCode: code,
    });
    const responses = [
      created,
      succeeded(await call('GET', pathOf(created.id))),
      succeeded(await call('GET', pathOf())).registrations[0],
      succeeded(await call('POST', `${pathOf(created.id)}/approve`)),
      succeeded(await call('POST', `${pathOf(created.id)}/cancel`)),
    ];
    for (const response of responses) {
      expect(response).toMatchObject({ redemptionCodeId: codeId, orderId: null });
    }
  });

  test('name the order that created the registration', async () => {
    const order = reservationInput([seat(await createTestTicketType(service.sql, scope))]);
    await reserve(order);
    const { seats } = await fulfil(order);
    const read = succeeded(await call('GET', pathOf(seats[0].registrationId)));
    expect(read).toMatchObject({ redemptionCodeId: null, orderId: order.reservationId });
  });
});
