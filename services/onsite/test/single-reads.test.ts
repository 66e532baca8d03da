import { newId } from '@event-api/platform/core/ids';
import { describe, expect, test } from 'vitest';
import { call, onsite, operator, scope, useOnsite } from './context.ts';
import {
  advanceProjectedAgenda,
  command,
  createTestEvent,
  createTestRegistration,
  succeeded,
} from './fixtures.ts';

useOnsite();

const pathOf = (collection: string, id: string, { eventId } = scope) =>
  `/v1/events/${eventId}/${collection}/${id}`;
const read = async (collection: string, id: string) =>
  succeeded(await call('GET', pathOf(collection, id)));

const talk = {
  title: 'Keynote',
  startsAt: '2027-05-10T09:00:00.000Z',
  endsAt: '2027-05-10T10:00:00.000Z',
};

async function checkIn() {
  const { registrationId } = await createTestRegistration(onsite.sql, scope);
  const path = `/v1/events/${scope.eventId}/checkins`;
  return call('POST', path, { body: { registrationId, subjectType: 'event' } });
}

const create = {
  checkins: async () => succeeded(await checkIn(), 201).checkin,
  sessions: () => command(operator, 'session.create', scope, talk),
  speakers: () => command(operator, 'speaker.create', scope, { name: 'Grace' }),
  venues: () => command(operator, 'venue.create', scope, { name: 'Hall' }),
};
const collections = Object.keys(create) as (keyof typeof create)[];

describe.each(collections)('GET %s/{id}', (collection) => {
  test('returns the record as it was created', async () => {
    const record = await create[collection]();
    expect(await read(collection, record.id)).toEqual(record);
  });

  test('returns one 404 for an unknown id, another event and another business unit', async () => {
    const { id } = await create[collection]();
    const otherEvent = await createTestEvent(onsite, scope);
    const otherUnit = await onsite.as(newId('unit'));
    const unknownEvent = { ...scope, eventId: newId('evt') };
    const responses = [
      await call('GET', pathOf(collection, newId('chk'))),
      await call('GET', pathOf(collection, '%00')),
      await call('GET', pathOf(collection, id, otherEvent)),
      await call('GET', pathOf(collection, id, unknownEvent)),
      await otherUnit('GET', pathOf(collection, id)),
    ];
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });
});

test('returns 404 for a deleted venue, session and speaker', async () => {
  for (const [collection, name] of [
    ['venues', 'venue'],
    ['sessions', 'session'],
    ['speakers', 'speaker'],
  ] as const) {
    const { id } = await create[collection]();
    await command(operator, `${name}.delete`, scope, { [`${name}Id`]: id });
    expect((await call('GET', pathOf(collection, id))).status).toBe(404);
  }
});

test('returns 404 for a session that a date move has cleared, and the speaker without it', async () => {
  const session = await create.sessions();
  const input = { name: 'Grace', sessionIds: [session.id] };
  const speaker = await command(operator, 'speaker.create', scope, input);
  await advanceProjectedAgenda(onsite.sql, scope);
  expect((await call('GET', pathOf('sessions', session.id))).status).toBe(404);
  expect(await read('speakers', speaker.id)).toEqual({ ...speaker, sessionIds: [] });
});

test('creates a check-in whose Location returns it', async () => {
  const { status, headers, body } = await checkIn();
  expect(status).toBe(201);
  expect(headers.location).toBe(pathOf('checkins', body.checkin.id));
  expect(succeeded(await call('GET', headers.location ?? ''))).toEqual(body.checkin);
});
