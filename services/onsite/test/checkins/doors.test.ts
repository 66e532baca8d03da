import { registrationStatuses } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { permissionsOfDevice } from '@event-api/contracts/permissions';
import { newId } from '@event-api/platform/core/ids';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  command,
  createTestEvent,
  createTestPerk,
  createTestPerkSource,
  createTestRegistration,
  errorReason,
  stubBadgeResponse,
  succeeded,
  unique,
} from '../fixtures.ts';
import { startOnsite, type TestOnsite } from '../harness.ts';

let onsite: TestOnsite;
let sql: TestOnsite['sql'];
let scope: EventScope;
let call: HttpClient;
let operator: HttpClient;
let path: string;

beforeAll(async () => {
  onsite = await startOnsite();
  sql = onsite.sql;
  operator = await onsite.operator();
});
afterAll(() => onsite?.close());
beforeEach(async () => {
  onsite.owners.catalogIsUnavailable = false;
  onsite.owners.registrationIsUnavailable = true;
  scope = await createTestEvent(onsite);
  call = await onsite.as(scope.businessUnitId);
  path = `/v1/events/${scope.eventId}/checkins`;
});

const scan = (body: object) => call('POST', path, { body });
const eventDoor = { subjectType: 'event' };

const timed = { startsAt: '2027-05-10T07:00:00Z', endsAt: '2027-05-10T08:00:00Z' };

/** Creates a venue and a session with these perks as their gates. */
async function createDoors(perkIds: string[] = []) {
  const venue = await command(operator, 'venue.create', scope, { name: 'Hall', perkIds });
  const session = { title: 'Talk', ...timed, perkIds };
  const { id: sessionId } = await command(operator, 'session.create', scope, session);
  return {
    venue: { subjectType: 'venue', subjectId: venue.id },
    session: { subjectType: 'session', subjectId: sessionId },
  };
}

describe('a device', () => {
  test('checks in at its doors, and another door is the 404 of a door that does not exist', async () => {
    const { registrationId } = await createTestRegistration(sql, scope);
    const { venue, session } = await createDoors();
    const signer = await onsite.callers.signer('gateway');
    const token = await signer.sign({
      audience: 'api',
      businessUnitId: scope.businessUnitId,
      defaultCurrency: 'EUR',
      actor: { type: 'device', id: newId('dev') },
      permissions: permissionsOfDevice,
      events: [scope.eventId],
      doors: [venue.subjectId],
    });
    const at = (door: object) =>
      call('POST', path, { body: { registrationId, ...door }, headers: { 'x-caller': token } });
    const missing = await scan({ registrationId, ...venue, subjectId: newId('ven') });
    expect(missing.status).toBe(404);
    const others = [eventDoor, { ...eventDoor, subjectId: scope.eventId }, session];
    for (const door of [...others, { ...venue, subjectId: newId('ven') }]) {
      const { status, body } = await at(door);
      expect([status, body]).toEqual([404, missing.body]);
    }
    expect((await call('GET', path)).body.checkins).toEqual([]);
    expect((await at(venue)).status).toBe(201);
    expect((await scan({ registrationId, ...session })).status).toBe(201);
  });
});

describe('a badge', () => {
  test('is found by id or by code and returns the same check-in', async () => {
    const fields = { name: 'Ada Lovelace', ticketTypeId: newId('tt') };
    const { registrationId, checkinCode } = await createTestRegistration(sql, scope, fields);
    const registration = {
      id: registrationId,
      name: fields.name,
      registrationTypeId: fields.ticketTypeId,
      status: 'confirmed',
    };
    const first = succeeded(await scan({ checkinCode, ...eventDoor }), 201);
    expect(first).toEqual({
      checkin: {
        id: expect.stringMatching(/^chk_/),
        eventId: scope.eventId,
        registrationId,
        subjectType: 'event',
        subjectId: scope.eventId,
        method: 'scan',
        checkedInAt: expect.stringMatching(/Z$/),
        scannedAt: null,
        deviceId: null,
        overruled: false,
        badgeReplaced: false,
        undoneAt: null,
      },
      registration,
      alreadyCheckedIn: false,
      notice: null,
    });
    const repeated = { ...first, alreadyCheckedIn: true };
    const again = await scan({ registrationId, ...eventDoor, method: 'manual' });
    expect(succeeded(again)).toEqual(repeated);
    const both = await scan({ registrationId, checkinCode, ...eventDoor });
    expect(succeeded(both)).toEqual(repeated);
  });

  test('is checked in when the optional fields are null', async () => {
    const { registrationId } = await createTestRegistration(sql, scope);
    const nulls = { checkinCode: null, subjectId: null, method: null };
    const { checkin } = succeeded(await scan({ registrationId, ...eventDoor, ...nulls }), 201);
    expect(checkin).toMatchObject({ registrationId, subjectId: scope.eventId, method: 'scan' });
  });

  test('is found by its code in any case and with surrounding blanks', async () => {
    const { registrationId, checkinCode } = await createTestRegistration(sql, scope);
    expect(checkinCode).not.toBe(checkinCode.toLowerCase());
    const { checkin } = succeeded(
      await scan({ checkinCode: checkinCode.toLowerCase(), ...eventDoor }),
      201,
    );
    for (const typed of [checkinCode, ` ${checkinCode.toLowerCase()} `]) {
      for (const badge of [{ checkinCode: typed }, { registrationId, checkinCode: typed }]) {
        const again = succeeded(await scan({ ...badge, ...eventDoor }));
        expect(again).toMatchObject({ checkin, alreadyCheckedIn: true });
      }
    }
  });

  test('is fetched from registration with the normalized code', async () => {
    onsite.owners.registrationIsUnavailable = false;
    const badge = { registrationId: newId('reg'), checkinCode: 'CHK-TYPED' };
    stubBadgeResponse(onsite.owners, scope, badge);
    succeeded(await scan({ checkinCode: 'chk-typed', ...eventDoor }), 201);
  });

  test('that registration returns has its name and ticket type', async () => {
    onsite.owners.registrationIsUnavailable = false;
    const named = { name: 'Ada Lovelace', registrationTypeId: newId('tt'), perkSources: [] };
    const newer = { registrationId: newId('reg'), checkinCode: unique('CHK') };
    stubBadgeResponse(onsite.owners, scope, newer, { named });
    const { checkinCode } = newer;
    const { registration } = succeeded(await scan({ checkinCode, ...eventDoor }), 201);
    expect(registration).toEqual({
      id: newer.registrationId,
      name: named.name,
      registrationTypeId: named.registrationTypeId,
      status: 'confirmed',
    });
  });

  test('is rejected with 400 when id and code belong to different registrations', async () => {
    const [one, other] = [
      await createTestRegistration(sql, scope),
      await createTestRegistration(sql, scope),
    ];
    const { registrationId } = one;
    const input = { registrationId, checkinCode: other.checkinCode, ...eventDoor };
    expect(errorReason(await scan(input))).toEqual([400, 'checkinCode']);
  });

  test.each([
    ['by the projections', true],
    ['by registration', false],
  ])('that was replaced is rejected %s with 412, and the new one passes', async (_by, isAlone) => {
    onsite.owners.registrationIsUnavailable = isAlone;
    const old = unique('CHK');
    const fields = { replacedCheckinCodes: [unique('CHK'), old] };
    const badge = isAlone
      ? await createTestRegistration(sql, scope, fields)
      : { registrationId: newId('reg'), checkinCode: unique('CHK') };
    if (!isAlone) stubBadgeResponse(onsite.owners, scope, badge, fields);
    const { registrationId } = badge;
    for (const each of [{ checkinCode: old.toLowerCase() }, { registrationId, checkinCode: old }]) {
      const { status, body } = await scan({ ...each, ...eventDoor });
      expect([status, body.error.details]).toEqual([
        412,
        [{ reason: 'BADGE_REPLACED', field: 'checkinCode' }],
      ]);
    }
    succeeded(await scan({ checkinCode: badge.checkinCode, ...eventDoor }), 201);
    expect(succeeded(await scan({ registrationId, ...eventDoor })).alreadyCheckedIn).toBe(true);
  });

  test('that was replaced in another event or business unit is an unknown badge', async () => {
    const replacedCheckinCodes = [unique('CHK')];
    const { businessUnitId } = scope;
    for (const other of [{ businessUnitId }, {}]) {
      const elsewhere = await createTestEvent(onsite, other);
      await createTestRegistration(sql, elsewhere, { replacedCheckinCodes });
    }
    const scanned = await scan({ checkinCode: replacedCheckinCodes[0], ...eventDoor });
    expect(errorReason(scanned)).toEqual([404, 'checkinCode']);
  });

  test('returns an identical 404 for an unknown badge, another event and another business unit', async () => {
    const { businessUnitId } = scope;
    const besides = await createTestRegistration(
      sql,
      await createTestEvent(onsite, { businessUnitId }),
    );
    const foreign = await createTestRegistration(sql, await createTestEvent(onsite));
    const presented = [
      ...[besides, foreign].flatMap(({ registrationId, checkinCode }) => [
        { registrationId },
        { checkinCode },
      ]),
      { registrationId: newId('reg') },
      { checkinCode: 'CHK-NOBODY' },
    ];
    for (const isUnavailable of [true, false]) {
      onsite.owners.registrationIsUnavailable = isUnavailable;
      const responses = await Promise.all(presented.map((each) => scan({ ...each, ...eventDoor })));
      // The error names the field that was sent. Otherwise the responses are identical.
      for (const [index, { status, body }] of responses.entries()) {
        const [field] = Object.keys(presented[index] ?? {});
        const issue = 'does not match a record in this event';
        const details = [{ field, issue, code: 'not_found' }];
        const error = { code: 404, status: 'NOT_FOUND', message: `${field} ${issue}`, details };
        expect({ status, body }).toEqual({ status: 404, body: { error } });
      }
    }
  });

  test('requires one of two fields', async () => {
    expect(errorReason(await scan(eventDoor))).toEqual([400, 'registrationId']);
  });
});

describe.each(registrationStatuses)('a registration that is %s', (status) => {
  test(`${status === 'confirmed' ? 'passes' : 'is rejected with 412 at'} every door`, async () => {
    const { registrationId } = await createTestRegistration(sql, scope, { status });
    const { venue, session } = await createDoors();
    for (const door of [eventDoor, venue, session]) {
      const response = await scan({ registrationId, ...door });
      if (status === 'confirmed') succeeded(response, 201);
      else {
        expect(errorReason(response)).toEqual([412, 'NOT_CONFIRMED']);
        expect(response.body.error.details).toEqual([
          { reason: 'NOT_CONFIRMED', registrationStatus: status },
        ]);
      }
    }
  });
});

describe('a door', () => {
  test('of the event is the same with and without its id', async () => {
    const { registrationId } = await createTestRegistration(sql, scope);
    const first = await scan({ registrationId, ...eventDoor });
    expect(succeeded(first, 201).alreadyCheckedIn).toBe(false);
    const named = await scan({ registrationId, ...eventDoor, subjectId: scope.eventId });
    expect(succeeded(named)).toEqual({ ...first.body, alreadyCheckedIn: true });
  });

  test('is independent of the others', async () => {
    const { registrationId } = await createTestRegistration(sql, scope);
    const { venue, session } = await createDoors();
    for (const door of [session, venue, eventDoor]) {
      succeeded(await scan({ registrationId, ...door }), 201);
    }
  });

  test('requires its id, except for the door of the event', async () => {
    const { registrationId } = await createTestRegistration(sql, scope);
    for (const subjectType of ['session', 'venue']) {
      expect(errorReason(await scan({ registrationId, subjectType }))).toEqual([400, 'subjectId']);
    }
  });

  test('returns 404 when it is unknown or belongs to another event', async () => {
    const { registrationId } = await createTestRegistration(sql, scope);
    const { venue, session } = await createDoors();
    const elsewhere = await createTestEvent(onsite, scope);
    const other = await command(operator, 'venue.create', elsewhere, { name: 'Elsewhere' });
    const doors = [
      { subjectType: 'venue', subjectId: other.id },
      { subjectType: 'venue', subjectId: session.subjectId },
      { subjectType: 'session', subjectId: venue.subjectId },
      { subjectType: 'event', subjectId: elsewhere.eventId },
    ];
    for (const door of doors) {
      expect(errorReason(await scan({ registrationId, ...door }))).toEqual([404, 'subjectId']);
    }
  });

  test('returns 404 for an unknown event before the body is validated', async () => {
    const response = await call('POST', `/v1/events/${newId('evt')}/checkins`, { raw: '{' });
    expect(response.status).toBe(404);
  });

  test('admits for an event that only catalog has', async () => {
    const { registrationId } = await createTestRegistration(sql, scope);
    await sql('delete from onsite.event_projection where id = $1', [scope.eventId]);
    succeeded(await scan({ registrationId, ...eventDoor }), 201);
  });
});

describe('a gate', () => {
  test.each(['ticket_type', 'addon', 'redemption_code', 'grant'] as const)(
    'opens for a perk by %s',
    async (kind) => {
      const perk = await createTestPerk(sql, scope);
      const doors = await createDoors([perk]);
      const id =
        kind === 'grant' ? '' : await createTestPerkSource(sql, scope, kind, ['perk_x', perk]);
      const { registrationId } = await createTestRegistration(
        sql,
        scope,
        {
          ticket_type: { ticketTypeId: id },
          addon: { addonIds: ['addon_x', id] },
          redemption_code: { redemptionCodeId: id },
          grant: { grantedPerkIds: [perk] },
        }[kind],
      );
      const stranger = await createTestRegistration(sql, scope);
      for (const door of [doors.venue, doors.session]) {
        succeeded(await scan({ registrationId, ...door }), 201);
        const refused = await scan({ registrationId: stranger.registrationId, ...door });
        expect(errorReason(refused)).toEqual([412, 'GATE_CLOSED']);
      }
    },
  );

  test('that is closed names the perks that open it', async () => {
    const perks = [
      { id: await createTestPerk(sql, scope, 'Lounge'), name: 'Lounge' },
      { id: await createTestPerk(sql, scope), name: null },
    ];
    const { venue } = await createDoors(perks.map(({ id }) => id));
    const { registrationId } = await createTestRegistration(sql, scope);
    const { body } = await scan({ registrationId, ...venue });
    expect(body.error.details).toEqual([{ reason: 'GATE_CLOSED', perks }]);
  });

  test('opens for any one of its perks', async () => {
    const perks = [await createTestPerk(sql, scope), await createTestPerk(sql, scope)];
    const { venue } = await createDoors(perks);
    for (const perk of perks) {
      const guest = await createTestRegistration(sql, scope, { grantedPerkIds: [perk] });
      succeeded(await scan({ registrationId: guest.registrationId, ...venue }), 201);
    }
  });

  test('of a venue also applies to its sessions', async () => {
    const [ofRoom, ofTalk] = [await createTestPerk(sql, scope), await createTestPerk(sql, scope)];
    const room = await command(operator, 'venue.create', scope, { name: 'R', perkIds: [ofRoom] });
    const talk = { title: 'Talk', ...timed, venueId: room.id, perkIds: [ofTalk] };
    const { id: subjectId } = await command(operator, 'session.create', scope, talk);
    const door = { subjectType: 'session', subjectId };
    for (const grantedPerkIds of [[ofRoom], [ofTalk], []]) {
      const { registrationId } = await createTestRegistration(sql, scope, { grantedPerkIds });
      expect(errorReason(await scan({ registrationId, ...door }))).toEqual([412, 'GATE_CLOSED']);
    }
    const both = await createTestRegistration(sql, scope, { grantedPerkIds: [ofRoom, ofTalk] });
    succeeded(await scan({ registrationId: both.registrationId, ...door }), 201);
  });

  test('closes when the perk is revoked, also after a check-in, and opens when it is granted', async () => {
    const perk = await createTestPerk(sql, scope);
    const { venue } = await createDoors([perk]);
    const ticketTypeId = await createTestPerkSource(sql, scope, 'ticket_type', [perk]);
    const { registrationId } = await createTestRegistration(sql, scope, { ticketTypeId });
    const deliver = (perkIds: string[]) =>
      sql('update onsite.ticket_type_projection set perk_ids = $2 where id = $1', [
        ticketTypeId,
        perkIds,
      ]);
    succeeded(await scan({ registrationId, ...venue }), 201);
    await deliver([]);
    expect(errorReason(await scan({ registrationId, ...venue }))).toEqual([412, 'GATE_CLOSED']);
    await deliver([perk]);
    expect(succeeded(await scan({ registrationId, ...venue })).alreadyCheckedIn).toBe(true);
  });

  test('is checked after the status', async () => {
    const { venue } = await createDoors([await createTestPerk(sql, scope)]);
    const { registrationId } = await createTestRegistration(sql, scope, { status: 'cancelled' });
    expect(errorReason(await scan({ registrationId, ...venue }))).toEqual([412, 'NOT_CONFIRMED']);
  });
});

describe('a rejection by the projections', () => {
  test('is replaced when registration has newer data: a badge, an approval, a perk', async () => {
    onsite.owners.registrationIsUnavailable = false;
    const perk = await createTestPerk(sql, scope);
    const { venue } = await createDoors([perk]);
    const badge = { registrationId: newId('reg'), checkinCode: 'CHK-NEW' };
    stubBadgeResponse(onsite.owners, scope, badge);
    succeeded(await scan({ checkinCode: badge.checkinCode, ...eventDoor }), 201);
    const approved = await createTestRegistration(sql, scope, { status: 'pending' });
    stubBadgeResponse(onsite.owners, scope, approved, { perkIds: [perk] });
    succeeded(await scan({ registrationId: approved.registrationId, ...eventDoor }), 201);
    succeeded(await scan({ registrationId: approved.registrationId, ...venue }), 201);
  });

  test('stands when registration agrees and when it is unavailable', async () => {
    const waiting = await createTestRegistration(sql, scope, { status: 'waitlisted' });
    const { registrationId } = waiting;
    stubBadgeResponse(onsite.owners, scope, waiting, { status: 'waitlisted' });
    for (const isUnavailable of [false, true]) {
      onsite.owners.registrationIsUnavailable = isUnavailable;
      expect(errorReason(await scan({ registrationId, ...eventDoor }))).toEqual([
        412,
        'NOT_CONFIRMED',
      ]);
    }
  });

  test('is counted when registration is unavailable, and not when it responds', async () => {
    const metrics = httpClient(onsite.replica(0).internalUrl);
    const counted = async () => {
      const { body } = await metrics('GET', '/metrics');
      return Number(/^onsite_checkins_without_registration_total.* (\d+)$/m.exec(body)?.[1]);
    };
    const { registrationId } = await createTestRegistration(sql, scope, { status: 'waitlisted' });
    const before = await counted();
    expect(before).toBeGreaterThanOrEqual(0);
    expect((await scan({ registrationId, ...eventDoor })).status).toBe(412);
    expect(await counted()).toBe(before + 1);
    onsite.owners.registrationIsUnavailable = false;
    expect((await scan({ registrationId, ...eventDoor })).status).toBe(404);
    expect(await counted()).toBe(before + 1);
  });

  test('is the only reason to call registration', async () => {
    const { registrationId } = await createTestRegistration(sql, scope);
    const before = onsite.owners.badgeRequests;
    succeeded(await scan({ registrationId, ...eventDoor }), 201);
    succeeded(await scan({ registrationId, ...eventDoor }));
    expect(onsite.owners.badgeRequests).toBe(before);
  });
});

test('scans are decided while catalog and registration are unavailable, and an unknown event returns 404', async () => {
  Object.assign(onsite.owners, { catalogIsUnavailable: true, registrationIsUnavailable: true });
  const { registrationId } = await createTestRegistration(sql, scope);
  succeeded(await scan({ registrationId, ...eventDoor }), 201);
  const body = { registrationId, ...eventDoor };
  const unknown = await call('POST', `/v1/events/${newId('evt')}/checkins`, { body });
  expect(unknown.status).toBe(404);
  // A list requires catalog and returns 503.
  expect((await call('GET', `/v1/events/${newId('evt')}/checkins`)).status).toBe(503);
});
