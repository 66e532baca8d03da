import { describe, expect, test } from 'vitest';
import { call, onsite, operator, scope, useOnsite } from '../context.ts';
import {
  advanceProjectedAgenda,
  command,
  createTestRegistration,
  errorReason,
  stubBadgeResponse,
  succeeded,
  unique,
} from '../fixtures.ts';
import { device, report, scanOf, send } from './devices.ts';

useOnsite();

const path = () => `/v1/events/${scope.eventId}/checkins`;
const reportOne = async (fields: Record<string, unknown>, client = call) =>
  (await report(client, [scanOf(fields)]))[0];
const summary = async () => {
  const {
    doors: _,
    lastCheckinAt: __,
    ...counts
  } = succeeded(await call('GET', `${path()}/summary`));
  return counts;
};
const person = (fields: Parameters<typeof createTestRegistration>[2] = {}) =>
  createTestRegistration(onsite.sql, scope, fields);

/** A registration that the projection and registration both know, not confirmed. */
async function cancelled() {
  const badge = await person({ status: 'cancelled' });
  stubBadgeResponse(onsite.owners, scope, badge, { status: 'cancelled' });
  return badge;
}

describe('a scan that a device has let in', () => {
  test('is recorded as a check-in at the time of the scan', async () => {
    const { registrationId, checkinCode } = await person();
    const scanner = await device('dev_1');
    const sent = new Date('2020-01-01T00:10:00Z');
    const scan = scanOf({ checkinCode, scannedAt: '2020-01-01T00:00:00Z' });
    const before = Date.now();
    const response = await scanner('POST', `${path()}/batch`, {
      body: { sentAt: sent.toISOString(), scans: [scan] },
    });
    const [{ checkin, ...result }] = succeeded(response).results;
    const { scanId } = scan;
    expect(result).toEqual({ scanId, result: 'recorded', rosterWasCurrent: null, notice: null });
    expect(checkin).toMatchObject({
      registrationId,
      subjectType: 'event',
      subjectId: scope.eventId,
      method: 'scan',
      scannedAt: '2020-01-01T00:00:00.000Z',
      deviceId: 'dev_1',
      overruled: false,
      undoneAt: null,
    });
    const occurredAt = Date.parse(checkin.checkedInAt);
    expect(occurredAt).toBeGreaterThanOrEqual(before - 600_000 - 1000);
    expect(occurredAt).toBeLessThanOrEqual(Date.now() - 600_000);
    expect(succeeded(await call('GET', `${path()}/${checkin.id}`))).toEqual(checkin);
  });

  test('is already there if the same device has reported the badge, also with another scan', async () => {
    const { registrationId, checkinCode } = await person();
    const { checkin } = await reportOne({ registrationId });
    expect(await reportOne({ checkinCode })).toMatchObject({ result: 'already', checkin });
    const twice = await person();
    const results = await report(call, [
      scanOf(twice),
      scanOf({ registrationId: twice.registrationId }),
    ]);
    expect(results).toMatchObject([{ result: 'recorded' }, { result: 'already' }]);
    expect(await summary()).toMatchObject({ checkedIn: 2, contested: 0 });
  });

  test('is contested if another device has let the badge in, and both are reported', async () => {
    const { registrationId } = await person();
    const [one, other] = [await device('dev_1'), await device('dev_2')];
    const first = scanOf({ registrationId });
    const [{ checkin }] = await report(one, [first]);
    const contested = await reportOne({ registrationId }, other);
    expect(contested).toEqual({
      scanId: contested.scanId,
      result: 'contested',
      rosterWasCurrent: null,
      checkin,
      other: {
        scanId: first.scanId,
        checkinId: checkin.id,
        source: 'dev_1',
        occurredAt: checkin.checkedInAt,
      },
      first: 'unknown',
    });
    const tenMinutesAgo = new Date(Date.now() - 600_000).toISOString();
    const earlier = await reportOne({ registrationId, scannedAt: tenMinutesAgo }, other);
    expect(earlier).toMatchObject({ result: 'contested', first: 'this', checkin });
    const uncertain = { scannedAt: tenMinutesAgo, clockUncertaintyMs: 3_600_000 };
    expect(await reportOne({ registrationId, ...uncertain }, other)).toMatchObject({
      first: 'unknown',
    });
    expect(await summary()).toMatchObject({ checkedIn: 1, contested: 3, admitted: 4 });
  });

  test('contests a check-in that was decided online', async () => {
    const { registrationId } = await person();
    const body = { registrationId, subjectType: 'event' };
    const { checkin } = succeeded(await call('POST', path(), { body }), 201);
    expect(await reportOne({ registrationId }, await device('dev_1'))).toMatchObject({
      result: 'contested',
      other: { scanId: null, checkinId: checkin.id },
    });
  });

  test('is inside although the server would reject it, with the reason', async () => {
    const { registrationId } = await cancelled();
    const { id: venueId } = await command(operator, 'venue.create', scope, { name: 'Hall' });
    const overruled = await reportOne({ registrationId });
    expect(overruled).toMatchObject({
      result: 'overruled',
      reason: 'NOT_CONFIRMED',
      checkin: { registrationId, overruled: true },
    });
    await command(operator, 'venue.delete', scope, { venueId });
    const badge = await person();
    const hall = { subjectType: 'venue', subjectId: venueId };
    expect(await reportOne({ ...badge, ...hall })).toMatchObject({
      result: 'overruled',
      reason: 'DOOR_GONE',
    });
    expect(await summary()).toMatchObject({ checkedIn: 2, overruled: 2, admitted: 2 });
    succeeded(
      await call('POST', `${path()}/${overruled.checkin.id}/undo`, { body: { reason: 'Left.' } }),
    );
    expect(await summary()).toMatchObject({ checkedIn: 1, overruled: 1, admitted: 1 });
  });

  test('is inside at a session that a date move has cleared', async () => {
    const times = { startsAt: '2027-05-10T09:00:00Z', endsAt: '2027-05-10T10:00:00Z' };
    const { id } = await command(operator, 'session.create', scope, { title: 'Talk', ...times });
    await advanceProjectedAgenda(onsite.sql, scope);
    const badge = await person();
    expect(await reportOne({ ...badge, subjectType: 'session', subjectId: id })).toMatchObject({
      result: 'overruled',
      reason: 'DOOR_GONE',
    });
  });

  test('is inside with a replaced badge', async () => {
    const { registrationId, checkinCode } = await person();
    const former = unique('CHK');
    const replacedCheckinCodes = [former];
    const badge = { registrationId, checkinCode };
    stubBadgeResponse(onsite.owners, scope, badge, { replacedCheckinCodes });
    expect(await reportOne({ checkinCode: former })).toMatchObject({
      result: 'overruled',
      reason: 'BADGE_REPLACED',
      checkin: { registrationId },
    });
  });

  test('is invalid without a person', async () => {
    const [ada, bob] = [await person(), await person()];
    stubBadgeResponse(onsite.owners, scope, ada);
    const both = { registrationId: ada.registrationId, checkinCode: bob.checkinCode };
    expect(await report(call, [scanOf({ checkinCode: 'CHK-NOBODY' }), scanOf(both)])).toMatchObject(
      [
        { result: 'invalid', reason: 'UNKNOWN_BADGE', issues: [] },
        { result: 'invalid', reason: 'NOT_SAME_PERSON', issues: [] },
      ],
    );
    expect(await summary()).toMatchObject({ checkedIn: 0 });
    const stored = JSON.stringify(await onsite.sql('select * from onsite.scan'));
    expect(stored).not.toContain('CHK-NOBODY');
  });

  test('belongs to the check-in that was undone after it, and is recorded if it was later', async () => {
    const { registrationId } = await person();
    const scannedAt = new Date(Date.now() - 60_000).toISOString();
    const { checkin } = await reportOne({ registrationId, scannedAt });
    succeeded(await call('POST', `${path()}/${checkin.id}/undo`, { body: { reason: 'Left.' } }));
    const late = await reportOne({ registrationId, scannedAt }, await device('dev_2'));
    expect(late).toMatchObject({ result: 'contested', checkin: { id: checkin.id } });
    await expect.poll(async () => (await reportOne({ registrationId })).result).toBe('recorded');
    expect(await summary()).toMatchObject({ checkedIn: 1 });
  });
});

describe('a scan that a device has refused', () => {
  test('is logged with what the server would decide, and is no check-in', async () => {
    const [confirmed, other] = [await person(), await cancelled()];
    const refused = { decision: 'refused' };
    const results = await report(call, [
      scanOf({ ...confirmed, ...refused }),
      scanOf({ ...other, ...refused }),
    ]);
    expect(results).toMatchObject([
      { result: 'logged', wouldAdmit: true },
      { result: 'logged', wouldAdmit: false },
    ]);
    expect(await summary()).toMatchObject({ checkedIn: 0, refused: 2, admitted: 0 });
  });
});

describe('a repeated scan id', () => {
  test('gets the stored result, also with other times, and counts once', async () => {
    const badge = await person();
    const scan = scanOf(badge);
    const [first] = await report(call, [scan]);
    succeeded(await call('POST', `${path()}/${first.checkin.id}/undo`, { body: { reason: 'X' } }));
    const later = { ...scan, scannedAt: '2027-01-01T00:00:00Z', rosterCursor: 'other' };
    expect(await report(call, [later])).toEqual([first]);
    expect(await summary()).toMatchObject({ checkedIn: 0 });
  });

  test('is invalid for another badge, door or decision', async () => {
    const badge = await person();
    const scan = scanOf(badge);
    await report(call, [scan]);
    for (const other of [
      { ...(await person()) },
      { subjectType: 'venue', subjectId: 'ven_1' },
      { decision: 'refused' },
    ]) {
      expect(await report(call, [{ ...scan, ...other }])).toMatchObject([
        { result: 'invalid', reason: 'SCAN_ID_REUSED' },
      ]);
    }
  });

  test('is independent of that of another event', async () => {
    const scan = scanOf(await person());
    await report(call, [scan]);
    const { createTestEvent } = await import('../fixtures.ts');
    const elsewhere = await createTestEvent(onsite, { businessUnitId: scope.businessUnitId });
    const badge = await createTestRegistration(onsite.sql, elsewhere);
    const response = await call('POST', `/v1/events/${elsewhere.eventId}/checkins/batch`, {
      body: { sentAt: new Date().toISOString(), scans: [{ ...scan, ...badge }] },
    });
    expect(succeeded(response).results).toMatchObject([{ result: 'recorded' }]);
  });
});

describe('while registration is away', () => {
  test('an unknown badge is sent again and not stored, and other badges are decided', async () => {
    onsite.owners.registrationIsUnavailable = true;
    try {
      const known = await person({ status: 'cancelled' });
      const unknown = scanOf({ checkinCode: 'CHK-LATER' });
      const results = await report(call, [unknown, scanOf(known)]);
      expect(results).toMatchObject([{ result: 'retry' }, { result: 'overruled' }]);
      const stored = await onsite.sql('select 1 from onsite.scan where scan_id = $1', [
        unknown.scanId,
      ]);
      expect(stored).toEqual([]);
      onsite.owners.registrationIsUnavailable = false;
      const badge = { registrationId: unique('reg'), checkinCode: 'CHK-LATER' };
      stubBadgeResponse(onsite.owners, scope, badge);
      expect(await report(call, [unknown])).toMatchObject([{ result: 'recorded' }]);
    } finally {
      onsite.owners.registrationIsUnavailable = false;
    }
  });

  test('one request reads all doubtful badges', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, cancelled));
    const before = onsite.owners.badgeRequests;
    const confirmed = await Promise.all(Array.from({ length: 5 }, () => person()));
    const results = await report(call, [...people, ...confirmed].map(scanOf));
    expect(results.filter(({ result }: { result: string }) => result === 'overruled')).toHaveLength(
      20,
    );
    expect(onsite.owners.badgeRequests - before).toBe(1);
  });
});

describe('a batch', () => {
  test('is not blocked by a wrong scan, whose result names its fields', async () => {
    const badge = await person();
    const results = await report(call, [
      scanOf({ ...badge, decision: 'maybe', scannedAt: 'yesterday' }),
      scanOf({ subjectType: 'venue' }),
      scanOf({ ...badge, unexpected: 1 }),
      scanOf({ ...badge, subjectType: 'venue', subjectId: 'ven_unknown' }),
      scanOf({ ...badge, subjectId: 'evt_other' }),
      scanOf(badge),
    ]);
    const invalid = { result: 'invalid', reason: 'MALFORMED_SCAN' };
    expect(results).toMatchObject([
      { ...invalid, issues: [{ field: 'scannedAt' }, { field: 'decision' }] },
      { ...invalid, issues: [{ field: 'registrationId' }, { field: 'subjectId' }] },
      { ...invalid, issues: [{ field: 'unexpected', code: 'unknown_field' }] },
      { result: 'invalid', reason: 'UNKNOWN_DOOR' },
      { result: 'invalid', reason: 'UNKNOWN_DOOR' },
      { result: 'recorded' },
    ]);
  });

  test('of a device is invalid at a door that it does not list', async () => {
    const { id } = await command(operator, 'venue.create', scope, { name: 'Hall' });
    const scanner = await device('dev_1', [id]);
    const badge = await person();
    const hall = { subjectType: 'venue', subjectId: id };
    expect(await report(scanner, [scanOf(badge), scanOf({ ...badge, ...hall })])).toMatchObject([
      { result: 'invalid', reason: 'UNKNOWN_DOOR' },
      { result: 'recorded' },
    ]);
  });

  test.each([
    ['no scans', [], 'scans'],
    ['a scan without an id', [{ subjectType: 'event' }], 'scans[0].scanId'],
    ['a wrong id', [{ scanId: 'a b' }], 'scans[0].scanId'],
    ['an id twice', [{ scanId: 'a' }, { scanId: 'b' }, { scanId: 'a' }], 'scans[2].scanId'],
    ['501 scans', Array.from({ length: 501 }, (_, n) => ({ scanId: `s${n}` })), 'scans'],
  ])('with %s is a 400 and changes nothing', async (_name, scans, field) => {
    expect(errorReason(await send(call, scans))).toEqual([400, field]);
  });

  test('needs the time at which it is sent', async () => {
    const body = { scans: [scanOf(await person())] };
    expect(errorReason(await call('POST', `${path()}/batch`, { body }))).toEqual([400, 'sentAt']);
    expect(await summary()).toMatchObject({ checkedIn: 0 });
  });

  test('is a 404 for an event of another unit', async () => {
    const stranger = await onsite.as('unit_other');
    expect((await send(stranger, [scanOf(await person())])).status).toBe(404);
  });
});
