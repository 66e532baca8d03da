import { newId } from '@event-api/platform/core/ids';
import { describe, expect, test } from 'vitest';
import { call, catalog, operator, service, unit, useCatalog } from './context.ts';
import { createTestEvent, createTestEventInStatus, pathOf, succeeded } from './fixtures.ts';

useCatalog();

const set = (eventId: string, fields: object, businessUnitId = unit) =>
  operator('POST', '/operator/refundPolicy.set', { body: { businessUnitId, eventId, ...fields } });
const get = (eventId: string, businessUnitId = unit) =>
  operator('POST', '/operator/refundPolicy.get', { body: { businessUnitId, eventId } });
const readAsIntegrator = (eventId: string, by = call) =>
  by('GET', `/v1/events/${eventId}/refund-policy`);
const readAsService = (eventId: string, businessUnitId = unit) =>
  service('POST', '/internal/events/refund-policy', { body: { businessUnitId, eventId } });

describe('refundPolicy.set', () => {
  test('replaces the policy, which operators, services and integrators then read', async () => {
    const event = await createTestEvent(call);
    expect((await get(event.id)).body).toEqual({ eventId: event.id, policy: null });
    expect((await readAsService(event.id)).body).toEqual({ policy: null });
    expect((await readAsIntegrator(event.id)).body).toEqual({ eventId: event.id, policy: null });
    const steps = [
      [
        { text: ' Until May ', refundableUntil: '2027-05-01T00:00:00+02:00' },
        'Until May',
        '2027-04-30T22:00:00.000Z',
      ],
      [{ text: 'Always' }, 'Always', null],
    ] as const;
    for (const [fields, text, refundableUntil] of steps) {
      const policy = { text, refundableUntil, bands: [], automatic: false };
      expect((await set(event.id, fields)).body).toEqual({ eventId: event.id, policy });
      expect((await get(event.id)).body).toEqual({ eventId: event.id, policy });
      expect((await readAsService(event.id)).body).toEqual({ policy });
      expect((await readAsIntegrator(event.id)).body).toEqual({ eventId: event.id, policy });
    }
  });

  test('keeps bands for ticket types of the event, and sets identical ones once', async () => {
    const event = await createTestEvent(call);
    const type = succeeded<{ id: string }>(
      await call('POST', `${pathOf(event)}/ticket-types`, { body: { name: 'Day' } }),
      201,
    );
    const first = { daysBeforeStart: 14, percent: 80, fixedFee: 500, ticketTypeIds: [type.id] };
    const second = { until: '2027-05-01T00:00:00+02:00', percent: 50 };
    const policy = { text: 'x', automatic: true, bands: [first, second] };
    const stored = {
      text: 'x',
      refundableUntil: null,
      automatic: true,
      bands: [
        { ...first, until: null },
        {
          ...{ daysBeforeStart: null, until: '2027-04-30T22:00:00.000Z', percent: 50 },
          ...{ fixedFee: 0, ticketTypeIds: [] },
        },
      ],
    };
    const versionOf = async () => {
      const [row] = await catalog.database.sql('select version from catalog.event where id = $1', [
        event.id,
      ]);
      return (row as { version: string }).version;
    };
    expect((await set(event.id, policy)).body.policy).toEqual(stored);
    expect((await readAsIntegrator(event.id)).body.policy).toEqual(stored);
    const version = await versionOf();
    expect((await set(event.id, policy)).body.policy).toEqual(stored);
    expect(await versionOf()).toBe(version);
    const changed = { ...policy, automatic: false };
    expect((await set(event.id, changed)).body.policy.automatic).toBe(false);
    expect(Number(await versionOf())).toBeGreaterThan(Number(version));
  });

  const fields = (band: object, ...others: object[]) => ({ text: 'x', bands: [band, ...others] });
  const days = (daysBeforeStart: number) => ({ daysBeforeStart, percent: 50 });

  test.each([
    ['a band without an end', fields({ percent: 50 }), 'bands[0].daysBeforeStart'],
    [
      'a band with two ends',
      fields({ ...days(1), until: '2027-05-01T00:00:00Z' }),
      'bands[0].daysBeforeStart',
    ],
    ['more than 100 %', fields({ ...days(1), percent: 101 }), 'bands[0].percent'],
    ['a part of a percent', fields({ ...days(1), percent: 0.5 }), 'bands[0].percent'],
    ['a negative fee', fields({ ...days(1), fixedFee: -1 }), 'bands[0].fixedFee'],
    ['a negative number of days', fields(days(-1)), 'bands[0].daysBeforeStart'],
    ['a band that ends before one above it', fields(days(3), days(14)), 'bands[1].daysBeforeStart'],
    ['two bands with one end', fields(days(3), days(3)), 'bands[1].daysBeforeStart'],
    [
      'an instant before one above it',
      fields(
        { until: '2027-05-02T00:00:00Z', percent: 1 },
        { until: '2027-05-01T00:00:00Z', percent: 1 },
      ),
      'bands[1].until',
    ],
    [
      'a ticket type of no event',
      fields({ ...days(1), ticketTypeIds: ['tt_unknown'] }),
      'bands[0].ticketTypeIds[0]',
    ],
    ['an unknown field', fields({ ...days(1), fee: 1 }), 'bands[0].fee'],
    ['no text', {}, 'text'],
    ['a blank text', { text: ' ' }, 'text'],
    ['a long text', { text: 'a'.repeat(2001) }, 'text'],
    [
      'an instant without a zone',
      { text: 'x', refundableUntil: '2027-05-01T00:00' },
      'refundableUntil',
    ],
    ['an instant that is a number', { text: 'x', refundableUntil: 1 }, 'refundableUntil'],
  ])('returns 400 for %s and changes nothing', async (_what, fields, field) => {
    const event = await createTestEvent(call);
    const { status, body } = await set(event.id, fields);
    expect(status).toBe(400);
    expect(body.error.details.map((issue: { field: string }) => issue.field)).toEqual([field]);
    expect((await readAsService(event.id)).body).toEqual({ policy: null });
  });

  test('returns an identical 404 for an unknown event and another business unit', async () => {
    const event = await createTestEvent(call);
    const stranger = newId('unit');
    const responses = await Promise.all([
      set(event.id, { text: 'x' }, stranger),
      set(newId('evt'), { text: 'x' }),
      get(event.id, stranger),
      get(newId('evt')),
      readAsService(event.id, stranger),
      readAsService(newId('evt')),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    // Responses to operators name the field, responses to services do not.
    const [operator, service] = [responses.slice(0, 4), responses.slice(4)];
    for (const { body } of operator) expect(body).toEqual(operator[0]?.body);
    for (const { body } of service) expect(body).toEqual(service[0]?.body);
    expect((await get(event.id)).body.policy).toBeNull();
  });

  test('is read by integrators of its business unit only', async () => {
    const event = await createTestEvent(call);
    const responses = [
      await readAsIntegrator(event.id, await catalog.as(newId('unit'))),
      await readAsIntegrator(newId('evt')),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    expect(responses[0]?.body).toEqual(responses[1]?.body);
  });

  test('changes nothing in an archived event', async () => {
    const event = await createTestEventInStatus(call, 'draft');
    succeeded(await set(event.id, { text: 'Always' }));
    succeeded(await call('POST', `${pathOf(event)}/archive`));
    expect((await set(event.id, { text: 'Always' })).status).toBe(200);
    expect((await set(event.id, { text: 'Never' })).status).toBe(400);
    expect((await readAsService(event.id)).body.policy.text).toBe('Always');
  });
});
