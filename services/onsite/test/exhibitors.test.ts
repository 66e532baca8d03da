import type { EventScope } from '@event-api/contracts/internal/scope';
import { newId } from '@event-api/platform/ids';
import type { Client } from '@event-api/platform/testing/http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { command, givenEvent, givenRegistration, refusalOf, succeeded } from './given.ts';
import { startOnsite, type TestOnsite } from './harness.ts';

let onsite: TestOnsite;
let scope: EventScope;
let call: Client;
let operator: Client;

beforeAll(async () => {
  onsite = await startOnsite();
  operator = await onsite.operator();
});
afterAll(() => onsite?.close());
beforeEach(async () => {
  scope = await givenEvent(onsite);
  call = await onsite.as(scope.businessUnitId);
});

const run = (name: string, input: object) => command(operator, name, scope, input);
const attempt = (name: string, input: object) =>
  operator('POST', `/operator/${name}`, { body: { ...scope, ...input } });
const path = (rest = '') => `/v1/events/${scope.eventId}/exhibitors${rest}`;

describe('a company', () => {
  it('applies, is confirmed or declined, and is read with roster and booths', async () => {
    const profile = { name: 'Engines', description: 'Analytical', website: 'https://a.example' };
    const made = await run('exhibitor.create', profile);
    expect(made).toEqual({
      ...profile,
      id: expect.stringMatching(/^exh_/),
      eventId: scope.eventId,
      status: 'pending',
      members: [],
      booths: [],
      createdAt: expect.stringMatching(/Z$/),
    });
    const exhibitorId = made.id;
    for (const [name, status] of [
      ['confirm', 'confirmed'],
      ['confirm', 'confirmed'],
      ['decline', 'declined'],
      ['confirm', 'confirmed'],
    ]) {
      const decided = await run(`exhibitor.${name}`, { exhibitorId });
      expect(decided).toEqual({ ...made, status });
    }
    const renamed = await run('exhibitor.update', { exhibitorId, name: 'E & Co', website: null });
    expect(renamed).toEqual({ ...made, name: 'E & Co', website: null, status: 'confirmed' });
    const { registrationId } = await givenRegistration(onsite.sql, scope);
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

  it('of another event, of another unit and of nobody are one 404', async () => {
    const besides = await givenEvent(onsite, scope);
    const foreign = await givenEvent(onsite);
    const ids = [newId('exh')];
    for (const elsewhere of [besides, foreign]) {
      ids.push((await command(operator, 'exhibitor.create', elsewhere, { name: 'X' })).id);
    }
    for (const id of ids) {
      expect((await call('GET', path(`/${id}`))).status).toBe(404);
      const asked = { exhibitorId: id, number: '1', type: 'x' };
      expect((await attempt('exhibitor.allocateBooth', asked)).status).toBe(404);
    }
  });

  it.each(['ftp://a.example', 'nonsense', 'javascript:alert(1)'])(
    'with the website %s is refused',
    async (website) => {
      expect(refusalOf(await attempt('exhibitor.create', { name: 'X', website }))).toEqual([
        400,
        'website',
      ]);
    },
  );
});

describe('a roster', () => {
  it('has a registration once, with the role given last; the list narrows to its company', async () => {
    const { id: exhibitorId } = await run('exhibitor.create', { name: 'Engines' });
    await run('exhibitor.create', { name: 'Looms' });
    const { registrationId } = await givenRegistration(onsite.sql, scope);
    const member = { exhibitorId, registrationId };
    await run('exhibitor.addMember', { ...member, role: 'Sales' });
    const made = await run('exhibitor.addMember', { ...member, role: 'Lead' });
    expect(made.members).toEqual([{ registrationId, role: 'Lead' }]);
    const narrowed = path(`?registrationId=${registrationId}`);
    expect(succeeded(await call('GET', narrowed)).exhibitors).toEqual([made]);
    const nobody = path(`?registrationId=${newId('reg')}`);
    expect(succeeded(await call('GET', nobody)).exhibitors).toEqual([]);
    await run('exhibitor.removeMember', member);
    expect((await run('exhibitor.removeMember', member)).members).toEqual([]);
    expect(succeeded(await call('GET', narrowed)).exhibitors).toEqual([]);
  });

  it('takes nobody who staffs another company, of however many that ask at once', async () => {
    const companies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => run('exhibitor.create', { name: `Company ${n}` })),
    );
    const { registrationId } = await givenRegistration(onsite.sql, scope);
    const answers = await Promise.all(
      companies.map(({ id: exhibitorId }) =>
        attempt('exhibitor.addMember', { exhibitorId, registrationId, role: 'Sales' }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
    const rows = await onsite.sql(
      'select from onsite.exhibitor_member where registration_id = $1',
      [registrationId],
    );
    expect(rows).toHaveLength(1);
  });

  it('takes nobody of another event', async () => {
    const { id: exhibitorId } = await run('exhibitor.create', { name: 'Engines' });
    const elsewhere = await givenEvent(onsite, scope);
    const { registrationId } = await givenRegistration(onsite.sql, elsewhere);
    const asked = { exhibitorId, registrationId, role: 'Sales' };
    expect((await attempt('exhibitor.addMember', asked)).status).toBe(404);
  });
});

describe('a booth', () => {
  it('number is given once in an event, of however many that ask at once, and again when released', async () => {
    const companies = await Promise.all(
      Array.from({ length: 6 }, (_, n) => run('exhibitor.create', { name: `Company ${n}` })),
    );
    const ask = (exhibitorId: string) =>
      attempt('exhibitor.allocateBooth', { exhibitorId, number: 'A1', type: 'row' });
    const answers = await Promise.all(companies.map(({ id }) => ask(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(409)]);
    const winner = answers.find(({ status }) => status === 200)?.body;
    const loser = companies.find(({ id }) => id !== winner.id);
    const byNumber = { exhibitorId: winner.id, number: 'A1' };
    expect((await run('exhibitor.releaseBooth', byNumber)).booths).toEqual([]);
    const taken = succeeded(await ask(loser.id));
    const byId = { exhibitorId: loser.id, boothId: taken.booths[0].id };
    expect((await run('exhibitor.releaseBooth', byId)).booths).toEqual([]);
    const elsewhere = await givenEvent(onsite, scope);
    const { id } = await command(operator, 'exhibitor.create', elsewhere, { name: 'X' });
    const booth = { exhibitorId: id, number: 'A1', type: 'row' };
    succeeded(await ask(loser.id));
    await command(operator, 'exhibitor.allocateBooth', elsewhere, booth);
  });

  it('is in a room of its event', async () => {
    const { id: exhibitorId } = await run('exhibitor.create', { name: 'Engines' });
    const asked = { exhibitorId, number: 'A1', type: 'row', venueId: 'ven_none' };
    expect(refusalOf(await attempt('exhibitor.allocateBooth', asked))).toEqual([400, 'venueId']);
    const { id: venueId } = await run('venue.create', { name: 'Hall' });
    const made = await run('exhibitor.allocateBooth', { ...asked, venueId });
    expect(made.booths).toMatchObject([{ number: 'A1', venueId }]);
  });
});
