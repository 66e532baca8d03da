import { newId } from '@event-api/platform/core/ids';
import { describe, expect, test } from 'vitest';
import { call, scope, service, typeId, useRegistration } from './context.ts';
import { changeType, createTestEvent, unique } from './fixtures.ts';
import { register, succeeded } from './projection-fixtures.ts';

useRegistration();

const pathOf = (collection: string, id = '', { eventId } = scope) =>
  `/v1/events/${eventId}/${collection}${id && `/${id}`}`;
const read = async (collection: string, id: string) =>
  succeeded(await call('GET', pathOf(collection, id)));

const createCode = async (fields: object = {}) => {
  const body = { registrationTypeId: typeId, ...fields };
  const created = succeeded(await call('POST', pathOf('redemption-codes'), { body }), 201);
  return created.redemptionCodes[0];
};

const create = {
  'redemption-codes': createCode,
  attendees: async () => {
    await register(call, scope, { registrationTypeId: typeId });
    return succeeded(await call('GET', pathOf('attendees'))).attendees[0];
  },
};
const collections = Object.keys(create) as (keyof typeof create)[];

describe.each(collections)('GET %s/{id}', (collection) => {
  test('returns the record', async () => {
    const record = await create[collection]();
    expect(await read(collection, record.id)).toEqual(record);
  });

  test('returns one 404 for an unknown id, another event and another business unit', async () => {
    const { id } = await create[collection]();
    const { businessUnitId } = scope;
    const otherEvent = await createTestEvent(service.sql, { businessUnitId });
    const otherUnit = await service.as(newId('unit'));
    const responses = [
      await call('GET', pathOf(collection, newId('att'))),
      await call('GET', pathOf(collection, '%00')),
      await call('GET', pathOf(collection, id, otherEvent)),
      await call('GET', pathOf(collection, id, { ...scope, eventId: newId('evt') })),
      await otherUnit('GET', pathOf(collection, id)),
    ];
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });
});

test('a code is read with its current uses and status', async () => {
  const code = await createCode({ maxUses: 2 });
  const body = { registrationTypeId: typeId, redemptionCode: code.code };
  await register(call, scope, body);
  expect(await read('redemption-codes', code.id)).toEqual({ ...code, uses: 1 });
  await call('POST', `${pathOf('redemption-codes', code.id)}/disable`);
  expect(await read('redemption-codes', code.id)).toMatchObject({ uses: 1, status: 'disabled' });
});

test('a code named lookup does not shadow the lookup of codes', async () => {
  const code = await createCode({ code: unique('lookup') });
  const found = succeeded(
    await call('GET', `${pathOf('redemption-codes', 'lookup')}?code=${code.code}`),
  );
  expect(found).toMatchObject({ code: code.code, registrationType: { id: typeId } });
});

test('an attendee is read with a promotion that became possible', async () => {
  await changeType(service.sql, typeId, { capacity: 1 });
  await service.sql(
    'update registration.ticket_type_projection set allow_waitlist = true, version = version + 1 where id = $1',
    [typeId],
  );
  await register(call, scope, { registrationTypeId: typeId });
  const { attendeeId, status } = await register(call, scope, { registrationTypeId: typeId });
  expect(status).toBe('waitlisted');
  await changeType(service.sql, typeId, { capacity: 2 });
  expect(await read('attendees', attendeeId)).toMatchObject({ status: 'confirmed' });
});
