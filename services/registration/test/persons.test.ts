import { expect, test } from 'vitest';
import { call, eventPath, operator, scope, service, typeId, useRegistration } from './context.ts';
import { createTestEvent, createTestTicketType, someEmail } from './fixtures.ts';
import {
  createTestPerk,
  deliverByType,
  errorSummary,
  register,
  succeeded,
} from './projection-fixtures.ts';

useRegistration();

const find = (input: object) =>
  operator('POST', '/operator/registration.find', {
    body: { businessUnitId: scope.businessUnitId, ...input },
  });
const idsOf = async (input: object) =>
  succeeded(await find(input)).registrations.map(({ id }: { id: string }) => id);

/** Another event of the same business unit, with a registration of this email. */
async function registerElsewhere(email: string) {
  const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
  const registrationTypeId = await createTestTicketType(service.sql, other);
  return { other, ...(await register(call, other, { email, registrationTypeId })) };
}

test('finds the registrations of an email in any spelling and status, newest first, in all events or in one', async () => {
  const email = someEmail();
  const first = await register(call, scope, { email, registrationTypeId: typeId });
  succeeded(await call('POST', `${eventPath}/registrations/${first.id}/cancel`));
  const second = await register(call, scope, { email, registrationTypeId: typeId });
  const { other, id: elsewhere } = await registerElsewhere(email);
  await register(call, scope, { registrationTypeId: typeId });
  for (const spelling of [email, ` ${email.toUpperCase()} `]) {
    expect(await idsOf({ email: spelling })).toEqual([elsewhere, second.id, first.id]);
  }
  expect(await idsOf({ email, eventId: scope.eventId })).toEqual([second.id, first.id]);
  expect(await idsOf({ email, eventId: other.eventId })).toEqual([elsewhere]);
});

test('finds the registration of a badge code in any case, with its perks and their sources', async () => {
  const perkId = await createTestPerk(service.sql, scope);
  await deliverByType(service.sql, typeId, [perkId]);
  const { id, checkinCode } = await register(call, scope, { registrationTypeId: typeId });
  const { registrations, isComplete } = succeeded(
    await find({ checkinCode: checkinCode.toLowerCase() }),
  );
  const own = succeeded(await call('GET', `${eventPath}/registrations/${id}`));
  const sources = [{ type: 'registration_type', id: typeId }];
  expect(registrations).toEqual([
    { ...own, perks: [expect.objectContaining({ id: perkId, sources })] },
  ]);
  expect(isComplete).toBe(true);
});

test('finds the registration of a badge code that a transfer has replaced', async () => {
  const { id, checkinCode } = await register(call, scope, { registrationTypeId: typeId });
  const body = { email: someEmail() };
  succeeded(await call('PATCH', `${eventPath}/registrations/${id}`, { body }));
  expect(await idsOf({ checkinCode })).toEqual([id]);
  const stranger = await createTestEvent(service.sql);
  expect(await idsOf({ checkinCode, businessUnitId: stranger.businessUnitId })).toEqual([]);
});

test('finds nothing of another business unit or event', async () => {
  const email = someEmail();
  const { checkinCode } = await register(call, scope, { email, registrationTypeId: typeId });
  const stranger = await createTestEvent(service.sql);
  for (const key of [{ email }, { checkinCode }]) {
    expect(await idsOf({ ...key, businessUnitId: stranger.businessUnitId })).toEqual([]);
    expect(await idsOf({ ...key, eventId: stranger.eventId })).toEqual([]);
    expect(await idsOf({ ...key, ...stranger })).toEqual([]);
  }
});

test('requires exactly one of email and badge code', async () => {
  expect(errorSummary(await find({}))).toEqual([400, 'email']);
  const both = { email: someEmail(), checkinCode: 'CHK-1' };
  expect(errorSummary(await find(both))).toEqual([400, 'checkinCode']);
});
