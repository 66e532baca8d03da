import { newId } from '@event-api/platform/core/ids';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changeEvent,
  changeType,
  createTestCode,
  createTestEvent,
  createTestTicketType,
  someEmail,
  type TypeFields,
} from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { violatedInvariants } from '../invariants.ts';

let service: TestRegistration;
let sql: TestRegistration['sql'];
let scope: Awaited<ReturnType<typeof createTestEvent>>;
let typeId: string;
let call: HttpClient;
beforeAll(async () => {
  service = await startRegistration();
  sql = service.sql;
  scope = await createTestEvent(sql);
  typeId = await createTestTicketType(sql, scope);
  call = await service.as(scope.businessUnitId);
});
afterAll(async () => {
  expect(await violatedInvariants(sql)).toEqual({});
  await service?.close();
});

const post = (body: unknown, eventId = scope.eventId, by = call) =>
  by('POST', `/v1/events/${eventId}/registrations`, { body });
const register = (fields: object = {}) =>
  post({ email: someEmail(), registrationTypeId: typeId, ...fields });
const issuesOf = ({ status, body }: Awaited<ReturnType<HttpClient>>) => ({
  status,
  fields: body.error?.details?.map(({ field }: { field: string }) => field),
});
const reasonOf = ({ status, body }: Awaited<ReturnType<HttpClient>>) =>
  `${status} ${body.error?.details?.[0]?.reason ?? body.error?.status ?? ''}`;

describe('400', () => {
  test.each([
    ['missing', undefined],
    ['no string', 7],
    ['null', null],
    ['empty', ''],
    ['blank', '   '],
    ['no @', 'ada.example.com'],
    ['no local part', '@example.com'],
    ['no host', 'ada@'],
    ['two @', 'ada@b@example.com'],
    ['a space within', 'a da@example.com'],
    ['a host that begins with a hyphen', 'ada@-example.com'],
    ['a label of 64', `ada@${'a'.repeat(64)}.com`],
    ['letters that are not ASCII', 'zoë@example.com'],
    ['a host that is no domain', 'ada@exämple..com'],
    ['a dot at the beginning', '.ada@example.com'],
    ['two dots', 'a..da@example.com'],
    ['a local part of 65', `${'a'.repeat(65)}@example.com`],
    ['NUL', 'ada\0@example.com'],
    ['a display name', 'Ada <ada@example.com>'],
    ['255 characters', `${'a'.repeat(243)}@example.org`],
    ['5,000 characters', `${'a'.repeat(5000)}@example.org`],
  ])('for an email with %s', async (_, email) => {
    const response = await register({ email });
    expect(response.status).toBe(400);
    expect(new Set(issuesOf(response).fields)).toEqual(new Set(['email']));
  });

  test.each([
    ['a blank name', { name: ' ' }, 'name'],
    ['a name of 201', { name: 'x'.repeat(201) }, 'name'],
    ['a name that is a number', { name: 7 }, 'name'],
    ['a name with NUL', { name: 'a\0' }, 'name'],
    ['a name with half a sign', { name: 'a\ud800' }, 'name'],
    ['a type that is no string', { registrationTypeId: 7 }, 'registrationTypeId'],
    ['a code that is no string', { redemptionCode: {} }, 'redemptionCode'],
  ])('for %s', async (_, fields, field) => {
    const { status, fields: named } = issuesOf(await register(fields));
    expect({ status, named }).toEqual({ status: 400, named: [field] });
  });

  test('without a type in an event with types, before all rules', async () => {
    const event = await createTestEvent(sql, { ...scope, status: 'archived' });
    await createTestTicketType(sql, event, { status: 'closed' });
    const response = await post({ email: someEmail() }, event.eventId);
    expect(issuesOf(response)).toEqual({ status: 400, fields: ['registrationTypeId'] });
  });

  test.each([
    ['not an object', []],
    ['nothing', undefined],
  ])('for a body that is %s', async (_, body) => {
    expect((await post(body)).status).toBe(400);
  });

  test.each(['bogus', '', 'Confirmed', 'confirmed,pending'])(
    'for status=%s in a list',
    async (status) => {
      const path = `/v1/events/${scope.eventId}/registrations?status=${status}`;
      expect(issuesOf(await call('GET', path))).toEqual({ status: 400, fields: ['status'] });
    },
  );
});

describe('404', () => {
  test('for a type that is unknown, of another unit or of another event, with identical responses', async () => {
    const ownOther = await createTestTicketType(sql, await createTestEvent(sql, scope));
    const foreign = await createTestTicketType(sql, await createTestEvent(sql));
    const responses = [];
    for (const registrationTypeId of [newId('tt'), ownOther, foreign, 'x', 'tt_']) {
      responses.push(await register({ registrationTypeId }));
    }
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(responses[0]?.body.error.details).toMatchObject([
      { field: 'registrationTypeId', code: 'not_found' },
    ]);
  });

  test('for a type in an event without types', async () => {
    const bare = await createTestEvent(sql, scope);
    const body = { email: someEmail(), registrationTypeId: typeId };
    expect((await post(body, bare.eventId)).status).toBe(404);
  });

  test('for an event of another unit or an unknown one, with any body', async () => {
    const foreign = await createTestEvent(sql);
    const responses = await Promise.all([
      post({ email: 'no' }, foreign.eventId),
      post({ email: 'no' }, newId('evt')),
      post({ email: someEmail() }, 'evt_x'),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('before an existing registration', async () => {
    const email = someEmail();
    await register({ email });
    expect((await register({ email, registrationTypeId: newId('tt') })).status).toBe(404);
  });
});

describe('412', () => {
  test('reports the first error of: the event, the sale, the code, the seats', async () => {
    const event = await createTestEvent(sql, { ...scope, status: 'archived' });
    const type = await createTestTicketType(sql, event, { capacity: 1, status: 'closed' });
    const { code } = await createTestCode(sql, event, type);
    const rejectionOf = async (redemptionCode?: string) =>
      reasonOf(
        await post({ email: someEmail(), registrationTypeId: type, redemptionCode }, event.eventId),
      );
    expect(await rejectionOf('NOBODY')).toBe('412 EVENT_ARCHIVED');
    await changeEvent(sql, event, 'published');
    expect(await rejectionOf('NOBODY')).toBe('412 NOT_ON_SALE');
    await changeType(sql, type, { status: 'open' });
    expect(await rejectionOf()).toBe('201 ');
    expect(await rejectionOf('NOBODY')).toBe('412 CODE_INVALID');
    expect(await rejectionOf(code)).toBe('412 SOLD_OUT');
    expect(await rejectionOf()).toBe('412 SOLD_OUT');
  });
});

describe('a ticket type that is not on sale', () => {
  const dayMs = 24 * 60 * 60 * 1000;
  const yesterday = new Date(Date.now() - dayMs);
  const tomorrow = new Date(Date.now() + dayMs);

  test.each<[string, TypeFields, string]>([
    [
      'is a draft',
      { status: 'draft' },
      'The ticket type is a draft. It is not on sale until it is opened.',
    ],
    ['is closed', { status: 'closed' }, 'The ticket type is closed.'],
    ['is archived', { status: 'archived' }, 'The ticket type is archived.'],
    ['opens tomorrow', { opensAt: tomorrow }, 'The sale of the ticket type has not started.'],
    [
      'was on sale until yesterday',
      { closesAt: yesterday },
      'The sale of the ticket type has ended.',
    ],
    [
      'is a draft whose sale has ended',
      { status: 'draft', closesAt: yesterday },
      'The ticket type is a draft. It is not on sale until it is opened.',
    ],
  ])('responds 412 with the reason in the message when it %s', async (_, fields, message) => {
    const registrationTypeId = await createTestTicketType(sql, scope, fields);
    const { status, body } = await register({ registrationTypeId });
    expect(status).toBe(412);
    expect(body.error).toEqual({
      code: 412,
      status: 'FAILED_PRECONDITION',
      message,
      details: [{ reason: 'NOT_ON_SALE', field: 'registrationTypeId' }],
    });
  });
});

describe('a rejection that depends on a projection', () => {
  test('is 503 while the owner is unavailable; requests that do not need the owner succeed', async () => {
    const closed = await createTestTicketType(sql, scope, { status: 'closed' });
    service.owner.isUnavailable = true;
    expect((await register({ registrationTypeId: closed })).status).toBe(503);
    expect((await register()).status).toBe(201);
    service.owner.isUnavailable = false;
    expect(reasonOf(await register({ registrationTypeId: closed }))).toBe('412 NOT_ON_SALE');
  });
});
