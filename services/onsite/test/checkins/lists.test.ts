import type { EventScope } from '@event-api/contracts/internal/scope';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  command,
  createTestEvent,
  createTestRegistration,
  errorReason,
  succeeded,
} from '../fixtures.ts';
import { startOnsite, type TestOnsite } from '../harness.ts';

let onsite: TestOnsite;
let scope: EventScope;
let call: HttpClient;
let path: string;

beforeAll(async () => {
  onsite = await startOnsite();
});
afterAll(() => onsite?.close());
beforeEach(async () => {
  scope = await createTestEvent(onsite);
  call = await onsite.as(scope.businessUnitId);
  path = `/v1/events/${scope.eventId}/checkins`;
});

const idsOf = async (query: string): Promise<string[]> =>
  succeeded(await call('GET', `${path}?${query}`)).checkins.map(({ id }: { id: string }) => id);

async function checkIn(registrationId: string, door: object): Promise<string> {
  const response = await call('POST', path, { body: { registrationId, ...door } });
  return succeeded(response, 201).checkin.id;
}

describe('the list of check-ins', () => {
  test('is newest first and filters by door and registration in any combination', async () => {
    const operator = await onsite.operator();
    const venues = await Promise.all(
      ['A', 'B'].map((name) => command(operator, 'venue.create', scope, { name })),
    );
    const doors = [
      { subjectType: 'event' },
      ...venues.map(({ id }) => ({ subjectType: 'venue', subjectId: id as string })),
    ];
    const created: { id: string; person: string; type: string; subject: string }[] = [];
    for (let n = 0; n < 3; n++) {
      const { registrationId: person } = await createTestRegistration(onsite.sql, scope);
      for (const door of doors) {
        const subject = 'subjectId' in door ? door.subjectId : scope.eventId;
        const id = await checkIn(person, door);
        created.unshift({ id, person, type: door.subjectType, subject });
      }
    }
    const some = <Value>(value: Value) => [undefined, value];
    for (const type of some('venue')) {
      for (const subject of some(venues[0]?.id as string)) {
        for (const person of some(created[4]?.person)) {
          const filter = { subjectType: type, subjectId: subject, registrationId: person };
          const query = new URLSearchParams(
            Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1])),
          );
          const expected = created.filter(
            (each) =>
              (!type || each.type === type) &&
              (!subject || each.subject === subject) &&
              (!person || each.person === person),
          );
          expect(await idsOf(`${query}`)).toEqual(expected.map(({ id }) => id));
        }
      }
    }
    expect(await idsOf('subjectType=session')).toEqual([]);
    expect(await idsOf('registrationId=reg_nobody')).toEqual([]);
  });

  test('returns pages without gaps or repeats, and rejects a cursor of another filter', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) {
      const { registrationId } = await createTestRegistration(onsite.sql, scope);
      ids.unshift(await checkIn(registrationId, { subjectType: 'event' }));
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let n = 0; n < 10 && cursor !== null; n++) {
      const query: string = `subjectType=event&limit=3${cursor && `&cursor=${cursor}`}`;
      const { checkins, nextCursor } = succeeded(await call('GET', `${path}?${query}`));
      seen.push(...checkins.map(({ id }: { id: string }) => id));
      cursor = nextCursor;
    }
    expect(seen).toEqual(ids);
    const first = succeeded(await call('GET', `${path}?limit=2`));
    const elsewhere = `${path}?subjectType=event&cursor=${first.nextCursor}`;
    expect(errorReason(await call('GET', elsewhere))).toEqual([400, 'cursor']);
  });

  test('leaves out undone check-ins, unless they are included', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const undone = await checkIn(registrationId, { subjectType: 'event' });
    succeeded(await call('POST', `${path}/${undone}/undo`, { body: { reason: 'A mistake.' } }));
    const live = await checkIn(registrationId, { subjectType: 'event' });
    for (const filter of ['', 'subjectType=event', `registrationId=${registrationId}`]) {
      expect(await idsOf(filter)).toEqual([live]);
      expect(await idsOf(`${filter}&include=undone`)).toEqual([live, undone]);
    }
    const { nextCursor } = succeeded(await call('GET', `${path}?include=undone&limit=1`));
    expect(errorReason(await call('GET', `${path}?cursor=${nextCursor}`))).toEqual([400, 'cursor']);
    expect(errorReason(await call('GET', `${path}?include=all`))).toEqual([400, 'include']);
  });

  test('returns 404 for an event of another business unit', async () => {
    const stranger = await onsite.as((await createTestEvent(onsite)).businessUnitId);
    expect((await stranger('GET', path)).status).toBe(404);
  });
});
