import { newId } from '@event-api/platform/core/ids';
import { describe, expect, test } from 'vitest';
import { call, onsite, operator, scope, useOnsite } from './context.ts';
import {
  command,
  createTestEvent,
  createTestRegistration,
  errorReason,
  succeeded,
} from './fixtures.ts';

useOnsite();

const run = (name: string, input: object) => command(operator, name, scope, input);
const attempt = (name: string, input: object) =>
  operator('POST', `/operator/${name}`, { body: { ...scope, ...input } });
const path = (rest = '') => `/v1/events/${scope.eventId}/exhibitors${rest}`;

describe('an exhibitor', () => {
  test('is created as pending, confirmed or declined, and returned with roster and booths', async () => {
    const profile = { name: 'Engines', description: 'Analytical', website: 'https://a.example' };
    const created = await run('exhibitor.create', profile);
    expect(created).toEqual({
      ...profile,
      id: expect.stringMatching(/^exh_/),
      eventId: scope.eventId,
      status: 'pending',
      members: [],
      booths: [],
      createdAt: expect.stringMatching(/Z$/),
    });
    const exhibitorId = created.id;
    for (const [name, status] of [
      ['confirm', 'confirmed'],
      ['confirm', 'confirmed'],
      ['decline', 'declined'],
      ['confirm', 'confirmed'],
    ]) {
      const decided = await run(`exhibitor.${name}`, { exhibitorId });
      expect(decided).toEqual({ ...created, status });
    }
    const renamed = await run('exhibitor.update', { exhibitorId, name: 'E & Co', website: null });
    expect(renamed).toEqual({ ...created, name: 'E & Co', website: null, status: 'confirmed' });
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    await run('exhibitor.addMember', { exhibitorId, registrationId, role: 'Sales' });
    const whole = await run('exhibitor.allocateBooth', {
      exhibitorId,
      number: 'A12',
      type: 'corner',
    });
    expect(whole).toEqual({
      ...renamed,
      members: [{ registrationId, role: 'Sales' }],
      booths: [
        { id: expect.stringMatching(/^booth_/), number: 'A12', type: 'corner', venueId: null },
      ],
    });
    expect(succeeded(await call('GET', path(`/${exhibitorId}`)))).toEqual(whole);
    const second = await run('exhibitor.create', { name: 'Looms' });
    expect(succeeded(await call('GET', path()))).toEqual({
      exhibitors: [second, whole],
      nextCursor: null,
    });
  });

  test('returns an identical 404 for an unknown id, another event and another business unit', async () => {
    const besides = await createTestEvent(onsite, scope);
    const foreign = await createTestEvent(onsite);
    const ids = [newId('exh')];
    for (const elsewhere of [besides, foreign]) {
      ids.push((await command(operator, 'exhibitor.create', elsewhere, { name: 'X' })).id);
    }
    for (const id of ids) {
      expect((await call('GET', path(`/${id}`))).status).toBe(404);
      const input = { exhibitorId: id, number: '1', type: 'x' };
      expect((await attempt('exhibitor.allocateBooth', input)).status).toBe(404);
    }
  });

  test.each(['ftp://a.example', 'nonsense', 'javascript:alert(1)'])(
    'rejects the website %s',
    async (website) => {
      expect(errorReason(await attempt('exhibitor.create', { name: 'X', website }))).toEqual([
        400,
        'website',
      ]);
    },
  );
});

describe('a roster', () => {
  test('contains a registration once with its last role, and the list filters by registration', async () => {
    const { id: exhibitorId } = await run('exhibitor.create', { name: 'Engines' });
    await run('exhibitor.create', { name: 'Looms' });
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const member = { exhibitorId, registrationId };
    await run('exhibitor.addMember', { ...member, role: 'Sales' });
    const updated = await run('exhibitor.addMember', { ...member, role: 'Lead' });
    expect(updated.members).toEqual([{ registrationId, role: 'Lead' }]);
    const narrowed = path(`?registrationId=${registrationId}`);
    expect(succeeded(await call('GET', narrowed)).exhibitors).toEqual([updated]);
    const unknownMember = path(`?registrationId=${newId('reg')}`);
    expect(succeeded(await call('GET', unknownMember)).exhibitors).toEqual([]);
    await run('exhibitor.removeMember', member);
    expect((await run('exhibitor.removeMember', member)).members).toEqual([]);
    expect(succeeded(await call('GET', narrowed)).exhibitors).toEqual([]);
  });

  test('rejects a registration that staffs another exhibitor, also in concurrent requests', async () => {
    const companies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => run('exhibitor.create', { name: `Company ${n}` })),
    );
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const responses = await Promise.all(
      companies.map(({ id: exhibitorId }) =>
        attempt('exhibitor.addMember', { exhibitorId, registrationId, role: 'Sales' }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
    const rows = await onsite.sql(
      'select from onsite.exhibitor_member where registration_id = $1',
      [registrationId],
    );
    expect(rows).toHaveLength(1);
  });

  test('rejects a registration of another event', async () => {
    const { id: exhibitorId } = await run('exhibitor.create', { name: 'Engines' });
    const elsewhere = await createTestEvent(onsite, scope);
    const { registrationId } = await createTestRegistration(onsite.sql, elsewhere);
    const input = { exhibitorId, registrationId, role: 'Sales' };
    expect((await attempt('exhibitor.addMember', input)).status).toBe(404);
  });
});

describe('a booth', () => {
  test('has a number that is unique in its event, also in concurrent requests, and free after a release', async () => {
    const companies = await Promise.all(
      Array.from({ length: 6 }, (_, n) => run('exhibitor.create', { name: `Company ${n}` })),
    );
    const allocate = (exhibitorId: string) =>
      attempt('exhibitor.allocateBooth', { exhibitorId, number: 'A1', type: 'row' });
    const responses = await Promise.all(companies.map(({ id }) => allocate(id)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(409)]);
    const refused = responses.find(({ status }) => status === 409)?.body;
    expect(refused.error.details).toMatchObject([{ field: 'number', code: 'already_exists' }]);
    const winner = responses.find(({ status }) => status === 200)?.body;
    const loser = companies.find(({ id }) => id !== winner.id);
    const byNumber = { exhibitorId: winner.id, number: 'A1' };
    expect((await run('exhibitor.releaseBooth', byNumber)).booths).toEqual([]);
    const taken = succeeded(await allocate(loser.id));
    const byId = { exhibitorId: loser.id, boothId: taken.booths[0].id };
    expect((await run('exhibitor.releaseBooth', byId)).booths).toEqual([]);
    const elsewhere = await createTestEvent(onsite, scope);
    const { id } = await command(operator, 'exhibitor.create', elsewhere, { name: 'X' });
    const booth = { exhibitorId: id, number: 'A1', type: 'row' };
    succeeded(await allocate(loser.id));
    await command(operator, 'exhibitor.allocateBooth', elsewhere, booth);
  });

  test('rejects a venue of another event', async () => {
    const { id: exhibitorId } = await run('exhibitor.create', { name: 'Engines' });
    const input = { exhibitorId, number: 'A1', type: 'row', venueId: 'ven_none' };
    expect(errorReason(await attempt('exhibitor.allocateBooth', input))).toEqual([404, 'venueId']);
    const { id: venueId } = await run('venue.create', { name: 'Hall' });
    const created = await run('exhibitor.allocateBooth', { ...input, venueId });
    expect(created.booths).toMatchObject([{ number: 'A1', venueId }]);
  });
});
