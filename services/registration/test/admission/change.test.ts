import { unavailable } from '@event-api/platform/core/errors';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, eventPath, scope, service, typeId, useRegistration } from '../context.ts';
import {
  changeEvent,
  changeType,
  createTestCode,
  createTestEvent,
  createTestTicketType,
  someEmail,
} from '../fixtures.ts';

/** The doors, as onsite knows them. */
const doors = {
  asked: null as unknown,
  answer: async (): Promise<object> => ({ checkedIn: false }),
};
const onsite: ServiceClient = {
  call: async (_operation, body) => {
    doors.asked = body;
    return (await doors.answer()) as never;
  },
};

useRegistration({ onsite });
beforeEach(() => {
  doors.answer = async () => ({ checkedIn: false });
});

const path = () => `${eventPath}/registrations`;

async function register(fields: object = {}) {
  const body = { email: someEmail(), registrationTypeId: typeId, ...fields };
  return (await call('POST', path(), { body })).body.registration;
}

const patch = (id: string, body: object, by: HttpClient = call) =>
  by('PATCH', `${path()}/${id}`, { body });
const read = async (id: string) => (await call('GET', `${path()}/${id}`)).body;
const createType = (fields: Parameters<typeof createTestTicketType>[2] = {}) =>
  createTestTicketType(service.sql, scope, fields);

const reasonOf = ({ status, body }: Awaited<ReturnType<typeof patch>>) => [
  status,
  body.error?.details?.[0]?.reason ?? body.error?.details?.[0]?.field ?? null,
];

async function attendeeOf(id: string) {
  const { attendeeId } = await read(id);
  return (await call('GET', `${eventPath}/attendees/${attendeeId}`)).body;
}

/** The last snapshot of a registration that was emitted. */
async function emitted(id: string) {
  const rows = await service.sql<{ data: Record<string, unknown> }>(
    `select s->'data' as data from registration.outbox_message o, jsonb_array_elements(o.payload::jsonb) s
     where s->>'aggregateId' = $1 order by (s->>'version')::bigint desc limit 1`,
    [id],
  );
  return rows[0]?.data;
}

describe('a change of the name', () => {
  test('changes only the name, also that of the attendee', async () => {
    const before = await register({ name: 'Ada' });
    const { status, body } = await patch(before.id, { name: 'Ada Lovelace' });
    expect([status, body]).toEqual([
      ...[200, { ...before, name: 'Ada Lovelace', checkedIn: false }],
    ]);
    const { checkedIn: _, ...changed } = body;
    expect(await read(before.id)).toEqual(changed);
    expect(await attendeeOf(before.id)).toMatchObject({ name: 'Ada Lovelace' });
    expect(await emitted(before.id)).toMatchObject({ name: 'Ada Lovelace' });
    expect((await patch(before.id, { name: null })).body.name).toBeNull();
  });

  test('that a registration has already changes nothing, as does the whole record', async () => {
    const before = await register({ name: 'Ada' });
    const count = async () =>
      (await service.sql('select id from registration.outbox_message')).length;
    const messages = await count();
    const { body: again } = await patch(before.id, {});
    for (const body of [{}, { name: 'Ada' }, before, again]) {
      expect(await patch(before.id, body)).toMatchObject({ status: 200, body: before });
    }
    expect(await count()).toBe(messages);
  });
});

describe('a change of the answers', () => {
  test('replaces them all, and keeps the rest', async () => {
    const before = await register({ name: 'Ada', responses: { diet: 'vegan', size: 'M' } });
    const responses = { size: 'L', agrees: true };
    const { status, body } = await patch(before.id, { responses });
    expect([status, body]).toEqual([200, { ...before, responses, checkedIn: false }]);
    expect((await read(before.id)).responses).toEqual(responses);
  });
});

describe('a change of what another caller may have changed', () => {
  test.each([
    ['name', { name: 'Ida' }],
    ['email', { email: 'other@example.com' }],
    ['registrationTypeId', { registrationTypeId: null }],
    ['responses', { responses: { diet: 'none' } }],
  ])('is a 412 that names the %s, and changes nothing', async (field, expected) => {
    const before = await register({ name: 'Ada', responses: { diet: 'vegan' } });
    const response = await patch(before.id, { name: 'Grace', expected });
    expect(reasonOf(response)).toEqual([412, 'REGISTRATION_CHANGED']);
    expect(response.body.error.details[0].field).toBe(`expected.${field}`);
    expect(await read(before.id)).toEqual(before);
  });

  test('succeeds on what it has read, in any order of the answers', async () => {
    const responses = { diet: 'vegan', size: 'M' };
    const { id, email } = await register({ name: 'Ada', responses });
    const same = { size: 'M', diet: 'vegan' };
    const expected = { name: 'Ada', email, registrationTypeId: typeId, responses: same };
    expect(await patch(id, { name: 'Grace', expected })).toMatchObject({ status: 200 });
    expect(reasonOf(await patch(id, { name: 'Ida', expected }))).toEqual([
      ...[412, 'REGISTRATION_CHANGED'],
    ]);
    expect((await read(id)).name).toBe('Grace');
  });
});

describe('a transfer', () => {
  test('changes the person and the badge, and keeps all else', async () => {
    const { code } = await createTestCode(service.sql, scope, typeId);
    const before = await register({ name: 'Ada', redemptionCode: code });
    const email = someEmail();
    const { status, body } = await patch(before.id, { email, name: 'Grace' });
    const { attendeeId, contactId, checkinCode } = body;
    expect([status, body]).toEqual([
      200,
      { ...before, email, name: 'Grace', attendeeId, contactId, checkinCode, checkedIn: false },
    ]);
    expect(checkinCode).toMatch(/^CHK-\w{16}$/);
    for (const field of ['attendeeId', 'contactId', 'checkinCode']) {
      expect(body[field]).not.toBe(before[field]);
    }
    expect(await emitted(before.id)).toMatchObject({
      checkinCode,
      replacedCheckinCodes: [before.checkinCode],
    });
    const former = await call('GET', `${eventPath}/attendees/${before.attendeeId}`);
    expect(former.body).toMatchObject({ registrationIds: [], status: 'cancelled' });
    expect(await attendeeOf(before.id)).toMatchObject({ email, registrationIds: [before.id] });
  });

  test('without a name keeps the name', async () => {
    const { id } = await register({ name: 'Ada' });
    expect((await patch(id, { email: someEmail() })).body.name).toBe('Ada');
  });

  test('to an email with an active registration is rejected in any spelling', async () => {
    const [ada, grace] = [await register(), await register()];
    const response = await patch(ada.id, { email: grace.email.toUpperCase(), name: 'Ada' });
    expect(response.body.error.details).toEqual([
      { reason: 'ATTENDEE_REGISTERED', field: 'email' },
    ]);
    expect(await read(ada.id)).toEqual(ada);
  });

  test('to a person who was registered before is to the same attendee', async () => {
    const [ada, grace] = [await register(), await register()];
    await call('POST', `${path()}/${grace.id}/cancel`);
    const { status, body } = await patch(ada.id, { email: grace.email });
    expect(status).toBe(200);
    expect(body).toMatchObject({ attendeeId: grace.attendeeId, contactId: grace.contactId });
    expect(await attendeeOf(ada.id)).toMatchObject({ registrationIds: [ada.id, grace.id] });
  });

  test('releases the former email', async () => {
    const { id, email } = await register();
    await patch(id, { email: someEmail() });
    expect(await register({ email })).toMatchObject({ status: 'confirmed', email });
  });

  test('and back keeps every replaced code', async () => {
    const first = await register();
    const second = (await patch(first.id, { email: someEmail() })).body;
    const third = (await patch(first.id, { email: first.email })).body;
    expect(third).toMatchObject({ attendeeId: first.attendeeId });
    expect(new Set([first, second, third].map(({ checkinCode }) => checkinCode)).size).toBe(3);
    const { replacedCheckinCodes } = (await emitted(first.id)) ?? {};
    expect(new Set(replacedCheckinCodes as string[])).toEqual(
      new Set([first.checkinCode, second.checkinCode]),
    );
  });

  test('to another spelling of the same email keeps the badge', async () => {
    const before = await register();
    const email = before.email.toUpperCase();
    const { body } = await patch(before.id, { email });
    expect(body).toEqual({ ...before, email, checkedIn: false });
  });

  test('of one person and a registration of the former email can be one batch', async () => {
    const { id, email } = await register();
    const responses = await Promise.all([
      patch(id, { email: someEmail() }),
      ...Array.from({ length: 5 }, () =>
        call('POST', path(), { body: { email, registrationTypeId: typeId } }),
      ),
    ]);
    expect(responses.map(({ status }) => status).filter((status) => status > 201)).toEqual([]);
  });
});

describe('the response', () => {
  test.each([
    [{ checkedIn: true }, true],
    [{ checkedIn: false }, false],
  ])('says what the doors say about the registration: %o', async (answer, checkedIn) => {
    doors.answer = async () => answer;
    const { id } = await register();
    const { body } = await patch(id, { email: someEmail() });
    expect(body.checkedIn).toBe(checkedIn);
    expect(doors.asked).toMatchObject({ ...scope, registrationId: id });
  });

  test.each([
    [true, true, 200],
    [false, false, 200],
    [true, null, 200],
    [true, false, 400],
    [false, true, 400],
    [false, 'yes', 400],
    [null, true, 400],
  ])('may be sent back, if the doors (%j) say what it says (%j): %i', async (known, sent, code) => {
    doors.answer = async () => {
      if (known === null) throw unavailable();
      return { checkedIn: known };
    };
    const before = await register({ name: 'Ada' });
    const { status, body } = await patch(before.id, { ...before, name: 'Ida', checkedIn: sent });
    expect(status).toBe(code);
    expect(await read(before.id)).toMatchObject({ name: code === 200 ? 'Ida' : 'Ada' });
    if (code === 200) return;
    const issue = 'cannot be set here; `createCheckin` and `undoCheckin` set it';
    expect(body.error.details).toEqual([{ field: 'checkedIn', issue, code: 'read_only_field' }]);
  });

  test('says nothing about it while the doors do not respond, and the change is made', async () => {
    doors.answer = async () => {
      throw unavailable();
    };
    const { id } = await register();
    const email = someEmail();
    expect(await patch(id, { email })).toMatchObject({ status: 200, body: { checkedIn: null } });
    expect(await read(id)).toMatchObject({ email });
  });
});

describe('another ticket type', () => {
  test('takes a seat there; the freed seat goes to the waitlist in the same batch', async () => {
    await changeType(service.sql, typeId, { capacity: 1, allowWaitlist: true });
    const other = await createType({ capacity: 1 });
    const [seated, waiting] = [await register(), await register()];
    expect(waiting.status).toBe('waitlisted');
    const { body } = await patch(seated.id, { registrationTypeId: other });
    expect(body).toEqual({ ...seated, registrationTypeId: other, checkedIn: false });
    expect((await read(waiting.id)).status).toBe('confirmed');
    const last = await register({ email: someEmail() });
    expect(reasonOf(await patch(waiting.id, { registrationTypeId: other }))).toEqual([
      412,
      'SOLD_OUT',
    ]);
    expect((await read(last.id)).status).toBe('waitlisted');
    expect(await emitted(seated.id)).toMatchObject({ ticketTypeId: other });
  });

  test('of a waitlisted registration confirms it if a seat is available there', async () => {
    await changeType(service.sql, typeId, { capacity: 1, allowWaitlist: true });
    const other = await createType({ capacity: 1, allowWaitlist: true });
    await register();
    const [first, second] = [await register(), await register()];
    const statusAfter = async (id: string) => {
      await patch(id, { registrationTypeId: other });
      return (await read(id)).status;
    };
    expect(await statusAfter(second.id)).toBe('confirmed');
    expect(await statusAfter(first.id)).toBe('waitlisted');
  });

  test('goes to the end of the waitlist there', async () => {
    const other = await createType({ capacity: 1, allowWaitlist: true });
    await changeType(service.sql, typeId, { capacity: 1, allowWaitlist: true });
    const seated = await register({ registrationTypeId: other });
    await register();
    const mover = await register();
    const waiting = await register({ registrationTypeId: other });
    await patch(mover.id, { registrationTypeId: other });
    await call('POST', `${path()}/${seated.id}/cancel`);
    expect((await read(waiting.id)).status).toBe('confirmed');
    expect((await read(mover.id)).status).toBe('waitlisted');
  });

  test('that costs more or is archived is rejected; one of another event is unknown', async () => {
    const { id } = await register();
    const elsewhere = await createTestEvent(service.sql, scope);
    const cases: [string, unknown[]][] = [
      [await createType({ priceAmount: 1 }), [412, 'PRICE_HIGHER']],
      [await createType({ status: 'archived' }), [412, 'NOT_ON_SALE']],
      [await createTestTicketType(service.sql, elsewhere), [404, 'registrationTypeId']],
      ['tt_none', [404, 'registrationTypeId']],
    ];
    for (const [registrationTypeId, expected] of cases) {
      expect(reasonOf(await patch(id, { registrationTypeId, name: 'Ada' }))).toEqual(expected);
    }
    expect(await read(id)).toMatchObject({ registrationTypeId: typeId, name: null });
  });
});

describe('an application that moves to a ticket type without approval', () => {
  async function apply() {
    await changeType(service.sql, typeId, { requiresApproval: true, priceAmount: 2500 });
    const application = await register();
    expect(application.status).toBe('pending');
    return application;
  }
  const statusAfter = async (id: string, type: Parameters<typeof createType>[0]) => {
    const { body } = await patch(id, { registrationTypeId: await createType(type) });
    const { status, offerExpiresAt } = await read(id);
    expect(body.status).toBe(status);
    return [status, offerExpiresAt !== null];
  };

  test('is confirmed, waits for a seat, or is offered one that has a price', async () => {
    const full = await createType({ capacity: 1, allowWaitlist: true });
    await register({ registrationTypeId: full });
    const waiting = await register({ registrationTypeId: full });
    expect(await statusAfter((await apply()).id, {})).toEqual(['confirmed', false]);
    expect(await statusAfter((await apply()).id, { priceAmount: 2500 })).toEqual([
      'waitlisted',
      true,
    ]);
    expect(await statusAfter((await apply()).id, { requiresApproval: true })).toEqual([
      'pending',
      false,
    ]);
    const { id } = await apply();
    expect((await patch(id, { registrationTypeId: full })).body.status).toBe('waitlisted');
    await changeType(service.sql, full, { capacity: 2 });
    await call('GET', path());
    expect([(await read(waiting.id)).status, (await read(id)).status]).toEqual([
      'confirmed',
      'waitlisted',
    ]);
  });

  test('stays as it is if that type is full and has no waitlist', async () => {
    const full = await createType({ capacity: 1 });
    await register({ registrationTypeId: full });
    const before = await apply();
    const response = await patch(before.id, { registrationTypeId: full });
    expect(reasonOf(response)).toEqual([412, 'SOLD_OUT']);
    expect(await read(before.id)).toEqual(before);
  });
});

describe('a registration', () => {
  test.each(['cancel', 'reject'])('that is closed by %s cannot change', async (close) => {
    await changeType(service.sql, typeId, { requiresApproval: close === 'reject' });
    const { id } = await register();
    await call('POST', `${path()}/${id}/${close}`);
    for (const body of [{ name: 'Ada' }, { email: someEmail() }]) {
      expect(reasonOf(await patch(id, body))).toEqual([412, 'REGISTRATION_CLOSED']);
    }
  });

  test('of an archived event cannot change', async () => {
    const { id } = await register();
    await changeEvent(service.sql, scope, 'archived');
    expect(reasonOf(await patch(id, { name: 'Ada' }))).toEqual([412, 'EVENT_ARCHIVED']);
  });

  test.each([
    ['email', { email: null }],
    ['email', { email: 'nobody' }],
    ['name', { name: '' }],
    ['registrationTypeId', { registrationTypeId: 7 }],
  ])('keeps its values after an invalid %s', async (field, body) => {
    const { id } = await register();
    const response = await patch(id, body);
    expect(reasonOf(response)).toEqual([400, field]);
  });

  test('of another event or business unit is an identical 404', async () => {
    const { id } = await register();
    const elsewhere = await createTestEvent(service.sql, scope);
    const foreign = await createTestEvent(service.sql);
    const body = { name: 'Ada' };
    const responses = [
      await call('PATCH', `/v1/events/${elsewhere.eventId}/registrations/${id}`, { body }),
      await patch(id, body, await service.as(foreign.businessUnitId)),
      await patch('reg_none', body),
    ];
    for (const { status, body: error } of responses) {
      expect([status, error]).toEqual([404, responses[0]?.body]);
    }
  });
});
