import { beforeEach, describe, expect, test } from 'vitest';
import { call, catalog, unit, useCatalog } from './context.ts';
import {
  createTestEvent,
  createTestTicketType,
  type EventBody,
  pathOf,
  succeeded,
} from './fixtures.ts';

useCatalog();

type Group = { id: string; name: string; capacity: number };
let event: EventBody;
beforeEach(async () => {
  event = await createTestEvent(call);
});

const patch = (body: object, path = pathOf(event)) => call('PATCH', path, { body });
const setGroups = async (...capacityGroups: object[]): Promise<Group[]> =>
  succeeded<{ capacityGroups: Group[] }>(await patch({ capacityGroups })).capacityGroups;
const hall = { name: 'Hall', capacity: 10 };

describe('the capacity groups of an event', () => {
  test('get ids that stay, also when they are sent by name', async () => {
    const [first] = await setGroups(hall);
    expect(first).toEqual({ id: expect.stringMatching(/^cgp_/), ...hall });
    const groups = await setGroups({ ...hall, capacity: 20 }, { name: 'Room', capacity: 5 });
    expect(groups[0]).toEqual({ ...first, capacity: 20 });
    const renamed = await setGroups({ ...groups[0], name: 'Arena' });
    expect(renamed).toEqual([{ id: first?.id, name: 'Arena', capacity: 20 }]);
    const read = succeeded<EventBody & { capacityGroups: Group[] }>(
      await call('GET', pathOf(event)),
    );
    expect(read.capacityGroups).toEqual(renamed);
    expect(succeeded(await patch({ capacityGroups: renamed }))).toEqual(read);
  });

  test('are refused with the field', async () => {
    const fieldsOf = async (...capacityGroups: object[]) => {
      const { status, body } = await patch({ capacityGroups });
      expect(status).toBe(400);
      return body.error.details.map(({ field }: { field: string }) => field);
    };
    expect(await fieldsOf({ name: ' ', capacity: 0 })).toEqual([
      'capacityGroups[0].name',
      'capacityGroups[0].capacity',
    ]);
    expect(await fieldsOf(hall, hall)).toEqual(['capacityGroups[1].name']);
    expect(await fieldsOf({ id: 'cgp_unknown', ...hall })).toEqual(['capacityGroups[0].id']);
  });

  test('are removed when no ticket type belongs to them', async () => {
    const [group] = await setGroups(hall);
    const type = await createTestTicketType(call, event, { capacityGroupId: group?.id });
    const refused = await patch({ capacityGroups: [] });
    expect([refused.status, refused.body.error.details]).toEqual([
      412,
      [
        {
          reason: 'CAPACITY_GROUP_IN_USE',
          field: 'capacityGroups',
          capacityGroupId: group?.id,
        },
      ],
    ]);
    succeeded(await patch({ capacityGroupId: null }, pathOf(type)));
    expect(await setGroups()).toEqual([]);
  });

  test('are named by ticket types of their event only', async () => {
    const [group] = await setGroups(hall);
    const other = await createTestEvent(call);
    const body = { name: 'Seat', capacityGroupId: group?.id };
    const foreign = await call('POST', `${pathOf(other)}/ticket-types`, { body });
    expect([foreign.status, foreign.body.error.details[0].field]).toEqual([400, 'capacityGroupId']);
  });

  test('limit what is remaining of their types and of bundles', async () => {
    const [group] = await setGroups(hall);
    const fields = { capacityGroupId: group?.id };
    const day = await createTestTicketType(call, event, { ...fields, name: 'Day', capacity: 9 });
    const night = await createTestTicketType(call, event, { ...fields, name: 'Night' });
    for (const { id } of [day, night]) {
      await catalog.sql(
        `insert into catalog.seat_count (id, business_unit_id, event_id, version, confirmed, waitlisted, offered, reserved)
         values ($1, $2, $3, 1, 1, 0, 0, 1)`,
        [id, unit, event.id],
      );
    }
    const remainingOf = async (path: string) =>
      succeeded<{ availability: { remaining: number } }>(await call('GET', path)).availability
        .remaining;
    expect([await remainingOf(pathOf(day)), await remainingOf(pathOf(night))]).toEqual([6, 6]);
    const items = [day, night].map(({ id }) => ({ itemType: 'registration_type', itemId: id }));
    const bundles = `${pathOf(event)}/bundles`;
    const bundle = await call('POST', bundles, { body: { name: 'Both', items } });
    expect(succeeded<{ remaining: number }>(bundle, 201).remaining).toBe(3);
    succeeded(await patch({ capacityGroups: [{ ...group, capacity: 3 }] }));
    expect(await remainingOf(pathOf(day))).toBe(0);
  });
});
