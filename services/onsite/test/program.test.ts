import { newId } from '@event-api/platform/core/ids';
import { eventually } from '@event-api/platform/testing/eventually';
import { describe, expect, test } from 'vitest';
import { insertSession } from '../src/sessions/sessions.queries.ts';
import { hasVenue } from '../src/venues/venues.queries.ts';
import { call, onsite, operator, scope, useEvent, useOnsite } from './context.ts';
import {
  advanceProjectedAgenda,
  command,
  createTestEvent,
  createTestPerk,
  createTestRegistration,
  errorReason,
  stubEventSnapshot,
  succeeded,
} from './fixtures.ts';

useOnsite();

const run = (name: string, input: object) => command(operator, name, scope, input);
const refused = async (name: string, input: object) =>
  errorReason(await operator('POST', `/operator/${name}`, { body: { ...scope, ...input } }));
const list = async (key: string, query = '') =>
  succeeded(await call('GET', `/v1/events/${scope.eventId}/${key}${query}`));

const at = (hour: number) => `2027-05-10T${String(hour).padStart(2, '0')}:00:00.000Z`;
const talk = (hour: number, more: object = {}) => ({
  title: `Talk at ${hour}`,
  startsAt: at(hour),
  endsAt: at(hour + 1),
  ...more,
});

describe('venues', () => {
  test('are created, changed, deleted and listed newest first', async () => {
    const perkId = await createTestPerk(onsite.sql, scope);
    const hall = await run('venue.create', { name: 'Hall', perkIds: [perkId] });
    expect(hall).toEqual({
      id: expect.stringMatching(/^ven_/),
      eventId: scope.eventId,
      name: 'Hall',
      description: null,
      perkIds: [perkId],
      createdAt: expect.stringMatching(/Z$/),
    });
    const attic = await run('venue.create', { name: 'Attic', description: 'Warm' });
    expect((await list('venues')).venues).toEqual([attic, hall]);
    const open = await run('venue.update', { venueId: hall.id, perkIds: [] });
    expect(open).toEqual({ ...hall, perkIds: [] });
    expect(await run('venue.update', { venueId: attic.id, description: null })).toEqual({
      ...attic,
      description: null,
    });
    expect(await run('venue.delete', { venueId: hall.id })).toEqual(open);
    expect((await list('venues')).venues.map(({ name }: { name: string }) => name)).toEqual([
      'Attic',
    ]);
    expect(await refused('venue.delete', { venueId: hall.id })).toEqual([404, 'venueId']);
    expect(await refused('venue.update', { venueId: hall.id, name: 'Hall' })).toEqual([
      404,
      'venueId',
    ]);
  });

  test('with perks of another event are rejected with the index of each', async () => {
    const own = await createTestPerk(onsite.sql, scope);
    const others = await createTestPerk(onsite.sql, await createTestEvent(onsite, scope));
    const perkIds = [own, others, 'perk_none'];
    expect(await refused('venue.create', { name: 'Hall', perkIds })).toEqual([
      400,
      'perkIds[1]',
      'perkIds[2]',
    ]);
  });

  test('with a gate are kept while sessions of the agenda use it, unless openGates is sent', async () => {
    const perkId = await createTestPerk(onsite.sql, scope);
    const { id: venueId } = await run('venue.create', { name: 'Hall', perkIds: [perkId] });
    const { id: sessionId } = await run('session.create', talk(9, { venueId }));
    const response = await operator('POST', '/operator/venue.delete', {
      body: { ...scope, venueId },
    });
    expect([response.status, response.body.error.details]).toEqual([
      412,
      [{ reason: 'GATE_IN_USE', sessionIds: [sessionId] }],
    ]);
    expect((await list('venues')).venues).toHaveLength(1);
    await run('venue.delete', { venueId, openGates: true });
    expect((await list('sessions')).sessions).toMatchObject([{ id: sessionId, venueId: null }]);
  });

  test('with a gate are deleted once a date move has cleared their sessions', async () => {
    const perkId = await createTestPerk(onsite.sql, scope);
    const { id: venueId } = await run('venue.create', { name: 'Hall', perkIds: [perkId] });
    await run('session.create', talk(9, { venueId }));
    stubEventSnapshot(onsite.owners, scope, 1, 2);
    await run('venue.delete', { venueId });
  });

  test('with a gate are kept when a concurrent request puts a session into them', async () => {
    const perkId = await createTestPerk(onsite.sql, scope);
    const { id: venueId } = await run('venue.create', { name: 'Hall', perkIds: [perkId] });
    const fields = { ...talk(9), description: null, venueId, perkIds: [] };
    const dates = { startsAt: new Date(at(9)), endsAt: new Date(at(10)) };
    const { deleting } = await onsite.replica(0).db.transaction(async (tx) => {
      // Does what session.create does, and commits only once the deletion waits for its lock.
      expect(await hasVenue(tx, scope, venueId)).toBe(true);
      await insertSession(tx, scope, newId('ses'), { ...fields, ...dates });
      const pending = refused('venue.delete', { venueId });
      await eventually(async () => {
        const waiting = await onsite.sql(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%\"venue\"%for update%'",
        );
        expect(waiting).toHaveLength(1);
      });
      return { deleting: pending };
    });
    expect(await deleting).toEqual([412, 'GATE_IN_USE']);
    expect((await list('sessions')).sessions).toMatchObject([{ venueId }]);
  });

  test('are removed from their sessions and booths when they are deleted', async () => {
    const venue = await run('venue.create', { name: 'Hall' });
    const session = await run('session.create', talk(9, { venueId: venue.id }));
    const { id: exhibitorId } = await run('exhibitor.create', { name: 'Engines' });
    const booth = { exhibitorId, number: 'A1', type: 'corner', venueId: venue.id };
    await run('exhibitor.allocateBooth', booth);
    await run('venue.delete', { venueId: venue.id });
    expect((await list('sessions')).sessions).toEqual([{ ...session, venueId: null }]);
    const { exhibitors } = await list('exhibitors');
    expect(exhibitors[0].booths).toMatchObject([{ number: 'A1', venueId: null }]);
  });
});

describe('the agenda', () => {
  test('returns sessions in time order, page by page without gaps', async () => {
    const created = new Map<number, string>();
    for (const hour of [14, 9, 11, 9, 16]) {
      created.set(created.size, (await run('session.create', talk(hour))).id);
    }
    const { sessions } = await list('sessions');
    const hours = sessions.map(({ startsAt }: { startsAt: string }) => startsAt);
    expect(hours).toEqual([9, 9, 11, 14, 16].map(at));
    const seen: unknown[] = [];
    let cursor: string | null = '';
    for (let n = 0; n < 5 && cursor !== null; n++) {
      const next = await list('sessions', `?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...next.sessions);
      cursor = next.nextCursor;
    }
    expect(seen).toEqual(sessions);
  });

  test('creates, changes and deletes a session with a venue and a gate', async () => {
    const perkId = await createTestPerk(onsite.sql, scope);
    const venue = await run('venue.create', { name: 'Hall' });
    const wanted = talk(9, { venueId: venue.id, perkIds: [perkId], description: 'Long' });
    const session = await run('session.create', wanted);
    expect(session).toEqual({
      ...wanted,
      id: expect.stringMatching(/^ses_/),
      eventId: scope.eventId,
      createdAt: expect.stringMatching(/Z$/),
    });
    const sessionId = session.id;
    const later = await run('session.update', { sessionId, endsAt: at(12), venueId: null });
    expect(later).toEqual({ ...session, endsAt: at(12), venueId: null });
    expect(await run('session.delete', { sessionId })).toEqual(later);
    expect((await list('sessions')).sessions).toEqual([]);
    expect(await refused('session.update', { sessionId, title: 'Gone' })).toEqual([
      404,
      'sessionId',
    ]);
  });

  test('rejects a session that does not end after it starts, validated as after the update', async () => {
    expect(await refused('session.create', talk(9, { endsAt: at(8) }))).toEqual([400, 'endsAt']);
    expect(await refused('session.create', talk(9, { endsAt: at(9) }))).toEqual([400, 'endsAt']);
    const { id: sessionId } = await run('session.create', talk(9));
    expect(await refused('session.update', { sessionId, startsAt: at(10) })).toEqual([
      400,
      'endsAt',
    ]);
  });

  test('rejects a session outside the dates of its event and names the field', async () => {
    await useEvent({ dates: { startsAt: at(9), endsAt: at(18) } });
    const { id: sessionId } = await run('session.create', talk(9));
    expect(await refused('session.create', talk(8))).toEqual([400, 'startsAt']);
    expect(await refused('session.create', talk(17, { endsAt: at(19) }))).toEqual([400, 'endsAt']);
    const nextYear = { startsAt: '2028-05-10T09:00:00Z', endsAt: '2028-05-10T10:00:00Z' };
    expect(await refused('session.update', { sessionId, ...nextYear })).toEqual([400, 'startsAt']);
    stubEventSnapshot(onsite.owners, scope, 0, 2, { startsAt: at(12), endsAt: at(18) });
    await run('session.update', { sessionId, title: 'Renamed after the event got shorter' });
    expect(await refused('session.update', { sessionId, endsAt: at(11) })).toEqual([
      400,
      'startsAt',
    ]);
  });

  test('rejects a venue and a perk of another event', async () => {
    const elsewhere = await createTestEvent(onsite, scope);
    const { id: venueId } = await command(operator, 'venue.create', elsewhere, { name: 'Hall' });
    expect(await refused('session.create', talk(9, { venueId }))).toEqual([404, 'venueId']);
    expect(await refused('session.create', talk(9, { perkIds: ['perk_no'] }))).toEqual([
      400,
      'perkIds[0]',
    ]);
  });

  test('is cleared by a date move, also in speakers; venues and speakers stay', async () => {
    const { id } = await run('session.create', talk(9));
    const venue = await run('venue.create', { name: 'Hall' });
    const speaker = await run('speaker.create', { name: 'Grace', sessionIds: [id] });
    expect(speaker.sessionIds).toEqual([id]);
    const guest = await createTestRegistration(onsite.sql, scope);
    const door = { subjectType: 'session', subjectId: id };
    const body = { registrationId: guest.registrationId, ...door };
    const path = `/v1/events/${scope.eventId}/checkins`;
    succeeded(await call('POST', path, { body }), 201);
    stubEventSnapshot(onsite.owners, scope, 1, 2);
    await advanceProjectedAgenda(onsite.sql, scope);
    expect((await list('sessions')).sessions).toEqual([]);
    expect((await list('speakers')).speakers).toEqual([{ ...speaker, sessionIds: [] }]);
    expect((await list('venues')).venues).toEqual([venue]);
    expect((await list('checkins')).checkins).toHaveLength(1);
    expect((await call('POST', path, { body })).status).toBe(404);
    expect(await refused('session.update', { sessionId: id, title: 'x' })).toEqual([
      404,
      'sessionId',
    ]);
    expect(await refused('speaker.update', { speakerId: speaker.id, sessionIds: [id] })).toEqual([
      400,
      'sessionIds[0]',
    ]);
  });

  test('keeps a session that is created after a date move which is not projected yet', async () => {
    stubEventSnapshot(onsite.owners, scope, 1, 2);
    const session = await run('session.create', talk(9));
    // The message of that move arrives late and changes nothing.
    expect((await list('sessions')).sessions).toEqual([session]);
    const [event] = await onsite.sql<{ agenda_version: number }>(
      'select agenda_version from onsite.event_projection where id = $1',
      [scope.eventId],
    );
    expect(event?.agenda_version).toBe(1);
  });
});

describe('speakers', () => {
  test('are created, changed, deleted and listed newest first', async () => {
    const [early, late] = [
      await run('session.create', talk(9)),
      await run('session.create', talk(15)),
    ];
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const grace = await run('speaker.create', {
      name: 'Grace',
      title: 'Admiral',
      bio: null,
      registrationId,
      sessionIds: [late.id, early.id],
    });
    expect(grace).toMatchObject({
      id: expect.stringMatching(/^spk_/),
      title: 'Admiral',
      bio: null,
      registrationId,
      sessionIds: [late.id, early.id],
    });
    const ada = await run('speaker.create', { name: 'Ada' });
    expect((await list('speakers')).speakers).toEqual([ada, grace]);
    await run('session.delete', { sessionId: late.id });
    const speakerId = grace.id;
    const changed = await run('speaker.update', { speakerId, bio: 'Compilers' });
    expect(changed).toEqual({ ...grace, bio: 'Compilers', sessionIds: [early.id] });
    expect(await run('speaker.delete', { speakerId })).toEqual(changed);
    expect((await list('speakers')).speakers).toEqual([ada]);
  });

  test('with a session or registration of another event are rejected', async () => {
    const elsewhere = await createTestEvent(onsite, scope);
    const { id } = await command(operator, 'session.create', elsewhere, talk(9));
    const { registrationId } = await createTestRegistration(onsite.sql, elsewhere);
    const refusal = (fields: object) => refused('speaker.create', { name: 'Grace', ...fields });
    expect(await refusal({ sessionIds: [id] })).toEqual([400, 'sessionIds[0]']);
    expect(await refusal({ registrationId })).toEqual([404, 'registrationId']);
    expect(await refusal({ sessionIds: [id], registrationId })).toEqual([400, 'sessionIds[0]']);
  });
});

test('duplicate ids of a command are stored once, in the order of their first occurrence', async () => {
  const [one, other] = [
    await createTestPerk(onsite.sql, scope),
    await createTestPerk(onsite.sql, scope),
  ];
  const perkIds = [other, one, other];
  expect((await run('venue.create', { name: 'Hall', perkIds })).perkIds).toEqual([other, one]);
  const session = await run('session.create', talk(9, { perkIds }));
  expect(session.perkIds).toEqual([other, one]);
  const sessionId = session.id;
  const changed = await run('session.update', { sessionId, perkIds: [one, one] });
  expect(changed.perkIds).toEqual([one]);
  const sessionIds = [sessionId, sessionId];
  const speaker = await run('speaker.create', { name: 'Grace', sessionIds });
  expect(speaker.sessionIds).toEqual([sessionId]);
});

describe('every command', () => {
  test('returns 404 for an event of another business unit, and 503 while catalog is unavailable', async () => {
    const body = { ...(await createTestEvent(onsite)), businessUnitId: scope.businessUnitId };
    const otherUnit = { body: { ...body, name: 'Hall' } };
    expect(errorReason(await operator('POST', '/operator/venue.create', otherUnit))).toEqual([
      404,
      'eventId',
    ]);
    const unknown = { body: { ...scope, eventId: newId('evt'), name: 'Hall' } };
    expect((await operator('POST', '/operator/venue.create', unknown)).status).toBe(404);
    onsite.owners.catalogIsUnavailable = true;
    const existingEvent = { body: { ...scope, ...talk(9) } };
    expect((await operator('POST', '/operator/session.create', existingEvent)).status).toBe(503);
  });
});
