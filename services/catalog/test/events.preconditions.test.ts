import { describe, expect, test } from 'vitest';
import { call, catalog, useCatalog } from './context.ts';
import { createTestEvent, createTestEventInStatus, pathOf, succeeded } from './fixtures.ts';

useCatalog();

const patch = (event: { id: string }, body: unknown) => call('PATCH', pathOf(event), { body });
const read = async (event: { id: string }) => succeeded(await call('GET', pathOf(event)));

async function expectRefusal(event: { id: string }, sent: object, reason: string): Promise<void> {
  const before = await read(event);
  const { status, body } = await patch(event, sent);
  expect(status).toBe(412);
  expect(body.error).toMatchObject({ code: 412, status: 'FAILED_PRECONDITION' });
  expect(body.error.details).toEqual([{ reason }]);
  expect(await read(event)).toEqual(before);
}

describe('a locked currency', () => {
  const locked = async () => {
    const event = await createTestEventInStatus(call, 'published');
    await catalog.sql('update catalog.event set currency_locked = true where id = $1', [event.id]);
    return event;
  };

  test('cannot change: 412 CURRENCY_LOCKED', async () => {
    await expectRefusal(await locked(), { currency: 'USD' }, 'CURRENCY_LOCKED');
  });

  test('prevents a change of the other fields of the request, too', async () => {
    await expectRefusal(await locked(), { currency: 'USD', name: 'Other' }, 'CURRENCY_LOCKED');
  });

  test('may be sent unchanged together with changes of other fields', async () => {
    const event = await locked();
    const sent = { currency: 'EUR', name: 'Other' };
    expect(succeeded(await patch(event, sent))).toEqual({ ...event, ...sent });
  });

  test('is checked after invalid fields', async () => {
    const event = await locked();
    expect((await patch(event, { currency: 'USD', name: '' })).status).toBe(400);
    expect((await patch(event, { currency: 'USD', endsAt: '1999-01-01T00:00:00Z' })).status).toBe(
      400,
    );
  });
});

// Berlin is two hours ahead of UTC: 10 May begins at 22:00Z.
const evening = '2027-05-09T22:30:00.000Z';

describe('a start', () => {
  test.each([
    ['the next day', { startsAt: '2027-05-11T12:00:00Z' }],
    ['the day before, an hour away', { startsAt: '2027-05-09T21:59:59Z' }],
    ['the same day of another year', { startsAt: '2028-05-09T22:30:00Z' }],
    ['nothing', { startsAt: null }],
    ['another date by its time zone alone', { timezone: 'America/New_York' }],
  ])('that moves to %s returns 412 until the move is confirmed', async (_what, sent) => {
    const event = await createTestEvent(call, { startsAt: evening });
    await expectRefusal(event, sent, 'AGENDA_RESET_UNCONFIRMED');
    await expectRefusal(event, { ...sent, confirmAgendaReset: false }, 'AGENDA_RESET_UNCONFIRMED');
    const moved = await patch(event, { ...sent, confirmAgendaReset: true });
    expect(moved.status).toBe(200);
    expect(await read(event)).toEqual(moved.body);
  });

  test.each([
    ['another time of that day', { startsAt: '2027-05-10T21:59:59.999Z' }],
    ['the first minute of that day', { startsAt: '2027-05-09T22:00:00.000Z' }],
    [
      'the same date in another time zone',
      { startsAt: '2027-05-10T12:00:00.000Z', timezone: 'America/New_York' },
    ],
  ])('that moves to %s needs no confirmation', async (_what, sent) => {
    const event = await createTestEvent(call, { startsAt: evening });
    expect(succeeded(await patch(event, sent))).toEqual({ ...event, ...sent });
  });

  test('that is set for the first time needs no confirmation', async () => {
    const event = await createTestEvent(call);
    expect(succeeded(await patch(event, { startsAt: evening }))).toMatchObject({
      startsAt: evening,
    });
  });

  test('must be confirmed for each move', async () => {
    const event = await createTestEvent(call, { startsAt: evening });
    const first = { startsAt: '2027-06-01T12:00:00Z', confirmAgendaReset: true };
    succeeded(await patch(event, first));
    await expectRefusal(event, { startsAt: '2027-06-02T12:00:00Z' }, 'AGENDA_RESET_UNCONFIRMED');
  });

  test('is checked after invalid fields', async () => {
    const event = await createTestEvent(call, { startsAt: evening });
    const sent = { startsAt: '2027-06-01T12:00:00Z', endsAt: '2027-05-31T12:00:00Z' };
    expect((await patch(event, sent)).status).toBe(400);
  });
});

describe('an end before the start', () => {
  const dates = { startsAt: '2027-05-10T07:00:00.000Z', endsAt: '2027-05-10T17:00:00.000Z' };
  const issue = { field: 'endsAt', issue: 'must not be before startsAt', code: 'invalid_value' };

  test.each([
    ['when only the end moves', { endsAt: '2027-05-10T06:59:59.999Z' }],
    ['when only the start moves', { startsAt: '2027-05-10T17:00:00.001Z' }],
    ['when both move', { startsAt: '2027-05-10T18:00:00Z', endsAt: '2027-05-10T17:59:59Z' }],
  ])('returns 400 %s', async (_what, sent) => {
    const event = await createTestEvent(call, dates);
    const { status, body } = await patch(event, sent);
    expect(status).toBe(400);
    expect(body.error.details).toEqual([issue]);
    expect(await read(event)).toEqual(event);
  });

  test.each([
    ['the end at the start', { endsAt: dates.startsAt }],
    ['the start at the end', { startsAt: dates.endsAt }],
    ['no end', { endsAt: null }],
    [
      'both moved together',
      { startsAt: '2027-05-10T18:00:00.000Z', endsAt: '2027-05-10T19:00:00.000Z' },
    ],
  ])('is validated as after the update: accepts %s', async (_what, sent) => {
    const event = await createTestEvent(call, dates);
    expect(succeeded(await patch(event, sent))).toEqual({ ...event, ...sent });
  });
});
