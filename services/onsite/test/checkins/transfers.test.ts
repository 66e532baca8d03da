import { newId } from '@event-api/platform/core/ids';
import { httpClient } from '@event-api/platform/testing/http-client';
import { describe, expect, test } from 'vitest';
import { call, onsite, operator, scope, useOnsite } from '../context.ts';
import {
  command,
  createTestRegistration,
  errorReason,
  stubBadgeResponse,
  succeeded,
  unique,
} from '../fixtures.ts';

useOnsite();

const path = () => `/v1/events/${scope.eventId}/checkins`;
const scan = (checkinCode: string, door: object = { subjectType: 'event' }) =>
  call('POST', path(), { body: { checkinCode, ...door } });
const setRule = (refuseIfFormerInside: boolean) =>
  command(operator, 'event.setDoorRules', scope, { refuseIfFormerInside });

type Person = Awaited<ReturnType<typeof createTestRegistration>>;

/** Replaces the badge of a registration, as a transfer does. Returns the new code. */
async function transfer({ registrationId, checkinCode: former }: Person): Promise<string> {
  const checkinCode = unique('CHK');
  const badge = { registrationId, checkinCode };
  stubBadgeResponse(onsite.owners, scope, badge, { replacedCheckinCodes: [former] });
  await onsite.sql(
    `update onsite.registration_projection set checkin_code = $1, version = version + 1,
       replaced_checkin_codes = replaced_checkin_codes || $2::text where id = $3`,
    [checkinCode, former, registrationId],
  );
  return checkinCode;
}

/** A client of a device, which reports scans. */
async function device(id: string) {
  const gateway = await onsite.callers.signer('gateway');
  const { businessUnitId } = scope;
  const actor = { type: 'device', id } as const;
  const token = await gateway.sign({ audience: 'api', businessUnitId, actor });
  return httpClient(onsite.replica(0).apiUrl, { 'x-caller': token });
}

async function report(id: string, fields: object) {
  const reporting = await device(id);
  const at = new Date().toISOString();
  const one = { scanId: newId('msg'), subjectType: 'event', scannedAt: at, ...fields };
  const response = await reporting('POST', `${path()}/batch`, {
    body: { sentAt: at, scans: [one] },
  });
  return succeeded(response).results[0];
}

describe('the first scan of a badge after a transfer', () => {
  test('says that the former badge was let in, also in every read of the check-in', async () => {
    const person = await createTestRegistration(onsite.sql, scope);
    const { checkin } = succeeded(await scan(person.checkinCode), 201);
    expect(checkin.badgeReplaced).toBe(false);
    const code = await transfer(person);
    const replaced = { ...checkin, badgeReplaced: true };
    const first = succeeded(await scan(code));
    expect(first).toMatchObject({ alreadyCheckedIn: true, checkin: replaced });
    expect(succeeded(await call('GET', `${path()}/${checkin.id}`))).toEqual(replaced);
    expect(succeeded(await call('GET', path())).checkins).toEqual([replaced]);
    expect(errorReason(await scan(person.checkinCode))).toEqual([...[412, 'BADGE_REPLACED']]);
  });

  test('lets the heir in where the former badge was not let in, and is then the own check-in', async () => {
    const person = await createTestRegistration(onsite.sql, scope);
    const { id } = await command(operator, 'venue.create', scope, { name: 'Hall' });
    succeeded(await scan(person.checkinCode), 201);
    const code = await transfer(person);
    const hall = { subjectType: 'venue', subjectId: id };
    expect(succeeded(await scan(code, hall), 201).checkin.badgeReplaced).toBe(false);
    expect(succeeded(await scan(code, hall)).checkin.badgeReplaced).toBe(false);
  });

  test('is a 412 with the time if the event refuses it, and not after the check-in was undone', async () => {
    const person = await createTestRegistration(onsite.sql, scope);
    const { checkin } = succeeded(await scan(person.checkinCode), 201);
    await setRule(true);
    expect(succeeded(await scan(person.checkinCode)).alreadyCheckedIn).toBe(true);
    const code = await transfer(person);
    const refused = await scan(code);
    expect(errorReason(refused)).toEqual([412, 'FORMER_BADGE_INSIDE']);
    expect(refused.body.error.details[0].checkedInAt).toBe(checkin.checkedInAt);
    const explained = await command(operator, 'checkin.explain', scope, {
      ...{ checkinCode: code, subjectType: 'event' },
    });
    expect(explained).toMatchObject({
      ...{ outcome: 'former_badge_inside', checkin: { badgeReplaced: true } },
    });
    succeeded(await call('POST', `${path()}/${checkin.id}/undo`, { body: { reason: 'Left.' } }));
    expect(succeeded(await scan(code), 201).checkin.badgeReplaced).toBe(false);
    await setRule(false);
  });

  test('knows the former badge by registration while the projection is behind', async () => {
    const person = await createTestRegistration(onsite.sql, scope);
    const { checkin } = succeeded(await scan(person.checkinCode), 201);
    const checkinCode = unique('CHK');
    const replacedCheckinCodes = [person.checkinCode];
    const { registrationId } = person;
    stubBadgeResponse(
      onsite.owners,
      scope,
      { registrationId, checkinCode },
      { replacedCheckinCodes },
    );
    expect(succeeded(await scan(checkinCode))).toMatchObject({
      ...{ alreadyCheckedIn: true, checkin: { id: checkin.id, badgeReplaced: true } },
    });
    await setRule(true);
    expect(errorReason(await scan(checkinCode))).toEqual([412, 'FORMER_BADGE_INSIDE']);
  });

  test('is decided the same for a scan that a device reports', async () => {
    const person = await createTestRegistration(onsite.sql, scope);
    succeeded(await scan(person.checkinCode), 201);
    const checkinCode = await transfer(person);
    const admitted = { checkinCode, decision: 'admitted' };
    const refused = { checkinCode, decision: 'refused' };
    expect(await report('dev_1', admitted)).toMatchObject({
      ...{ result: 'contested', checkin: { badgeReplaced: true } },
    });
    expect(await report('dev_1', refused)).toMatchObject({ result: 'logged', wouldAdmit: true });
    await setRule(true);
    expect(await report('dev_1', refused)).toMatchObject({ result: 'logged', wouldAdmit: false });
  });
});

test('a scan and a transfer at the same time never tell the former owner’s check-in as that of the heir', async () => {
  const people = await Promise.all(
    Array.from({ length: 60 }, () => createTestRegistration(onsite.sql, scope)),
  );
  await Promise.all(
    people.map(async (person) => {
      const [former, checkinCode] = await Promise.all([scan(person.checkinCode), transfer(person)]);
      const first = await scan(checkinCode);
      if (former.status === 201) {
        expect(succeeded(first)).toMatchObject({ checkin: { badgeReplaced: true } });
      } else {
        expect(errorReason(former)).toEqual([412, 'BADGE_REPLACED']);
        expect(succeeded(first, 201)).toMatchObject({ checkin: { badgeReplaced: false } });
      }
    }),
  );
});

test('an undo and the first scan of the heir at the same time let the heir in once, or not yet', async () => {
  await setRule(true);
  const people = await Promise.all(
    Array.from({ length: 40 }, () => createTestRegistration(onsite.sql, scope)),
  );
  await Promise.all(
    people.map(async (person) => {
      const { checkin } = succeeded(await scan(person.checkinCode), 201);
      const code = await transfer(person);
      const undo = { body: { reason: 'It was the former owner.' } };
      const [first, undone] = await Promise.all([
        scan(code),
        call('POST', `${path()}/${checkin.id}/undo`, undo),
      ]);
      succeeded(undone);
      if (first.status !== 201) {
        expect(errorReason(first)).toEqual([412, 'FORMER_BADGE_INSIDE']);
        succeeded(await scan(code), 201);
      }
      expect(succeeded(await scan(code))).toMatchObject({
        ...{ alreadyCheckedIn: true, checkin: { badgeReplaced: false } },
      });
    }),
  );
  const { checkins } = succeeded(await call('GET', path()));
  expect(checkins).toHaveLength(people.length);
});

test('event.getDoorRules returns what was set, and the default before', async () => {
  const get = (of: object = {}) =>
    operator('POST', '/operator/event.getDoorRules', { body: { ...scope, ...of } });
  const { eventId } = scope;
  await setRule(true);
  expect(succeeded(await get())).toEqual({ eventId, refuseIfFormerInside: true });
  await onsite.sql('delete from onsite.door_rule where event_id = $1', [eventId]);
  expect(succeeded(await get())).toEqual({ eventId, refuseIfFormerInside: false });
  const foreign = await get({ businessUnitId: newId('unit') });
  expect(foreign.status).toBe(404);
  expect((await get({ eventId: newId('evt') })).body).toEqual(foreign.body);
});
