import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { newId } from '@event-api/platform/core/ids';
import { describe, expect, test } from 'vitest';
import { call, eventPath as event, scope, service, useRegistration } from '../context.ts';
import { changeType, createTestEvent, createTestTicketType, someEmail } from '../fixtures.ts';
import { errorSummary, register, succeeded } from '../projection-fixtures.ts';

useRegistration();

const attendees = async (query = '') => succeeded(await call('GET', `${event}/attendees${query}`));

const move = async (id: string, verb: string) =>
  succeeded(await call('POST', `${event}/registrations/${id}/${verb}`));

/** Registers this email so that it ends in this status. */
async function registerAs(
  status: RegistrationStatus,
  email: string,
  name?: string,
): Promise<string> {
  const needs = status === 'pending' || status === 'rejected';
  const fields = { capacity: status === 'waitlisted' ? 1 : null, allowWaitlist: true };
  const type = await createTestTicketType(service.sql, scope, {
    ...fields,
    requiresApproval: needs,
  });
  if (status === 'waitlisted') await register(call, scope, { registrationTypeId: type });
  const body = { email, registrationTypeId: type, ...(name && { name }) };
  const { id } = await register(call, scope, body);
  if (status === 'rejected') await move(id, 'reject');
  if (status === 'cancelled') await move(id, 'cancel');
  return id;
}

test('an attendee is created with the first registration of a person', async () => {
  const email = ` ${someEmail().toUpperCase()} `;
  const type = await createTestTicketType(service.sql, scope);
  const created = await register(call, scope, { email, name: 'Ada', registrationTypeId: type });
  expect(await attendees()).toEqual({
    attendees: [
      {
        id: created.attendeeId,
        eventId: scope.eventId,
        contactId: created.contactId,
        email: email.trim(),
        name: 'Ada',
        status: 'confirmed',
        registrationIds: [created.id],
        createdAt: created.registeredAt,
      },
    ],
    nextCursor: null,
  });
});

describe('the status of an attendee', () => {
  // Earlier statuses, the current status, the expected status. Only inactive registrations can
  // precede another.
  test.each<[RegistrationStatus[], RegistrationStatus]>([
    [['confirmed'], 'confirmed'],
    [['waitlisted'], 'waitlisted'],
    [['pending'], 'pending'],
    [['rejected'], 'rejected'],
    [['cancelled'], 'cancelled'],
    [['cancelled', 'rejected'], 'rejected'],
    [['rejected', 'cancelled'], 'rejected'],
    [['rejected', 'pending'], 'pending'],
    [['cancelled', 'waitlisted'], 'waitlisted'],
    [['rejected', 'cancelled', 'confirmed'], 'confirmed'],
    [['cancelled', 'cancelled'], 'cancelled'],
  ])('with registrations that are %j is %s', async (statuses, expected) => {
    const email = someEmail();
    const ids: string[] = [];
    for (const status of statuses) ids.push(await registerAs(status, email));
    const { attendees: all } = await attendees();
    const mine = all.filter((attendee: { email: string }) => attendee.email === email);
    expect(mine).toMatchObject([{ status: expected, registrationIds: ids }]);
  });

  test('follows the status of the registrations', async () => {
    const email = someEmail();
    const id = await registerAs('pending', email);
    for (const [verb, expected] of [
      ['approve', 'confirmed'],
      ['cancel', 'cancelled'],
    ] as const) {
      await move(id, verb);
      expect((await attendees()).attendees).toMatchObject([{ email, status: expected }]);
    }
  });

  test('is confirmed as soon as a seat is available', async () => {
    const type = await createTestTicketType(service.sql, scope, {
      capacity: 1,
      allowWaitlist: true,
    });
    await register(call, scope, { registrationTypeId: type });
    await register(call, scope, { registrationTypeId: type });
    expect((await attendees()).attendees).toMatchObject([{ status: 'waitlisted' }, {}]);
    await changeType(service.sql, type, { capacity: 2 });
    expect((await attendees()).attendees).toMatchObject([{ status: 'confirmed' }, {}]);
  });
});

test('a person who registers again is the same attendee, with the last name and email', async () => {
  const email = someEmail();
  const first = await registerAs('cancelled', email, 'A. Lovelace');
  const second = await registerAs('confirmed', email.toUpperCase(), 'Ada Lovelace');
  const [attendee] = (await attendees()).attendees;
  expect(attendee).toMatchObject({
    email: email.toUpperCase(),
    name: 'Ada Lovelace',
    status: 'confirmed',
    registrationIds: [first, second],
  });
  await move(second, 'cancel');
  await registerAs('confirmed', email);
  expect((await attendees()).attendees).toMatchObject([{ id: attendee.id, name: 'Ada Lovelace' }]);
});

describe('the list', () => {
  test('returns the newest person first, in pages that neither skip nor repeat', async () => {
    const emails = Array.from({ length: 5 }, someEmail);
    const type = await createTestTicketType(service.sql, scope);
    for (const email of emails) await register(call, scope, { email, registrationTypeId: type });
    const seen: string[] = [];
    for (let query = '?limit=2', pages = 0; query && pages < 5; pages++) {
      const { attendees: some, nextCursor } = await attendees(query);
      seen.push(...some.map(({ email }: { email: string }) => email));
      query = nextCursor && `?limit=2&cursor=${nextCursor}`;
    }
    expect(seen).toEqual(emails.toReversed());
  });

  test('contains no attendee of another event or unit', async () => {
    const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    await register(call, other, {
      registrationTypeId: await createTestTicketType(service.sql, other),
    });
    expect((await attendees()).attendees).toEqual([]);
    const stranger = await service.as(newId('unit'));
    const responses = [
      await stranger('GET', `${event}/attendees`),
      await call('GET', `/v1/events/${newId('evt')}/attendees`),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    expect(responses[0]?.body).toEqual(responses[1]?.body);
  });

  test.each(['limit=0', 'limit=x', 'cursor=x', 'cursor=WyJhIl0'])('rejects %s', async (query) => {
    const rejected = await call('GET', `${event}/attendees?${query}`);
    expect(errorSummary(rejected)).toEqual([400, query.split('=')[0]]);
  });
});
