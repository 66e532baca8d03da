import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenEvent, givenType, someEmail } from '../given.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';

const warnings: unknown[][] = [];

let service: TestRegistration;
beforeAll(async () => {
  const log = { warn: (...told: unknown[]) => void warnings.push(told) };
  service = await startRegistration({ admission: { log } });
});
afterAll(() => service?.close());

it('a ledger that counts people who do not wait stops at once and is told of once', async () => {
  const { sql } = service;
  const scope = await givenEvent(sql);
  const typeId = await givenType(sql, scope, { capacity: 5, allowWaitlist: true });
  const { admission, faults } = service.replica(0);
  const call = await service.as(scope.businessUnitId);
  const body = { email: someEmail(), registrationTypeId: typeId };
  const made = await call('POST', `/v1/events/${scope.eventId}/registrations`, { body });
  expect(made.status).toBe(201);
  await sql('update registration.seat_ledger set waitlisted = 1 where ticket_type_id = $1', [
    typeId,
  ]);
  let batches = 0;
  faults.at('admission.read', () => {
    batches++;
  });
  // Whatever a batch asks to be done again is done before the next that is submitted then.
  const settle = () => admission.submit<'settle'>(scope, { kind: 'settle' });
  await settle();
  await settle();
  await settle();
  expect(batches).toBe(3);
  const list = await call('GET', `/v1/events/${scope.eventId}/registrations`);
  expect(list.status).toBe(200);
  // A read tries twice, and does not wait until its time is over.
  expect(batches).toBe(5);
  expect(warnings).toEqual([[{ eventId: scope.eventId }, expect.any(String)]]);
});
