import { newId } from '@event-api/platform/core/ids';
import { readPdf } from '@event-api/platform/testing/badges';
import { describe, expect, test } from 'vitest';
import { call, eventPath, operator, scope, service, typeId, useRegistration } from '../context.ts';
import { createTestTicketType } from '../fixtures.ts';
import { errorSummary, register } from '../projection-fixtures.ts';

useRegistration();

const print = (body: object = {}, client = operator) =>
  client('POST', '/operator/badges.print', { body: { ...scope, ...body } });

const registerAs = (name: string | null, registrationTypeId = typeId) =>
  register(call, scope, { name, registrationTypeId });

/** The names on the pages, each in the place of the name. */
const namesOf = async (file: Buffer) =>
  (await readPdf(file)).map(({ text }) => text.split(/\s*\r?\n\s*/)[1]);

describe('badges.print', () => {
  test('has one page for each confirmed registration of the event, sorted by name', async () => {
    const zoe = await registerAs('Zoe');
    await registerAs('élan');
    await registerAs('Ada 10');
    await registerAs('Ada 9');
    const gone = await registerAs('Gone');
    await call('POST', `${eventPath}/registrations/${gone.id}/cancel`);
    const { status, headers, body } = await print();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="badges.pdf"',
      'cache-control': 'private, no-store',
    });
    expect(headers['next-cursor']).toBeUndefined();
    expect(await namesOf(body)).toEqual(['Ada 9', 'Ada 10', 'élan', 'Zoe']);
    expect((await readPdf(body)).at(-1)?.codes).toEqual([zoe.checkinCode]);
  });

  test('can be limited to a ticket type', async () => {
    const press = await createTestTicketType(service.sql, scope);
    await registerAs('Ada');
    await registerAs('Vera', press);
    expect(await namesOf((await print({ registrationTypeId: press })).body)).toEqual(['Vera']);
  });

  test('continues with the cursor of the previous file, also while people register', async () => {
    for (const name of ['C', 'A', 'B']) await registerAs(name);
    const first = await print({ limit: 2 });
    expect(await namesOf(first.body)).toEqual(['A', 'C']);
    await registerAs('D');
    const cursor = first.headers['next-cursor'];
    const second = await print({ limit: 2, cursor });
    expect(await namesOf(second.body)).toEqual(['B', 'D']);
    expect(second.headers['next-cursor']).toBeUndefined();
    const other = await print({ limit: 2, cursor, registrationTypeId: typeId });
    expect(errorSummary(other)).toEqual([400, 'cursor']);
  });

  test('is a 412 if nobody is confirmed, and a 404 for another event and another business unit', async () => {
    expect(errorSummary(await print())).toEqual([412, 'NOT_CONFIRMED']);
    await registerAs('Ada');
    expect((await print({ eventId: newId('evt') })).status).toBe(404);
    expect((await print({ businessUnitId: newId('unit') })).status).toBe(404);
  });

  test('needs the permission for badges, which reading people does not include', async () => {
    await registerAs('Ada');
    const { businessUnitId } = scope;
    const viewer = await service.person(businessUnitId, ['people.read']);
    expect((await print({}, viewer)).status).toBe(403);
    const door = await service.person(businessUnitId, ['badges']);
    expect((await print({}, door)).status).toBe(200);
  });
});
