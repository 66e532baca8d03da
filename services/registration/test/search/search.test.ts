import { permissionsOfRole, type Role } from '@event-api/contracts/permissions';
import { nameCases } from '@event-api/platform/testing/name-cases';
import { expect, test } from 'vitest';
import { call, eventPath, operator, scope, service, typeId, useRegistration } from '../context.ts';
import { createTestEvent, createTestTicketType, someEmail } from '../fixtures.ts';
import { errorSummary, register, succeeded } from '../projection-fixtures.ts';

useRegistration();

const search = (query: string, more: object = {}) =>
  operator('POST', '/operator/registration.search', { body: { ...scope, query, ...more } });
const found = async (query: string, more: object = {}) =>
  succeeded(await search(query, more)).registrations.map(({ id }: { id: string }) => id);

interface FoundRegistration {
  id: string;
  status: string;
  registrationTypeId: string;
  registeredAt: string;
}

const named = async (name: string | null, of = scope, registrationTypeId = typeId) =>
  (await register(call, of, { email: someEmail(), name, registrationTypeId })).id;

test('finds names whose words start with every word of the text, without case and accents, newest first', async () => {
  const ada = await named('Ada Lovelace');
  const adele = await named('Adèle O’Hara-Łukasz');
  const greek = await named('ΑΔΑ Λαβλέις');
  await named(null);
  await named('Bob Lovelace');
  for (const [query, ids] of [
    ['ada', [ada]],
    ['AD', [adele, ada]],
    ['lov ada', [ada]],
    ['adele', [adele]],
    ['Adèle', [adele]],
    ['hara', [adele]],
    ["o'hara", [adele]],
    ['λαβλε', [greek]],
    ['lace', []],
    ["ada' | 'bob", []],
    ['—', []],
    ["':* \\", []],
  ] as const) {
    expect([query, await found(query)]).toEqual([query, ids]);
  }
});

test('finds names by the rule of the scanner', async () => {
  const ids = new Map<string, string>();
  for (const [name] of nameCases) if (!ids.has(name)) ids.set(name, await named(name));
  const results = [];
  for (const [name, query] of nameCases) {
    const { registrations, foundBy } = succeeded(await search(query));
    const isFound = registrations.some(({ id }: { id: string }) => id === ids.get(name));
    results.push([name, query, isFound && foundBy === 'name']);
  }
  expect(results).toEqual(nameCases);
});

test('finds the start of an email and of a badge code, and the ids of the registration, attendee and order', async () => {
  const email = someEmail();
  const { id, attendeeId, checkinCode } = await register(call, scope, {
    email,
    registrationTypeId: typeId,
  });
  await named('Ada');
  await service.sql('update registration.registration set order_id = $2 where id = $1', [
    id,
    'ord_01k8zq4m3ne7rbj5t2xw9vd6ah',
  ]);
  for (const query of [
    email,
    email.slice(0, -8).toUpperCase(),
    checkinCode.toLowerCase(),
    checkinCode.slice(0, 12),
    id,
    attendeeId,
    'ord_01k8zq4m3ne7rbj5t2xw9vd6ah',
  ]) {
    expect([query, await found(query)]).toEqual([query, [id]]);
  }
  // The invariants that are checked at the end know no such order.
  await service.sql('update registration.registration set order_id = null where id = $1', [id]);
  for (const query of ['%@example.com', 'CHK-0000000000000000', 'ORD-7K3M9QXA', `x${email}`]) {
    expect([query, await found(query)]).toEqual([query, []]);
  }
});

test('finds a part of an email, a code without its letters and a name with a wrong letter, and says how', async () => {
  const email = `b0a2.${someEmail().replace('@', '-part@gmial.')}`;
  const { id, checkinCode } = await register(call, scope, {
    email,
    name: 'Ada Lovelace',
    registrationTypeId: typeId,
  });
  await named('Grace Hopper');
  for (const [query, foundBy] of [
    ['gmial', 'emailPart'],
    ['PART@GMIAL', 'emailPart'],
    ['b0a2.', 'emailPart'],
    [checkinCode.slice(4), 'checkinCode'],
    [checkinCode.slice(4, 12).toLowerCase(), 'checkinCode'],
    [`CHK ${checkinCode.slice(4)}`, 'checkinCode'],
    ['Lovalace', 'similarName'],
    ['aad lovelacr', null],
    ['ada lovelacr', 'similarName'],
    ['lvelace', 'similarName'],
    ['ada', 'name'],
  ] as const) {
    const answer = succeeded(await search(query));
    const ids = answer.registrations.map(({ id: each }: { id: string }) => each);
    expect([query, answer.foundBy, ids]).toEqual([query, foundBy, foundBy ? [id] : []]);
  }
});

test('continues a search for similar names with the next page of them', async () => {
  const ids = [await named('Ada Lovelace'), await named('Bob Lovelace')].toReversed();
  const first = succeeded(await search('lovalace', { limit: 1 }));
  // An exact match that arrives in between does not change what the list is about.
  await named('Eve Lovalace');
  const next = succeeded(await search('lovalace', { limit: 1, cursor: first.nextCursor }));
  expect([first, next].map(({ registrations: [row], foundBy }) => [row.id, foundBy])).toEqual(
    ids.map((id) => [id, 'similarName']),
  );
});

test('finds nothing of another event or business unit', async () => {
  const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
  const otherType = await createTestTicketType(service.sql, other);
  const id = await named('Ada Lovelace', other, otherType);
  expect(await found('ada')).toEqual([]);
  expect(await found(id)).toEqual([]);
  expect(await found('ada', other)).toEqual([id]);
  const stranger = await createTestEvent(service.sql);
  expect(
    errorSummary(await search('ada', { ...other, businessUnitId: stranger.businessUnitId })),
  ).toEqual([404, 'eventId']);
});

test('returns registrations as the API does, page by page', async () => {
  const ids = [];
  for (const name of ['Ada One', 'Ada Two', 'Ada Three']) ids.unshift(await named(name));
  const first = succeeded(await search('ada', { limit: 2 }));
  const next = succeeded(await search('ada', { limit: 2, cursor: first.nextCursor }));
  expect(next.nextCursor).toBeNull();
  const all = [...first.registrations, ...next.registrations];
  expect(all.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(all[0]).toEqual(succeeded(await call('GET', `${eventPath}/registrations/${ids[0]}`)));
  expect(errorSummary(await search('other', { cursor: first.nextCursor }))).toEqual([
    400,
    'cursor',
  ]);
});

test('finds only what fits every filter, in every combination and through all pages', async () => {
  const other = await createTestTicketType(service.sql, scope, { requiresApproval: true });
  for (let place = 0; place < 8; place++) {
    const id = await named(`Ada ${place}`, scope, place % 2 === 0 ? typeId : other);
    // Two by two at one instant.
    await service.sql(
      `update registration.registration set registered_at = timestamptz '2027-05-10T07:00:00Z' + $2::int * interval '1 s'
       where id = $1`,
      [id, Math.floor(place / 2)],
    );
    if (place === 3) {
      succeeded(await call('POST', `${eventPath}/registrations/${id}/cancel`));
    }
  }
  await named('Bob');
  const all: FoundRegistration[] = succeeded(await search('ada')).registrations;
  const at = (second: number) => `2027-05-10T07:00:0${second}.000Z`;
  const statuses = [undefined, 'confirmed', 'pending', 'cancelled', 'rejected'];
  const periods = [[], [1, 3], [3], [undefined, 1], [2, 2], [3, 1]] as const;
  let matches = 0;
  for (const status of statuses) {
    for (const registrationTypeId of [undefined, typeId, other, 'tt_unknown']) {
      for (const [from, before] of periods) {
        const filters = {
          status,
          registrationTypeId,
          registeredFrom: from && at(from),
          registeredBefore: before && at(before),
        };
        const expected = all
          .filter(
            (each) =>
              (status === undefined || each.status === status) &&
              (registrationTypeId === undefined ||
                each.registrationTypeId === registrationTypeId) &&
              each.registeredAt >= at(from ?? 0) &&
              each.registeredAt < at(before ?? 9),
          )
          .map(({ id }) => id);
        const read = [];
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const more = { ...filters, limit: 2, ...(cursor && { cursor }) };
          const page = succeeded(await search('ada', more));
          read.push(...page.registrations.map(({ id }: FoundRegistration) => id));
          cursor = page.nextCursor;
        }
        expect([filters, read]).toEqual([filters, expected]);
        matches += expected.length;
      }
    }
  }
  expect(matches).toBeGreaterThan(40);
  const { nextCursor: cursor } = succeeded(await search('ada', { limit: 1, status: 'pending' }));
  expect(errorSummary(await search('ada', { cursor }))).toEqual([400, 'cursor']);
  expect(errorSummary(await search('ada', { status: 'wrong' }))).toEqual([400, 'status']);
});

test('finds and counts those with an answer, and the counts are those of the rows', async () => {
  const other = await createTestTicketType(service.sql, scope, { requiresApproval: true });
  for (const [place, diet] of ['vegan', 'vegan', 'none', ' ', null].entries()) {
    const registrationTypeId = place === 0 ? other : typeId;
    const responses = diet === null ? {} : { responses: { diet } };
    await register(call, scope, {
      ...{ email: `eve${place}@answers.example`, name: `Evelyn ${place}`, registrationTypeId },
      ...responses,
    });
  }
  await register(call, scope, {
    ...{ email: someEmail(), name: 'Mallory', registrationTypeId: typeId },
    responses: { diet: 'vegan' },
  });
  const cases = [
    [undefined, [4, 3, 2, 1, 0]],
    [{ question: 'diet', value: 'vegan' }, [1, 0]],
    [{ question: 'diet' }, [2, 1, 0]],
    [{ question: 'diet', value: null }, [4, 3]],
    [{ question: 'other' }, []],
  ] as const;
  const count = (body: object) =>
    operator('POST', '/operator/registration.count', { body: { ...scope, ...body } });
  // By name, by a part of an email, and by a name with a wrong letter.
  for (const query of ['evelyn', 'answers.exam', 'evelin']) {
    for (const [answer, places] of cases) {
      for (const registrationTypeId of [undefined, other]) {
        const filters = { answer, registrationTypeId };
        const rows: (FoundRegistration & { name: string })[] = [];
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const page = succeeded(
            await search(query, { ...filters, limit: 2, ...(cursor && { cursor }) }),
          );
          rows.push(...page.registrations);
          cursor = page.nextCursor;
        }
        const expected = places.filter((place) => !registrationTypeId || place === 0);
        expect([query, filters, rows.map(({ name }) => name)]).toEqual([
          ...[query, filters, expected.map((place) => `Evelyn ${place}`)],
        ]);
        const { total, statuses } = succeeded(await count({ ...filters, query }));
        expect([total, statuses.pending, statuses.confirmed]).toEqual([
          rows.length,
          ...['pending', 'confirmed'].map(
            (status) => rows.filter((each) => each.status === status).length,
          ),
        ]);
      }
    }
  }
  expect(succeeded(await count({ query: 'nobody at all' })).total).toBe(0);
  const door = await service.person(scope.businessUnitId, permissionsOfRole('door'));
  const body = { ...scope, query: 'evelyn', answer: { question: 'diet' } };
  for (const operation of ['search', 'count']) {
    const response = await door('POST', `/operator/registration.${operation}`, { body });
    expect(response.status).toBe(403);
  }
});

test('shows no emails and no responses to an operator of doors', async () => {
  const id = await named('Ada Lovelace');
  const as = async (role: Role) => {
    const person = await service.person(scope.businessUnitId, permissionsOfRole(role));
    const body = { ...scope, query: 'ada' };
    return succeeded(await person('POST', '/operator/registration.search', { body })).registrations;
  };
  expect(await as('door')).toMatchObject([{ id, email: null, responses: null }]);
  for (const role of ['owner', 'organizer', 'finance', 'viewer'] as const) {
    expect(await as(role)).toMatchObject([{ id, email: expect.stringContaining('@') }]);
  }
});
