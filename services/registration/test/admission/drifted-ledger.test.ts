import { atStep } from '@event-api/platform/testing/switches/switches';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestEvent, createTestTicketType, someEmail } from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';

const warnings: unknown[][] = [];

let service: TestRegistration;
beforeAll(async () => {
  const log = { warn: (...entry: unknown[]) => void warnings.push(entry) };
  service = await startRegistration({ admission: { log } });
});
afterAll(() => service?.close());

test('a ledger that counts missing waitlisted registrations stops promotion at once and is logged once', async () => {
  const { sql } = service;
  const scope = await createTestEvent(sql);
  const typeId = await createTestTicketType(sql, scope, { capacity: 5, allowWaitlist: true });
  const { admission } = service.replica(0);
  const call = await service.as(scope.businessUnitId);
  const body = { email: someEmail(), registrationTypeId: typeId };
  const created = await call('POST', `/v1/events/${scope.eventId}/registrations`, { body });
  expect(created.status).toBe(201);
  await sql('update registration.seat_ledger set waitlisted = 1 where ticket_type_id = $1', [
    typeId,
  ]);
  let batches = 0;
  atStep('admission.read', () => {
    batches++;
  });
  // A follow-up batch would run before the next submitted request.
  const promote = () => admission.submit<'promote'>(scope, { kind: 'promote' });
  await promote();
  await promote();
  await promote();
  expect(batches).toBe(3);
  const list = await call('GET', `/v1/events/${scope.eventId}/registrations`);
  expect(list.status).toBe(200);
  // A read tries twice and does not wait for its timeout.
  expect(batches).toBe(5);
  expect(warnings).toEqual([[{ eventId: scope.eventId }, expect.any(String)]]);
});
