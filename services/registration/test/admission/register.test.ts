import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changeEvent,
  changeType,
  createTestCode,
  createTestEvent,
  createTestTicketType,
  someEmail,
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
const reasonOf = ({ status, body }: Awaited<ReturnType<HttpClient>>) =>
  `${status} ${body.error?.details?.[0]?.reason ?? body.error?.status ?? ''}`;

const keys = [
  'id',
  'eventId',
  'email',
  'name',
  'status',
  'type',
  'registrationTypeId',
  'redemptionCodeId',
  'orderId',
  'attendeeId',
  'contactId',
  'checkinCode',
  'registeredAt',
  'cancelledAt',
  'rejectionReason',
  'responses',
  'offerExpiresAt',
  'offersMissed',
];

describe('201', () => {
  test('returns the complete registration and its Location', async () => {
    const email = someEmail();
    const { status, body, headers } = await register({ email, name: 'Ada' });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['registration', 'created']);
    expect(Object.keys(body.registration)).toEqual(keys);
    expect(body).toEqual({
      created: true,
      registration: {
        ...body.registration,
        eventId: scope.eventId,
        email,
        name: 'Ada',
        status: 'confirmed',
        type: 'attendee',
        registrationTypeId: typeId,
        redemptionCodeId: null,
        orderId: null,
        cancelledAt: null,
        rejectionReason: null,
      },
    });
    const { id, attendeeId, contactId, registeredAt } = body.registration;
    expect([id, attendeeId, contactId].map((one) => one.split('_')[0])).toEqual([
      'reg',
      'att',
      'con',
    ]);
    expect(registeredAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(headers.location).toBe(`/v1/events/${scope.eventId}/registrations/${id}`);
    expect((await call('GET', headers.location ?? '')).body).toEqual(body.registration);
  });

  test('gives each registration its own badge code of 16 unambiguous characters', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => register()));
    const codes = responses.map(({ body }) => body.registration.checkinCode);
    for (const code of codes) expect(code).toMatch(/^CHK-[0-9A-HJKMNP-TV-Z]{16}$/);
    expect(new Set(codes).size).toBe(50);
  });

  const longest = `${'a'.repeat(64)}@${'b.'.repeat(93)}org`;

  test.each([
    ['trims spaces', '  Ada.Trim@Example.com\t', 'Ada.Trim@Example.com'],
    ['keeps the case as it was given', 'MiXed@Example.COM', 'MiXed@Example.COM'],
    ['takes a host without a dot', 'root@localhost', 'root@localhost'],
    [
      'accepts every character that HTML5 accepts',
      "a.!#$%&'*+/=?^_`{|}~-b@example.org",
      "a.!#$%&'*+/=?^_`{|}~-b@example.org",
    ],
    ['takes 254 characters', longest, longest],
    ['stores the A-label of a host', 'ada@Exämple.com', 'ada@xn--exmple-cua.com'],
  ])('%s in an email', async (_, email, expected) => {
    const { status, body } = await register({ email });
    expect(status).toBe(201);
    expect(body.registration.email).toBe(expected);
  });

  test.each([
    ['none', undefined, null],
    ['null', null, null],
    ['200 signs of two units each', '😀'.repeat(200), '😀'.repeat(200)],
    ['spaces around', '  Zoë  ', 'Zoë'],
  ])('accepts as a name: %s', async (_, name, expected) => {
    const { status, body } = await register({ name });
    expect(status).toBe(201);
    expect(body.registration.name).toBe(expected);
  });

  test('rejects the fields that only a response has, with another value than that of the record', async () => {
    const sent = { status: 'pending', checkinCode: 'CHK-1', id: 'reg_1', type: 'attendee' };
    const { status, body } = await register(sent);
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([
      { field: 'status', code: 'read_only_field' },
      { field: 'checkinCode', code: 'read_only_field' },
      { field: 'id', code: 'read_only_field' },
    ]);
    expect(body.error.details[0].issue).toBe(
      'cannot be set here; `approveRegistration`, `rejectRegistration` and `cancelRegistration` set it',
    );
    expect((await register({ type: 'attendee' })).status).toBe(201);
  });

  test('treats null for an optional field as an absent field', async () => {
    const { status, body } = await register({ name: null, redemptionCode: null });
    expect(status).toBe(201);
    expect(body.registration).toMatchObject({ name: null, redemptionCodeId: null });
    const missing = await register({ registrationTypeId: null });
    expect(missing.status).toBe(400);
    expect(missing.body.error.details).toMatchObject([
      { field: 'registrationTypeId', code: 'required' },
    ]);
  });

  test('needs no type in an event without types or with archived types only', async () => {
    const bare = await createTestEvent(sql, scope);
    const none = await post({ email: someEmail() }, bare.eventId);
    expect(none.body.registration).toMatchObject({ status: 'confirmed', registrationTypeId: null });
    await createTestTicketType(sql, bare, { status: 'archived' });
    expect((await post({ email: someEmail() }, bare.eventId)).status).toBe(201);
  });

  test('accepts a code in any case', async () => {
    const { id, code } = await createTestCode(sql, scope, typeId);
    expect((await register({ redemptionCode: ` ${code.toLowerCase()} ` })).status).toBe(201);
    const uses = 'select uses from registration.redemption_code where id = $1';
    expect(await sql(uses, [id])).toEqual([{ uses: 1 }]);
    expect(reasonOf(await register({ redemptionCode: code }))).toBe('412 CODE_INVALID');
  });
});

test('takes ticketTypeId for registrationTypeId, and rejects two different ones', async () => {
  const created = await post({ email: someEmail(), ticketTypeId: typeId });
  expect(created.body.registration.registrationTypeId).toBe(typeId);
  const both = await register({ ticketTypeId: 'tt_other' });
  expect([both.status, both.body.error.details]).toMatchObject([
    400,
    [{ field: 'ticketTypeId', code: 'invalid_value' }],
  ]);
  const path = `/v1/events/${scope.eventId}/registrations?ticketTypeId=${typeId}`;
  const listed = (await call('GET', path)).body.registrations;
  expect(listed[0].id).toBe(created.body.registration.id);
  expect((await call('GET', `${path}&registrationTypeId=tt_other`)).status).toBe(400);
});

describe('200 with created: false', () => {
  test('returns the existing registration for any spelling of the email', async () => {
    const first = await register({ email: 'Once@Example.com', name: 'Ada' });
    const again = await register({ email: ' once@EXAMPLE.com ', name: 'Other' });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ registration: first.body.registration, created: false });
    expect(again.headers.location).toBeUndefined();
  });

  test('even if the type is sold out, off sale or archived by now, or the code is used up', async () => {
    const event = await createTestEvent(sql, scope);
    const type = await createTestTicketType(sql, event, { capacity: 1 });
    const { code } = await createTestCode(sql, event, type);
    const body = { email: someEmail(), registrationTypeId: type, redemptionCode: code };
    const first = await post(body, event.eventId);
    expect(first.status).toBe(201);
    for (const change of [
      async () => {},
      () => changeType(sql, type, { status: 'closed' }),
      () => changeEvent(sql, event, 'archived'),
    ]) {
      await change();
      const again = await post(body, event.eventId);
      expect(again).toMatchObject({ status: 200, body: { created: false } });
      expect(again.body.registration.id).toBe(first.body.registration.id);
    }
  });
});

describe('the person', () => {
  test('is one contact in a unit and one attendee in an event', async () => {
    const email = someEmail();
    const { body: first } = await register({ email });
    await call('POST', `/v1/events/${scope.eventId}/registrations/${first.registration.id}/cancel`);
    const { status, body: retried } = await register({ email: email.toUpperCase() });
    expect(status).toBe(201);
    expect(retried.registration.id).not.toBe(first.registration.id);
    expect(retried.registration).toMatchObject({
      attendeeId: first.registration.attendeeId,
      contactId: first.registration.contactId,
    });
    const other = await createTestEvent(sql, scope);
    const { body: elsewhere } = await post({ email }, other.eventId);
    expect(elsewhere.registration.contactId).toBe(first.registration.contactId);
    expect(elsewhere.registration.attendeeId).not.toBe(first.registration.attendeeId);
  });

  test('is another contact in another unit', async () => {
    const email = someEmail();
    const foreign = await createTestEvent(sql);
    const other = await service.as(foreign.businessUnitId);
    const { body: theirs } = await post({ email }, foreign.eventId, other);
    const { body: ours } = await register({ email });
    expect(theirs.registration.contactId).not.toBe(ours.registration.contactId);
  });
});
