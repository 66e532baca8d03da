import { newId } from '@event-api/platform/core/ids';
import { describe, expect, test } from 'vitest';
import { call, scope, service, useRegistration } from './context.ts';
import { createTestCode, createTestEvent, createTestTicketType, someEmail } from './fixtures.ts';
import { readAll } from './pages.ts';
import { errorSummary, register, succeeded } from './projection-fixtures.ts';

useRegistration();

const pathOf = (list: string) => `/v1/events/${scope.eventId}/${list}`;
const all = (list: string, filters: Record<string, string> = {}, limit = 2) =>
  readAll(call, pathOf(list), filters, limit);
const idsOf = (records: { id: string }[]) => records.map(({ id }) => id);
const move = async (id: string, verb: string) =>
  succeeded(await call('POST', `${pathOf('registrations')}/${id}/${verb}`));

/**
 * Registrations of two ticket types, with and without a code, in several statuses; two of one
 * email.
 */
async function createRegistrations() {
  const open = await createTestTicketType(service.sql, scope);
  const gated = await createTestTicketType(service.sql, scope, { requiresApproval: true });
  const friends = await createTestCode(service.sql, scope, open, { maxUses: null });
  const email = someEmail();
  const first = await register(call, scope, { email, registrationTypeId: open });
  await move(first.id, 'cancel');
  const again = { email: email.toUpperCase(), registrationTypeId: gated };
  await register(call, scope, again);
  for (const redemptionCode of [friends.code, undefined, friends.code]) {
    await register(call, scope, { registrationTypeId: open, redemptionCode });
  }
  for (let n = 0; n < 3; n++) await register(call, scope, { registrationTypeId: gated });
  const [newest] = await all('registrations');
  await move(newest.id, 'reject');
  return { email, types: [open, gated], codeId: friends.id };
}

describe('filters of registrations', () => {
  test('combine by and, in every combination and through all pages', async () => {
    const { email, types, codeId } = await createRegistrations();
    const records = await all('registrations');
    expect(records).toHaveLength(8);
    const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
    let found = 0;
    for (const status of [undefined, 'confirmed', 'pending', 'cancelled', 'rejected']) {
      for (const registrationTypeId of [undefined, ...types]) {
        for (const redemptionCodeId of [undefined, codeId]) {
          for (const wanted of [undefined, ` ${email.toUpperCase()} `]) {
            const filters = { status, registrationTypeId, redemptionCodeId };
            const query = JSON.parse(JSON.stringify({ ...filters, email: wanted }));
            const expected = records.filter(
              (record) =>
                Object.entries(filters).every(
                  ([name, value]) => value === undefined || record[name] === value,
                ) &&
                (wanted === undefined || same(record.email, email)),
            );
            found += expected.length;
            expect(idsOf(await all('registrations', query)), JSON.stringify(query)).toEqual(
              idsOf(expected),
            );
            const since = { ...query, updatedSince: '2020-01-01T00:00:00Z' };
            expect(idsOf(await all('registrations', since)).toSorted()).toEqual(
              idsOf(expected).toSorted(),
            );
          }
        }
      }
    }
    expect(found).toBeGreaterThan(40);
  });

  test('by time include the first instant and not the last one, with other filters and through all pages', async () => {
    const { email, types, codeId } = await createRegistrations();
    // Two by two at one instant, oldest first.
    await service.sql(
      `update registration.registration r set registered_at = timestamptz '2027-05-10T07:00:00Z' + (n.place / 2) * interval '1 s'
       from (select id, row_number() over (order by insertion_order) - 1 as place from registration.registration
         where event_id = $1) n where n.id = r.id`,
      [scope.eventId],
    );
    const records = await all('registrations');
    const at = (second: number) => `2027-05-10T07:00:0${second}.000Z`;
    expect(records.map(({ registeredAt }) => registeredAt)).toEqual(
      [3, 3, 2, 2, 1, 1, 0, 0].map(at),
    );
    const others = [
      {},
      { status: 'confirmed' },
      { registrationTypeId: types[1] },
      { email },
      { redemptionCodeId: codeId },
    ];
    const periods = [
      { from: 1, before: 3 },
      { from: 2 },
      { before: 2 },
      { from: 3, before: 3 },
      { from: 4 },
    ];
    for (const other of others) {
      const matching = records.filter((record) =>
        Object.entries(other).every(
          ([name, value]) => `${record[name]}`.toLowerCase() === `${value}`.toLowerCase(),
        ),
      );
      for (const { from = 0, before = 9 } of periods) {
        const query = JSON.parse(
          JSON.stringify({ ...other, registeredFrom: at(from), registeredBefore: at(before) }),
        );
        const expected = matching.filter(
          ({ registeredAt }) => registeredAt >= at(from) && registeredAt < at(before),
        );
        for (const limit of [1, 100]) {
          const found = await all('registrations', query, limit);
          expect(found.map(({ registeredAt }) => registeredAt)).toEqual(
            expected.map(({ registeredAt }) => registeredAt),
          );
          expect(idsOf(found).toSorted(), JSON.stringify(query)).toEqual(
            idsOf(expected).toSorted(),
          );
        }
        const since = { ...query, updatedSince: '2020-01-01T00:00:00Z' };
        expect(idsOf(await all('registrations', since)).toSorted()).toEqual(
          idsOf(expected).toSorted(),
        );
      }
    }
    const east = { registeredFrom: '2027-05-10T09:00:03+02:00' };
    expect(await all('registrations', east)).toHaveLength(2);
    expect(await all('registrations', { registeredBefore: at(1) })).toHaveLength(2);
  });

  test.each(['nobody@example.com', 'no email', '', '%', ' ', '\0', 'x'.repeat(5000)])(
    'find nothing by the email %j',
    async (email) => {
      const type = await createTestTicketType(service.sql, scope);
      await register(call, scope, { registrationTypeId: type });
      for (const list of ['registrations', 'attendees']) {
        expect(await all(list, { email })).toEqual([]);
      }
    },
  );

  test('match nothing for an unknown ticket type or code', async () => {
    await register(call, scope, {
      registrationTypeId: await createTestTicketType(service.sql, scope),
    });
    expect(await all('registrations', { registrationTypeId: newId('tt') })).toEqual([]);
    expect(await all('registrations', { redemptionCodeId: newId('code') })).toEqual([]);
  });

  test('match nothing of another business unit or event', async () => {
    const { email, types, codeId } = await createRegistrations();
    const [registrationTypeId = ''] = types;
    const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const stranger = await createTestEvent(service.sql);
    const strange = await service.as(stranger.businessUnitId);
    for (const filters of [{ email }, { registrationTypeId }, { redemptionCodeId: codeId }]) {
      const query = JSON.parse(JSON.stringify(filters));
      expect(await readAll(call, `/v1/events/${other.eventId}/registrations`, query)).toEqual([]);
      expect(await readAll(strange, `/v1/events/${stranger.eventId}/registrations`, query)).toEqual(
        [],
      );
    }
    expect(await readAll(call, `/v1/events/${other.eventId}/attendees`, { email })).toEqual([]);
  });
});

describe('an attendee', () => {
  test('is found by the email in any case', async () => {
    const type = await createTestTicketType(service.sql, scope);
    const email = someEmail();
    const { attendeeId } = await register(call, scope, { email, registrationTypeId: type });
    await register(call, scope, { registrationTypeId: type });
    const found = await all('attendees', { email: email.toUpperCase() });
    expect(idsOf(found)).toEqual([attendeeId]);
    const since = { email, updatedSince: '2020-01-01T00:00:00Z' };
    expect(idsOf(await all('attendees', since))).toEqual([attendeeId]);
  });
});

describe('redemption codes', () => {
  test('are filtered by status', async () => {
    const type = await createTestTicketType(service.sql, scope);
    const body = { registrationTypeId: type, count: 5 };
    succeeded(await call('POST', pathOf('redemption-codes'), { body }), 201);
    const codes = await all('redemption-codes');
    for (const { id } of [codes[1], codes[3]]) {
      succeeded(await call('POST', `${pathOf('redemption-codes')}/${id}/disable`));
    }
    const disabled = await all('redemption-codes', { status: 'disabled' }, 1);
    expect(idsOf(disabled)).toEqual(idsOf([codes[1], codes[3]]));
    const active = await all('redemption-codes', { status: 'active' });
    expect(idsOf(active)).toEqual(idsOf([codes[0], codes[2], codes[4]]));
    const since = { status: 'disabled', updatedSince: '2020-01-01T00:00:00Z' };
    expect(idsOf(await all('redemption-codes', since))).toEqual(idsOf([codes[1], codes[3]]));
  });
});

describe('updatedSince', () => {
  const changes = async (list: string, updatedSince: string) =>
    idsOf(await all(list, { updatedSince }, 1));

  test('lists registrations and attendees in the order of their last change', async () => {
    const type = await createTestTicketType(service.sql, scope, { requiresApproval: true });
    const people = [];
    for (let n = 0; n < 4; n++) {
      people.push(await register(call, scope, { registrationTypeId: type }));
    }
    const [one, two, three] = people;
    expect(await changes('registrations', people[1].registeredAt)).toEqual(idsOf(people).slice(1));
    const since = await service.timeAfterChanges();
    for (const { id } of [three, one]) await move(id, 'approve');
    await move(two.id, 'reject');
    const moved = [three, one, two];
    expect(await changes('registrations', since)).toEqual(idsOf(moved));
    expect(await changes('attendees', since)).toEqual(moved.map(({ attendeeId }) => attendeeId));
    expect(await changes('registrations', await service.timeAfterChanges())).toEqual([]);
  });

  test('lists a code when it is created, used, released and disabled', async () => {
    const type = await createTestTicketType(service.sql, scope);
    const start = await service.timeAfterChanges();
    const body = { registrationTypeId: type, maxUses: null };
    const created = await call('POST', pathOf('redemption-codes'), { body });
    const [code] = succeeded(created, 201).redemptionCodes;
    expect(await changes('redemption-codes', start)).toEqual([code.id]);
    const steps = [
      () => register(call, scope, { registrationTypeId: type, redemptionCode: code.code }),
      async () => move((await all('registrations'))[0].id, 'cancel'),
      () => call('POST', `${pathOf('redemption-codes')}/${code.id}/disable`),
    ];
    for (const step of steps) {
      const since = await service.timeAfterChanges();
      expect(await changes('redemption-codes', since)).toEqual([]);
      await step();
      expect(await changes('redemption-codes', since)).toEqual([code.id]);
    }
  });

  test('returns a record that changes between two pages again, and loses none', async () => {
    const type = await createTestTicketType(service.sql, scope, { requiresApproval: true });
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) {
      ids.push((await register(call, scope, { registrationTypeId: type })).id);
    }
    const query = 'updatedSince=2020-01-01T00:00:00Z&limit=2';
    const path = `${pathOf('registrations')}?${query}`;
    const first = succeeded(await call('GET', path));
    await move(ids[0] ?? '', 'approve');
    await move(ids[2] ?? '', 'approve');
    const second = succeeded(await call('GET', `${path}&cursor=${first.nextCursor}`));
    const third = succeeded(await call('GET', `${path}&cursor=${second.nextCursor}`));
    const pages = [first, second, third].map(({ registrations }) => idsOf(registrations));
    expect(pages).toEqual([[ids[0], ids[1]], [ids[3], ids[0]], [ids[2]]]);
    expect(third.nextCursor).toBeNull();
  });
});

describe.each(['registrations', 'attendees', 'redemption-codes'])('the query of %s', (list) => {
  const rejected = async (query: string) =>
    errorSummary(await call('GET', `${pathOf(list)}?${query}`));
  const own = {
    registrations: [
      'status',
      'email',
      'registrationTypeId',
      'redemptionCodeId',
      'registeredFrom',
      'registeredBefore',
      'updatedSince',
    ],
    attendees: ['email', 'updatedSince'],
    'redemption-codes': ['status', 'updatedSince'],
  }[list] as string[];
  const instants = own.filter((name) => /Since$|From$|Before$/.test(name));

  test('is rejected when a parameter is repeated', async () => {
    for (const name of own) {
      const value =
        name === 'status' ? 'active' : instants.includes(name) ? '2020-01-01T00:00:00Z' : 'x';
      expect(await rejected(`${name}=${value}&${name}=${value}`)).toEqual([400, name]);
    }
  });

  test('is rejected with an unknown status or a malformed instant', async () => {
    if (own.includes('status')) expect(await rejected('status=unknown')).toEqual([400, 'status']);
    for (const instant of ['yesterday', '2027-05-10', '2027-05-10T09:00:00', '']) {
      for (const name of instants) {
        expect(await rejected(`${name}=${instant}`)).toEqual([400, name]);
      }
    }
  });

  test('is rejected with a cursor of other filters', async () => {
    const type = await createTestTicketType(service.sql, scope);
    for (let n = 0; n < 2; n++) {
      await register(call, scope, { registrationTypeId: type });
      await createTestCode(service.sql, scope, type);
    }
    const cursorOf = async (query: string) =>
      succeeded(await call('GET', `${pathOf(list)}?limit=1&${query}`)).nextCursor;
    const filters = [
      '',
      ...instants.flatMap((name) =>
        (name.endsWith('Before') ? [2998, 2999] : [2020, 2021]).map(
          (year) => `${name}=${year}-01-01T00:00:00Z`,
        ),
      ),
    ];
    for (const filter of filters) {
      const cursor = await cursorOf(filter);
      expect(cursor).toEqual(expect.any(String));
      for (const used of filters.filter((each) => each !== filter)) {
        expect(await rejected(`cursor=${cursor}&${used}`)).toEqual([400, 'cursor']);
      }
    }
  });
});
