import { newId } from '@event-api/platform/core/ids';
import { expect, test } from 'vitest';
import { call, onsite, operator, scope, useOnsite } from '../context.ts';
import { createTestEvent, createTestRegistration, succeeded } from '../fixtures.ts';

useOnsite();

const find = async (
  registrationIds: readonly string[],
  { businessUnitId } = scope,
  subjectId?: string,
) =>
  succeeded(
    await operator('POST', '/operator/checkin.find', {
      body: { businessUnitId, registrationIds, subjectId },
    }),
  );

const checkIn = async (registrationId: string, { eventId } = scope) => {
  const body = { registrationId, subjectType: 'event' };
  return succeeded(await call('POST', `/v1/events/${eventId}/checkins`, { body }), 201).checkin;
};

test('finds the check-ins of registrations in all events of the unit, newest first', async () => {
  const other = await createTestEvent(onsite, scope);
  const here = await createTestRegistration(onsite.sql, scope);
  const there = await createTestRegistration(onsite.sql, other);
  const colleague = await createTestRegistration(onsite.sql, scope);
  const first = await checkIn(here.registrationId);
  await checkIn(colleague.registrationId);
  const second = await checkIn(there.registrationId, other);
  const ids = [here.registrationId, there.registrationId, newId('reg')];
  expect(await find(ids)).toEqual({ checkins: [second, first], isComplete: true });
  expect((await find([])).checkins).toEqual([]);
  const stranger = await createTestEvent(onsite);
  expect(await find(ids, stranger)).toEqual({ checkins: [], isComplete: true });
});

test('says when it does not list all, and lists all of one door', async () => {
  const { registrationId } = await createTestRegistration(onsite.sql, scope);
  await onsite.sql(
    `insert into onsite.checkin (id, business_unit_id, event_id, registration_id, subject_type, subject_id, method)
     select 'chk_' || $3 || n, $1, $2, $3, 'session', 'ses_' || n, 'scan' from generate_series(1, 101) n`,
    [scope.businessUnitId, scope.eventId, registrationId],
  );
  const { checkins, isComplete } = await find([registrationId]);
  expect([checkins.length, checkins[0].subjectId, isComplete]).toEqual([100, 'ses_101', false]);
  const atDoor = await find([registrationId], scope, 'ses_7');
  expect(atDoor.checkins.map((checkin: { subjectId: string }) => checkin.subjectId)).toEqual([
    'ses_7',
  ]);
  expect(atDoor.isComplete).toBe(true);
  expect((await find([registrationId], scope, scope.eventId)).checkins).toEqual([]);
});
