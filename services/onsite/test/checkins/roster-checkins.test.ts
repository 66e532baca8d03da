import { permissionsOfDevice } from '@event-api/contracts/permissions';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { describe, expect, test } from 'vitest';
import { codeHashOf } from '../../src/checkins/code-hash.ts';
import { call, onsite, operator, scope, useOnsite } from '../context.ts';
import { command, createTestRegistration, succeeded } from '../fixtures.ts';

useOnsite();

const path = () => `/v1/events/${scope.eventId}/checkins`;
const scan = async (registrationId: string, door: object = { subjectType: 'event' }) =>
  succeeded(await call('POST', path(), { body: { registrationId, ...door } }), 201).checkin;
const undo = async ({ id }: { id: string }) =>
  succeeded(await call('POST', `${path()}/${id}/undo`, { body: { reason: 'A mistake.' } }));
const person = () => createTestRegistration(onsite.sql, scope);
const read = async (query = '', client: HttpClient = call) =>
  succeeded(await client('GET', `${path()}/roster?${query}`));
const idsOf = (page: { checkins: { checkinId: string }[] }) =>
  page.checkins.map(({ checkinId }) => checkinId);

/** A client of a device with these doors. */
async function device(...doors: string[]) {
  const gateway = await onsite.callers.signer('gateway');
  const { businessUnitId, eventId } = scope;
  const token = await gateway.sign({
    ...{ audience: 'api', businessUnitId, permissions: permissionsOfDevice, doors },
    events: [eventId],
    actor: { type: 'device', id: 'dev_1' },
  });
  return httpClient(onsite.replica(0).apiUrl, { 'x-caller': token });
}

/** As if the changes so far had happened some minutes ago. */
const letTimePass = () =>
  onsite.sql('update onsite.checkin set version = version - 600000000 where event_id = $1', [
    scope.eventId,
  ]);

/**
 * A device that keeps whom the roster says to be inside, by registration and door.
 */
function follow(client: HttpClient, limit = 2) {
  const inside = new Map<string, string>();
  let cursor = '';
  return {
    inside,
    async read(): Promise<void> {
      for (;;) {
        const page = await read(`limit=${limit}${cursor && `&cursor=${cursor}`}`, client);
        for (const { registrationId, subjectId, checkinId, removed } of page.checkins) {
          const key = `${registrationId} ${subjectId}`;
          if (!removed) inside.set(key, checkinId);
          else if (inside.get(key) === checkinId) inside.delete(key);
        }
        cursor = page.nextCursor;
        if (!page.hasMore) return;
      }
    },
  };
}

describe('the check-ins of a roster', () => {
  test('say who was let in with which badge, and an undone one is removed', async () => {
    const { registrationId, checkinCode } = await person();
    const checkin = await scan(registrationId);
    const door = { registrationId, subjectType: 'event', subjectId: scope.eventId };
    const first = await read();
    expect(first.checkins).toEqual([
      {
        ...{ ...door, checkinId: checkin.id, checkedInAt: checkin.checkedInAt },
        codeHash: codeHashOf(checkinCode),
      },
    ]);
    await undo(checkin);
    const { checkins } = await read(`cursor=${first.nextCursor}`);
    expect(checkins).toEqual([{ ...door, checkinId: checkin.id, removed: true }]);
  });

  test('come once after their time, and again only if they change', async () => {
    const [ada, bob] = [await person(), await person()];
    const [first, second] = [await scan(ada.registrationId), await scan(bob.registrationId)];
    await letTimePass();
    const whole = await read();
    expect(idsOf(whole).toSorted()).toEqual([first.id, second.id].toSorted());
    const unchanged = await read(`cursor=${whole.nextCursor}`);
    expect(unchanged.checkins).toEqual([]);
    await undo(first);
    expect(idsOf(await read(`cursor=${unchanged.nextCursor}`))).toEqual([first.id]);
  });

  test('come again when their transaction has committed after that of a later one', async () => {
    const { registrationId } = await person();
    const { nextCursor } = await read();
    const checkin = await scan(registrationId);
    // As if it had begun before the read and had committed after it.
    await onsite.sql('update onsite.checkin set version = version - 5000000 where id = $1', [
      checkin.id,
    ]);
    expect(idsOf(await read(`cursor=${nextCursor}`))).toEqual([checkin.id]);
  });

  test('are those of the doors of the caller, and those of a new door come from the beginning', async () => {
    const [hall, side] = await Promise.all(
      ['Hall', 'Side room'].map((name) => command(operator, 'venue.create', scope, { name })),
    );
    const { registrationId } = await person();
    const doorOf = ({ id }: { id: string }) => ({ subjectType: 'venue', subjectId: id });
    const inHall = await scan(registrationId, doorOf(hall));
    const inSide = await scan(registrationId, doorOf(side));
    await letTimePass();
    const first = await read('', await device(hall.id));
    expect(idsOf(first)).toEqual([inHall.id]);
    const moved = await read(`cursor=${first.nextCursor}`, await device(side.id));
    expect(idsOf(moved)).toEqual([inSide.id]);
  });

  test('lead a device to who is inside, through scans and undos of the same people at once', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, person));
    const device = follow(call);
    let isDone = false;
    const scanning = Promise.all(
      people.map(async ({ registrationId }, n) => {
        for (let turn = 0; turn < 4 + (n % 2); turn++) {
          const body = { registrationId, subjectType: 'event' };
          const { checkin } = (await call('POST', path(), { body })).body;
          if (turn % 2 === 0) await undo(checkin);
        }
      }),
    ).finally(() => {
      isDone = true;
    });
    while (!isDone) await device.read();
    await scanning;
    await device.read();
    const { checkins } = succeeded(await call('GET', path()));
    const inside = checkins.map(
      (one: { registrationId: string; subjectId: string; id: string }) => [
        `${one.registrationId} ${one.subjectId}`,
        one.id,
      ],
    );
    expect([...device.inside].toSorted()).toEqual(inside.toSorted());
    expect(inside.length).toBeGreaterThan(0);
  });
});
