import { describe, expect, test } from 'vitest';
import { call, catalog, useCatalog } from './context.ts';
import {
  currencyCases,
  type FieldCases,
  flagCases,
  instantCases,
  nameCases,
  timezoneCases,
} from './field-cases.ts';
import { createTestEvent, createTestEventInStatus, pathOf, succeeded } from './fixtures.ts';

useCatalog();

type Event = Awaited<ReturnType<typeof createTestEvent>>;

const patch = (event: { id: string }, body: unknown) => call('PATCH', pathOf(event), { body });
const read = async (event: { id: string }) => succeeded(await call('GET', pathOf(event)));
const archive = (event: { id: string }) => call('POST', `${pathOf(event)}/archive`);

const fields: Record<string, FieldCases> = {
  name: nameCases,
  timezone: timezoneCases,
  startsAt: instantCases,
  endsAt: instantCases,
  currency: currencyCases,
};

describe.each(Object.entries(fields))('%s', (field, { good, bad }) => {
  test.each(good)('takes %s', async (_what, sent, stored) => {
    const event = await createTestEvent(call);
    const changed = { ...event, [field]: stored };
    expect(succeeded(await patch(event, { [field]: sent }))).toEqual(changed);
    expect(await read(event)).toEqual(changed);
  });

  test.each(bad)('refuses %s with 400', async (_what, sent, code) => {
    const event = await createTestEvent(call);
    const { status, body } = await patch(event, { [field]: sent });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field, issue: expect.any(String), code }]);
    expect(await read(event)).toEqual(event);
  });
});

describe('confirmAgendaReset and status', () => {
  test.each(flagCases.bad.filter(([, sent]) => sent !== null))(
    'refuse %s with 400',
    async (_what, sent) => {
      const event = await createTestEvent(call);
      const { status, body } = await patch(event, { confirmAgendaReset: sent, status: sent });
      expect(status).toBe(400);
      expect(body.error.details).toMatchObject([
        { field: 'status', code: 'invalid_value' },
        { field: 'confirmAgendaReset', code: 'invalid_type' },
      ]);
    },
  );

  test.each(['Draft', 'open', ''])('returns 400 for the unknown status %j', async (status) => {
    const response = await patch(await createTestEvent(call), { status });
    expect(response.status).toBe(400);
    expect(response.body.error.details).toMatchObject([{ field: 'status', code: 'invalid_value' }]);
  });
});

describe('200', () => {
  test('changes the sent fields and keeps the others', async () => {
    const event = await createTestEvent(call, { startsAt: '2027-05-10T09:00:00+02:00' });
    const sent = { name: 'Winter', currency: 'USD', id: event.id, features: [] };
    const expected = { ...event, name: 'Winter', currency: 'USD' };
    expect(succeeded(await patch(event, sent))).toEqual(expected);
    expect(await read(event)).toEqual(expected);
  });

  test('clears nullable fields with null', async () => {
    const dates = { startsAt: '2027-05-10T07:00:00Z', endsAt: '2027-05-11T07:00:00Z' };
    const event = await createTestEvent(call, dates);
    const sent = { startsAt: null, endsAt: null, confirmAgendaReset: true };
    const expected = { ...event, startsAt: null, endsAt: null };
    expect(succeeded(await patch(event, sent))).toEqual(expected);
  });

  test.each([
    ['nothing', () => ({})],
    ['only a confirmation', () => ({ confirmAgendaReset: true })],
    ['only read-only fields', ({ id, createdAt }: Event) => ({ id, createdAt })],
    ['the event itself', (event: Event) => event],
    ['the same start in another offset', () => ({ startsAt: '2027-05-10T16:00:00+09:00' })],
    ['the same time zone under another name', () => ({ timezone: 'europe/BERLIN' })],
  ])('changes and writes nothing for %s', async (_what, sent) => {
    const event = await createTestEvent(call, { startsAt: '2027-05-10T09:00:00+02:00' });
    const row = 'select xmin::text, * from catalog.event where id = $1';
    const before = await catalog.sql(row, [event.id]);
    expect(succeeded(await patch(event, sent(event)))).toEqual(event);
    expect(await catalog.sql(row, [event.id])).toEqual(before);
    succeeded(await patch(event, { name: 'Other' }));
    expect(await catalog.sql(row, [event.id])).not.toEqual(before);
  });
});

describe('a field that another operation sets', () => {
  test.each([
    ['the id', { id: 'evt_x' }, 'the platform sets it'],
    ['a time', { createdAt: null }, 'the platform sets it'],
    [
      'the time of publishing',
      { publishedAt: '2027-01-01T00:00:00.000Z' },
      '`updateEvent` sets it',
    ],
  ])('is a 400 for another value of %s, and nothing changes', async (_what, sent, setBy) => {
    const event = await createTestEvent(call);
    const { status, body } = await patch(event, { ...sent, name: 'Other' });
    expect(status).toBe(400);
    const [field] = Object.keys(sent);
    const issue = `cannot be set here; ${setBy}`;
    expect(body.error.details).toEqual([{ field, issue, code: 'read_only_field' }]);
    expect(await read(event)).toEqual(event);
  });

  test('is a 400 in the body of an action', async () => {
    const event = await createTestEvent(call);
    const path = `${pathOf(event)}/archive`;
    const { status, body } = await call('POST', path, { body: { name: 'Other' } });
    expect(status).toBe(400);
    const issue = 'cannot be set here; `createEvent` and `updateEvent` set it';
    expect(body.error.details).toEqual([{ field: 'name', issue, code: 'read_only_field' }]);
    expect(succeeded(await call('POST', path, { body: event }))).toMatchObject({
      status: 'archived',
    });
  });
});

describe('the lifecycle', () => {
  test('publishes an event that has a start, and records the time', async () => {
    const event = await createTestEvent(call, { startsAt: '2027-05-10T09:00:00+02:00' });
    const published = succeeded<typeof event>(await patch(event, { status: 'published' }));
    expect(published).toEqual({
      ...event,
      status: 'published',
      publishedAt: expect.stringMatching(/\.\d{3}Z$/),
    });
    expect(Math.abs(Date.parse(published.publishedAt ?? '') - Date.now())).toBeLessThan(10_000);
    expect(succeeded(await patch(event, { status: 'published' }))).toEqual(published);
  });

  test('publishes with a start in the same request', async () => {
    const event = await createTestEvent(call);
    const sent = { status: 'published', startsAt: '2027-05-10T07:00:00.000Z' };
    expect(succeeded(await patch(event, sent))).toMatchObject(sent);
  });

  test.each([
    ['publish one without a start', 'draft', { startsAt: null, status: 'published' }],
    ['take the start from a published one', 'published', { startsAt: null }],
    [
      'take the start from a published one, confirmed',
      'published',
      { startsAt: null, confirmAgendaReset: true },
    ],
  ] as const)('rejects to %s with 400', async (_what, status, sent) => {
    const event = await createTestEventInStatus(call, status);
    const response = await patch(event, { confirmAgendaReset: true, ...sent });
    expect(response.status).toBe(400);
    expect(response.body.error.details).toEqual([
      { field: 'startsAt', issue: 'is required for a published event', code: 'required' },
    ]);
    expect(await read(event)).toEqual(event);
  });

  test.each(['draft', 'published'] as const)('archives a %s event permanently', async (from) => {
    const event = await createTestEventInStatus(call, from);
    const archived = { ...event, status: 'archived' };
    expect(succeeded(await archive(event))).toEqual(archived);
    const row = 'select xmin::text from catalog.event where id = $1';
    const before = await catalog.sql(row, [event.id]);
    expect(succeeded(await archive(event))).toEqual(archived);
    expect(succeeded(await patch(event, { status: 'archived' }))).toEqual(archived);
    expect(await catalog.sql(row, [event.id])).toEqual(before);
  });

  test.each([undefined, '', '{}', '{"status":"draft"}'])(
    'archives with the body %j, which the event has',
    async (raw) => {
      const event = await createTestEvent(call);
      const response = await call(
        'POST',
        `${pathOf(event)}/archive`,
        raw === undefined ? {} : { raw },
      );
      expect(succeeded(response)).toEqual({ ...event, status: 'archived' });
    },
  );

  test.each([
    ['draft', 'draft', 200],
    ['draft', 'published', 200],
    ['draft', 'archived', 200],
    ['published', 'draft', 400],
    ['published', 'published', 200],
    ['published', 'archived', 200],
    ['archived', 'draft', 400],
    ['archived', 'published', 400],
    ['archived', 'archived', 200],
  ] as const)('from %s to %s answers %i', async (from, to, status) => {
    const event = await createTestEventInStatus(call, from);
    const response = await patch(event, { status: to });
    expect(response.status).toBe(status);
    if (status === 400) {
      expect(response.body.error.details).toMatchObject([
        { field: 'status', code: 'invalid_transition' },
      ]);
    }
    expect(await read(event)).toEqual(status === 400 ? event : response.body);
  });

  test('rejects any change of an archived event with 400, and accepts a patch without changes', async () => {
    const event = await createTestEventInStatus(call, 'archived');
    for (const sent of [{ name: 'x' }, { startsAt: null }, { currency: 'USD' }]) {
      const { status, body } = await patch(event, { ...sent, confirmAgendaReset: true });
      expect(status).toBe(400);
      expect(body.error.details).toMatchObject([{ field: 'eventId', code: 'invalid_transition' }]);
    }
    expect(succeeded(await patch(event, { name: event.name }))).toEqual(event);
    expect(succeeded(await patch(event, {}))).toEqual(event);
  });
});
