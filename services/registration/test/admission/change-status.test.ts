import { newId } from '@event-api/platform/core/ids';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { atStep } from '@event-api/platform/testing/switches/switches';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPerson } from '../../src/registrations/person.ts';
import {
  changeEvent,
  createTestCode,
  createTestEvent,
  createTestTicketType,
  someEmail,
} from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { violatedInvariants } from '../invariants.ts';

let service: TestRegistration;
let sql: TestRegistration['sql'];
beforeAll(async () => {
  service = await startRegistration();
  sql = service.sql;
});
afterAll(async () => {
  expect(await violatedInvariants(sql)).toEqual({});
  await service?.close();
});

async function createFixture(fields: Parameters<typeof createTestTicketType>[2] = {}) {
  const scope = await createTestEvent(sql);
  const typeId = await createTestTicketType(sql, scope, fields);
  const call = await service.as(scope.businessUnitId);
  const path = `/v1/events/${scope.eventId}/registrations`;
  const register = async (more: object = {}) => {
    const body = { email: someEmail(), registrationTypeId: typeId, ...more };
    return (await call('POST', path, { body })).body.registration;
  };
  const move = (id: string, to: string, body?: unknown, by: HttpClient = call) =>
    by('POST', `${path}/${id}/${to}`, body === undefined ? {} : { body });
  return { scope, typeId, call, path, register, move };
}

/** A registration in this status. */
async function createInStatus(status: string) {
  const event = await createFixture({ requiresApproval: true, capacity: 1, allowWaitlist: true });
  const { register, move } = event;
  if (status === 'waitlisted') await move((await register()).id, 'approve');
  const { id } = await register();
  if (status === 'confirmed' || status === 'waitlisted') await move(id, 'approve');
  if (status === 'rejected') await move(id, 'reject');
  if (status === 'cancelled') await move(id, 'cancel');
  expect((await event.call('GET', `${event.path}/${id}`)).body.status).toBe(status);
  return { ...event, id };
}

const table: Record<string, Record<string, string>> = {
  approve: {
    pending: '200 confirmed',
    confirmed: '412 NOT_PENDING',
    waitlisted: '412 NOT_PENDING',
    rejected: '412 NOT_PENDING',
    cancelled: '412 NOT_PENDING',
  },
  reject: {
    pending: '200 rejected',
    confirmed: '412 NOT_PENDING',
    waitlisted: '412 NOT_PENDING',
    rejected: '412 NOT_PENDING',
    cancelled: '412 NOT_PENDING',
  },
  cancel: {
    pending: '200 cancelled',
    confirmed: '200 cancelled',
    waitlisted: '200 cancelled',
    rejected: '200 rejected',
    cancelled: '200 cancelled',
  },
};
const cells = Object.entries(table).flatMap(([to, row]) =>
  Object.entries(row).map(([from, expected]) => [to, from, expected] as const),
);

describe('a change of the status on what its caller has read', () => {
  const others = {
    status: 'waitlisted',
    email: 'other@example.com',
    name: 'Ida',
    registrationTypeId: null,
    responses: { diet: 'none' },
  };
  const cells = ['approve', 'reject', 'cancel', 'confirm'].flatMap((to) =>
    Object.entries(others).map(([field, value]) => [to, field, value] as const),
  );

  test.each(cells)(
    '%s is a 412 that names the %s, and changes nothing',
    async (to, field, value) => {
      const { call, path, register, change } = await createExpecting();
      const before = await register({ name: 'Ada', responses: { diet: 'vegan' } });
      const { status, body } = await change(before.id, to, { expected: { [field]: value } });
      expect([status, body.error.details[0]]).toMatchObject([
        412,
        { reason: 'REGISTRATION_CHANGED', field: `expected.${field}` },
      ]);
      expect((await call('GET', `${path}/${before.id}`)).body).toEqual(before);
    },
  );

  test.each(['approve', 'reject', 'cancel', 'confirm'])(
    '%s succeeds once on all that was read, and is a 412 the second time',
    async (to) => {
      const { register, change } = await createExpecting();
      const { id, ...before } = await register({ name: 'Ada', responses: { a: 1, b: 2 } });
      const { status, email, name, registrationTypeId: ticketTypeId } = before;
      const expected = { status, email, name, ticketTypeId, responses: { b: 2, a: 1 } };
      expect(await change(id, to, { expected })).toMatchObject({ status: 200 });
      expect(await change(id, to, { expected })).toMatchObject({
        status: 412,
        body: { error: { details: [{ reason: 'REGISTRATION_CHANGED' }] } },
      });
    },
  );

  async function createExpecting() {
    const event = await createFixture({ requiresApproval: true });
    const { scope, move } = event;
    const operator = await service.operator();
    const change = (registrationId: string, to: string, body: object) =>
      to === 'confirm'
        ? operator('POST', '/operator/registration.confirm', {
            body: { ...scope, registrationId, ...body },
          })
        : move(registrationId, to, body);
    return { ...event, change };
  }
});

describe('every operation in every status', () => {
  test.each(cells)('%s of one that is %s: %s', async (to, from, expected) => {
    const { call, path, id, move } = await createInStatus(from);
    const before = (await call('GET', `${path}/${id}`)).body;
    const { status, body } = await move(id, to);
    expect(`${status} ${body.status ?? body.error.details[0].reason}`).toBe(expected);
    const after = (await call('GET', `${path}/${id}`)).body;
    if (status === 200) expect(after).toEqual(body);
    else expect(after).toEqual(before);
    if (expected.endsWith(from)) expect(after).toEqual(before);
  });
});

describe('approve', () => {
  test('waitlists when the type is full, and is rejected if it has no waitlist', async () => {
    for (const [allowWaitlist, expected] of [
      [true, '200 waitlisted'],
      [false, '412 SOLD_OUT'],
    ] as const) {
      const { register, move } = await createFixture({
        requiresApproval: true,
        capacity: 1,
        allowWaitlist,
      });
      await move((await register()).id, 'approve');
      const { id } = await register();
      const { status, body } = await move(id, 'approve');
      expect(`${status} ${body.status ?? body.error.details[0].reason}`).toBe(expected);
    }
  });

  test('is rejected in an archived event; reject and cancel are not', async () => {
    const { scope, register, move } = await createFixture({ requiresApproval: true });
    const [a, b] = [await register(), await register()];
    await changeEvent(sql, scope, 'archived');
    expect((await move(a.id, 'approve')).body.error.details).toEqual([
      { reason: 'EVENT_ARCHIVED' },
    ]);
    expect((await move(a.id, 'reject')).status).toBe(200);
    expect((await move(b.id, 'cancel')).status).toBe(200);
  });
});

describe('reject', () => {
  test.each([
    ['no body', undefined, null],
    ['an empty object', {}, null],
    ['null', { reason: null }, null],
    ['a reason, trimmed', { reason: '  no room ' }, 'no room'],
    ['200 signs', { reason: '😀'.repeat(200) }, '😀'.repeat(200)],
  ])('accepts %s', async (_, body, reason) => {
    const { register, move } = await createFixture({ requiresApproval: true });
    const response = await move((await register()).id, 'reject', body);
    expect(response).toMatchObject({
      status: 200,
      body: { status: 'rejected', rejectionReason: reason },
    });
    expect(response.body.cancelledAt).toBeNull();
  });

  test.each([
    ['201 signs', { reason: 'x'.repeat(201) }],
    ['a number', { reason: 7 }],
    ['NUL', { reason: 'a\0' }],
  ])('rejects %s, and the registration stays pending', async (_, body) => {
    const { call, path, register, move } = await createFixture({ requiresApproval: true });
    const { id } = await register();
    const response = await move(id, 'reject', body);
    expect(response.status).toBe(400);
    expect(response.body.error.details[0].field).toBe('reason');
    expect((await call('GET', `${path}/${id}`)).body.status).toBe('pending');
  });
});

describe('cancel', () => {
  test('records its time once and releases the seat, the use and the email', async () => {
    const { scope, typeId, call, register, move } = await createFixture({ capacity: 1 });
    const { id: codeId, code } = await createTestCode(sql, scope, typeId);
    const email = someEmail();
    const { id } = await register({ email, redemptionCode: code });
    const first = await move(id, 'cancel');
    expect(first.body.cancelledAt).toMatch(/Z$/);
    expect((await move(id, 'cancel')).body).toEqual(first.body);
    const availability = await call(
      'GET',
      `/v1/events/${scope.eventId}/ticket-types/${typeId}/availability`,
    );
    expect(availability.body).toEqual({
      capacity: 1,
      confirmed: 0,
      waitlisted: 0,
      held: 0,
      remaining: 1,
    });
    expect(
      await sql('select uses from registration.redemption_code where id = $1', [codeId]),
    ).toEqual([{ uses: 0 }]);
    expect((await register({ email, redemptionCode: code })).status).toBe('confirmed');
  });

  test('gives the seat to the oldest waitlisted registration', async () => {
    const { call, path, register, move } = await createFixture({
      capacity: 1,
      allowWaitlist: true,
    });
    const [seated, oldest, next] = [await register(), await register(), await register()];
    await move(seated.id, 'cancel');
    const statusOf = async (id: string) => (await call('GET', `${path}/${id}`)).body.status;
    expect([await statusOf(oldest.id), await statusOf(next.id)]).toEqual([
      'confirmed',
      'waitlisted',
    ]);
  });

  test('lets the same email register again in the same batch', async () => {
    const { scope, typeId, register } = await createFixture({ capacity: 1 });
    const email = someEmail();
    const { id } = await register({ email });
    const { admission } = service.replica(0);
    let batches = 0;
    atStep('admission.read', () => {
      batches += 1;
    });
    const person = createPerson(scope.businessUnitId, { email, name: null });
    const [left, again] = await Promise.all([
      admission.submit(scope, { kind: 'cancel', registrationId: id }),
      admission.submit(scope, {
        kind: 'register',
        input: { person, ticketTypeId: typeId, codeKey: null },
      }),
    ]);
    expect([left.result.outcome, again.result.outcome, batches]).toEqual([
      'changed',
      'registered',
      1,
    ]);
  });
});

describe('an identical 404', () => {
  const operations: [method: string, suffix: string, body?: object][] = [
    ['GET', ''],
    ['POST', '/approve'],
    ['POST', '/reject', { reason: 7 }],
    ['POST', '/cancel'],
  ];
  test.each(operations)(
    '%s …%s of a registration of another unit, of another event or an unknown one',
    async (method, suffix, body) => {
      const [own, other, foreign] = [
        await createFixture(),
        await createFixture(),
        await createFixture(),
      ];
      const otherCall = await service.as(own.scope.businessUnitId);
      await sql('update registration.event_projection set business_unit_id = $2 where id = $1', [
        other.scope.eventId,
        own.scope.businessUnitId,
      ]);
      const { id: foreignId } = await foreign.register();
      const { id: ownId } = await own.register();
      const paths = [
        `${own.path}/${foreignId}`,
        `${own.path}/${newId('reg')}`,
        `${own.path}/reg_x`,
        `${other.path}/${ownId}`,
        `${foreign.path}/${foreignId}`,
      ];
      const responses = [];
      for (const path of paths)
        responses.push(await otherCall(method, `${path}${suffix}`, body ? { body } : {}));
      expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 404));
      expect(new Set(responses.map((response) => JSON.stringify(response.body))).size).toBe(1);
    },
  );

  test('a list of an event of another unit or an unknown one', async () => {
    const { scope, path } = await createFixture();
    const stranger = await service.as(newId('unit'));
    const responses = [
      await stranger('GET', path),
      await stranger('GET', `/v1/events/${newId('evt')}/registrations`),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    expect(responses[0]?.body).toEqual(responses[1]?.body);
    expect(scope.eventId).toMatch(/^evt_/);
  });
});
