import { describe, expect, test } from 'vitest';
import { orders } from '../admission/orders.ts';
import { call, currentEvent, scope, service, typeId, useRegistration } from '../context.ts';
import { createTestCode, createTestTicketType } from '../fixtures.ts';
import { register, succeeded } from '../projection-fixtures.ts';

const { seat, reservationInput, reserve, fulfil } = orders(currentEvent);

useRegistration({ ticketType: { requiresApproval: true } });

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
