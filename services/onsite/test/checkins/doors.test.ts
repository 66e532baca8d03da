import { registrationStatuses } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { newId } from '@event-api/platform/ids';
import { type Client, httpClient } from '@event-api/platform/testing/http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  command,
  givenEvent,
  givenPerk,
  givenRegistration,
  givenSource,
  refusalOf,
  registrationSays,
  succeeded,
} from '../given.ts';
import { startOnsite, type TestOnsite } from '../harness.ts';

let onsite: TestOnsite;
let sql: TestOnsite['sql'];
let scope: EventScope;
let call: Client;
let operator: Client;
let path: string;

beforeAll(async () => {
  onsite = await startOnsite();
  sql = onsite.sql;
  operator = await onsite.operator();
});
afterAll(() => onsite?.close());
beforeEach(async () => {
  onsite.owners.catalogIsAway = false;
  onsite.owners.registrationIsAway = true;
  scope = await givenEvent(onsite);
  call = await onsite.as(scope.businessUnitId);
  path = `/v1/events/${scope.eventId}/checkins`;
});

const scan = (body: object) => call('POST', path, { body });
const eventDoor = { subjectType: 'event' };

const timed = { startsAt: '2027-05-10T07:00:00Z', endsAt: '2027-05-10T08:00:00Z' };

/** A door of each kind, with these perks as its gate. */
async function givenDoors(perkIds: string[] = []) {
  const venue = await command(operator, 'venue.create', scope, { name: 'Hall', perkIds });
  const session = { title: 'Talk', ...timed, perkIds };
  const { id: sessionId } = await command(operator, 'session.create', scope, session);
  return {
    venue: { subjectType: 'venue', subjectId: venue.id },
    session: { subjectType: 'session', subjectId: sessionId },
  };
}

describe('a badge', () => {
  it('is read by id or by code and answers the same check-in', async () => {
    const { registrationId, checkinCode } = await givenRegistration(sql, scope);
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
      },
      alreadyCheckedIn: false,
    });
    const again = await scan({ registrationId, ...eventDoor, method: 'manual' });
    expect(succeeded(again)).toEqual({ checkin: first.checkin, alreadyCheckedIn: true });
    const both = await scan({ registrationId, checkinCode, ...eventDoor });
    expect(succeeded(both)).toEqual({ checkin: first.checkin, alreadyCheckedIn: true });
  });

  it('is checked in when the optional fields are null', async () => {
    const { registrationId } = await givenRegistration(sql, scope);
    const nulls = { checkinCode: null, subjectId: null, method: null };
    const { checkin } = succeeded(await scan({ registrationId, ...eventDoor, ...nulls }), 201);
    expect(checkin).toMatchObject({ registrationId, subjectId: scope.eventId, method: 'scan' });
  });

  it('is found by its code in either case of its letters, with blanks around it', async () => {
    const { registrationId, checkinCode } = await givenRegistration(sql, scope);
    expect(checkinCode).not.toBe(checkinCode.toLowerCase());
    const { checkin } = succeeded(
      await scan({ checkinCode: checkinCode.toLowerCase(), ...eventDoor }),
      201,
    );
    for (const typed of [checkinCode, ` ${checkinCode.toLowerCase()} `]) {
      for (const badge of [{ checkinCode: typed }, { registrationId, checkinCode: typed }]) {
        const again = succeeded(await scan({ ...badge, ...eventDoor }));
        expect(again).toEqual({ checkin, alreadyCheckedIn: true });
      }
    }
  });

  it('is asked of registration in the same spelling', async () => {
    onsite.owners.registrationIsAway = false;
    const made = { registrationId: newId('reg'), checkinCode: 'CHK-TYPED' };
    registrationSays(onsite.owners, scope, made);
    succeeded(await scan({ checkinCode: 'chk-typed', ...eventDoor }), 201);
  });

  it('whose code is not that of the id beside it is refused with 400', async () => {
    const [one, other] = [await givenRegistration(sql, scope), await givenRegistration(sql, scope)];
    const { registrationId } = one;
    const asked = { registrationId, checkinCode: other.checkinCode, ...eventDoor };
    expect(refusalOf(await scan(asked))).toEqual([400, 'checkinCode']);
  });

  it('of another event, of another unit and of nobody are one and the same 404', async () => {
    const { businessUnitId } = scope;
    const besides = await givenRegistration(sql, await givenEvent(onsite, { businessUnitId }));
    const foreign = await givenRegistration(sql, await givenEvent(onsite));
    const shown = [
      ...[besides, foreign].flatMap(({ registrationId, checkinCode }) => [
        { registrationId },
        { checkinCode },
      ]),
      { registrationId: newId('reg') },
      { checkinCode: 'CHK-NOBODY' },
    ];
    for (const isAway of [true, false]) {
      onsite.owners.registrationIsAway = isAway;
      const answers = await Promise.all(shown.map((each) => scan({ ...each, ...eventDoor })));
      // The field is the one that was sent; the rest does not tell the cases apart.
      for (const [index, { status, body }] of answers.entries()) {
        const [field] = Object.keys(shown[index] ?? {});
        const issue = 'does not match a record in this event';
        const details = [{ field, issue, code: 'not_found' }];
        const error = { code: 404, status: 'NOT_FOUND', message: `${field} ${issue}`, details };
        expect({ status, body }).toEqual({ status: 404, body: { error } });
      }
    }
  });

  it('is asked for by one of two fields', async () => {
    expect(refusalOf(await scan(eventDoor))).toEqual([400, 'registrationId']);
  });
});

describe.each(registrationStatuses)('a registration that is %s', (status) => {
  it(`${status === 'confirmed' ? 'passes' : 'is refused with 412 at'} every door`, async () => {
    const { registrationId } = await givenRegistration(sql, scope, { status });
    const { venue, session } = await givenDoors();
    for (const door of [eventDoor, venue, session]) {
      const answer = await scan({ registrationId, ...door });
      if (status === 'confirmed') succeeded(answer, 201);
      else expect(refusalOf(answer)).toEqual([412, 'NOT_CONFIRMED']);
    }
  });
});

describe('a door', () => {
  it('of the event is one, with and without its id', async () => {
    const { registrationId } = await givenRegistration(sql, scope);
    const first = await scan({ registrationId, ...eventDoor });
    expect(succeeded(first, 201).alreadyCheckedIn).toBe(false);
    const named = await scan({ registrationId, ...eventDoor, subjectId: scope.eventId });
    expect(succeeded(named)).toEqual({ ...first.body, alreadyCheckedIn: true });
  });

  it('is independent of the others', async () => {
    const { registrationId } = await givenRegistration(sql, scope);
    const { venue, session } = await givenDoors();
    for (const door of [session, venue, eventDoor]) {
      succeeded(await scan({ registrationId, ...door }), 201);
    }
  });

  it('needs its id, unless it is the event’s', async () => {
    const { registrationId } = await givenRegistration(sql, scope);
    for (const subjectType of ['session', 'venue']) {
      expect(refusalOf(await scan({ registrationId, subjectType }))).toEqual([400, 'subjectId']);
    }
  });

  it('that the event does not have is a 404, another event’s too', async () => {
    const { registrationId } = await givenRegistration(sql, scope);
    const { venue, session } = await givenDoors();
    const elsewhere = await givenEvent(onsite, scope);
    const other = await command(operator, 'venue.create', elsewhere, { name: 'Elsewhere' });
    const doors = [
      { subjectType: 'venue', subjectId: other.id },
      { subjectType: 'venue', subjectId: session.subjectId },
      { subjectType: 'session', subjectId: venue.subjectId },
      { subjectType: 'event', subjectId: elsewhere.eventId },
    ];
    for (const door of doors) {
      expect(refusalOf(await scan({ registrationId, ...door }))).toEqual([404, 'subjectId']);
    }
  });

  it('of an unknown event is a 404 before the body is looked at', async () => {
    const answer = await call('POST', `/v1/events/${newId('evt')}/checkins`, { raw: '{' });
    expect(answer.status).toBe(404);
  });

  it('of an event that catalog alone knows is open', async () => {
    const { registrationId } = await givenRegistration(sql, scope);
    await sql('delete from onsite.event_copy where id = $1', [scope.eventId]);
    succeeded(await scan({ registrationId, ...eventDoor }), 201);
  });
});

describe('a gate', () => {
  it.each(['ticket_type', 'addon', 'redemption_code', 'grant'] as const)(
    'opens for a perk by %s',
    async (kind) => {
      const perk = await givenPerk(sql, scope);
      const doors = await givenDoors([perk]);
      const id = kind === 'grant' ? '' : await givenSource(sql, scope, kind, ['perk_x', perk]);
      const { registrationId } = await givenRegistration(
        sql,
        scope,
        {
          ticket_type: { ticketTypeId: id },
          addon: { addonIds: ['addon_x', id] },
          redemption_code: { redemptionCodeId: id },
          grant: { grantedPerkIds: [perk] },
        }[kind],
      );
      const stranger = await givenRegistration(sql, scope);
      for (const door of [doors.venue, doors.session]) {
        succeeded(await scan({ registrationId, ...door }), 201);
        const refused = await scan({ registrationId: stranger.registrationId, ...door });
        expect(refusalOf(refused)).toEqual([412, 'GATE_CLOSED']);
      }
    },
  );

  it('opens for any one of its perks', async () => {
    const perks = [await givenPerk(sql, scope), await givenPerk(sql, scope)];
    const { venue } = await givenDoors(perks);
    for (const perk of perks) {
      const guest = await givenRegistration(sql, scope, { grantedPerkIds: [perk] });
      succeeded(await scan({ registrationId: guest.registrationId, ...venue }), 201);
    }
  });

  it('of a room stands before its sessions, on top of their own', async () => {
    const [ofRoom, ofTalk] = [await givenPerk(sql, scope), await givenPerk(sql, scope)];
    const room = await command(operator, 'venue.create', scope, { name: 'R', perkIds: [ofRoom] });
    const talk = { title: 'Talk', ...timed, venueId: room.id, perkIds: [ofTalk] };
    const { id: subjectId } = await command(operator, 'session.create', scope, talk);
    const door = { subjectType: 'session', subjectId };
    for (const grantedPerkIds of [[ofRoom], [ofTalk], []]) {
      const { registrationId } = await givenRegistration(sql, scope, { grantedPerkIds });
      expect(refusalOf(await scan({ registrationId, ...door }))).toEqual([412, 'GATE_CLOSED']);
    }
    const both = await givenRegistration(sql, scope, { grantedPerkIds: [ofRoom, ofTalk] });
    succeeded(await scan({ registrationId: both.registrationId, ...door }), 201);
  });

  it('closes again when the perk is lost, also for who has passed, and opens when it is gained', async () => {
    const perk = await givenPerk(sql, scope);
    const { venue } = await givenDoors([perk]);
    const ticketTypeId = await givenSource(sql, scope, 'ticket_type', [perk]);
    const { registrationId } = await givenRegistration(sql, scope, { ticketTypeId });
    const deliver = (perkIds: string[]) =>
      sql('update onsite.ticket_type_copy set perk_ids = $2 where id = $1', [
        ticketTypeId,
        perkIds,
      ]);
    succeeded(await scan({ registrationId, ...venue }), 201);
    await deliver([]);
    expect(refusalOf(await scan({ registrationId, ...venue }))).toEqual([412, 'GATE_CLOSED']);
    await deliver([perk]);
    expect(succeeded(await scan({ registrationId, ...venue })).alreadyCheckedIn).toBe(true);
  });

  it('is judged after validity', async () => {
    const { venue } = await givenDoors([await givenPerk(sql, scope)]);
    const { registrationId } = await givenRegistration(sql, scope, { status: 'cancelled' });
    expect(refusalOf(await scan({ registrationId, ...venue }))).toEqual([412, 'NOT_CONFIRMED']);
  });
});

describe('a refusal by the copies', () => {
  it('falls when registration knows better: a new badge, an approval, a perk', async () => {
    onsite.owners.registrationIsAway = false;
    const perk = await givenPerk(sql, scope);
    const { venue } = await givenDoors([perk]);
    const made = { registrationId: newId('reg'), checkinCode: 'CHK-NEW' };
    registrationSays(onsite.owners, scope, made);
    succeeded(await scan({ checkinCode: made.checkinCode, ...eventDoor }), 201);
    const approved = await givenRegistration(sql, scope, { status: 'pending' });
    registrationSays(onsite.owners, scope, approved, { perkIds: [perk] });
    succeeded(await scan({ registrationId: approved.registrationId, ...eventDoor }), 201);
    succeeded(await scan({ registrationId: approved.registrationId, ...venue }), 201);
  });

  it('stands when registration says the same, and when registration is away', async () => {
    const waiting = await givenRegistration(sql, scope, { status: 'waitlisted' });
    const { registrationId } = waiting;
    registrationSays(onsite.owners, scope, waiting, { status: 'waitlisted' });
    for (const isAway of [false, true]) {
      onsite.owners.registrationIsAway = isAway;
      expect(refusalOf(await scan({ registrationId, ...eventDoor }))).toEqual([
        412,
        'NOT_CONFIRMED',
      ]);
    }
  });

  it('is counted when registration is unavailable, and not when it responds', async () => {
    const metrics = httpClient(onsite.replica(0).internalUrl);
    const counted = async () => {
      const { body } = await metrics('GET', '/metrics');
      return Number(/^onsite_checkins_without_registration_total.* (\d+)$/m.exec(body)?.[1]);
    };
    const { registrationId } = await givenRegistration(sql, scope, { status: 'waitlisted' });
    const before = await counted();
    expect(before).toBeGreaterThanOrEqual(0);
    expect((await scan({ registrationId, ...eventDoor })).status).toBe(412);
    expect(await counted()).toBe(before + 1);
    onsite.owners.registrationIsAway = false;
    expect((await scan({ registrationId, ...eventDoor })).status).toBe(404);
    expect(await counted()).toBe(before + 1);
  });

  it('is the only reason to ask registration', async () => {
    const { registrationId } = await givenRegistration(sql, scope);
    const before = onsite.owners.badgesAsked;
    succeeded(await scan({ registrationId, ...eventDoor }), 201);
    succeeded(await scan({ registrationId, ...eventDoor }));
    expect(onsite.owners.badgesAsked).toBe(before);
  });
});

it('doors stay open while catalog and registration are away, and an unknown event stays a 404', async () => {
  Object.assign(onsite.owners, { catalogIsAway: true, registrationIsAway: true });
  const { registrationId } = await givenRegistration(sql, scope);
  succeeded(await scan({ registrationId, ...eventDoor }), 201);
  const body = { registrationId, ...eventDoor };
  const unknown = await call('POST', `/v1/events/${newId('evt')}/checkins`, { body });
  expect(unknown.status).toBe(404);
  // A list can wait, and so says that it does not know.
  expect((await call('GET', `/v1/events/${newId('evt')}/checkins`)).status).toBe(503);
});
