import { newId } from '@event-api/platform/core/ids';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  currencyCases,
  type FieldCases,
  instantCases,
  nameCases,
  timezoneCases,
} from './field-cases.ts';
import { createTestEvent, succeeded } from './fixtures.ts';
import { startCatalog, type TestCatalog } from './harness.ts';

let catalog: TestCatalog;
let call: HttpClient;
const unit = newId('unit');

beforeAll(async () => {
  catalog = await startCatalog();
  call = await catalog.as(unit);
});
afterAll(() => catalog?.close());

const create = (body: unknown) => call('POST', '/v1/events', { body });
const required = { name: 'Summit', timezone: 'UTC' };
const countEvents = async () =>
  (await catalog.sql<{ count: number }>('select count(*)::int as count from catalog.event'))[0]
    ?.count;

describe('201', () => {
  test('returns every field, with null for missing values, and the Location of the event', async () => {
    const before = Date.now();
    const { status, body, headers } = await create(required);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-hjkmnp-tv-z]{26}$/),
      publicId: expect.stringMatching(/^summit-[0-9a-hjkmnp-tv-z]{6}$/),
      name: 'Summit',
      status: 'draft',
      startsAt: null,
      admissionOpensAt: null,
      admissionClosesAt: null,
      endsAt: null,
      timezone: 'UTC',
      currency: 'EUR',
      features: [],
      attendanceMode: 'in_person',
      country: null,
      capacityGroups: [],
      publishedAt: null,
      cancelledAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Math.abs(Date.parse(body.createdAt) - before)).toBeLessThan(10_000);
    expect(headers.location).toBe(`/v1/events/${body.id}`);
    expect(succeeded(await call('GET', `/v1/events/${body.id}`))).toEqual(body);
  });

  test('stores the event in the business unit of the caller, with an unlocked currency', async () => {
    const { id } = await createTestEvent(call);
    const columns = 'business_unit_id, currency_locked';
    expect(await catalog.sql(`select ${columns} from catalog.event where id = $1`, [id])).toEqual([
      { business_unit_id: unit, currency_locked: false },
    ]);
  });

  test("uses the unit's default currency", async () => {
    const japanese = await catalog.as(newId('unit'), 'JPY');
    expect((await createTestEvent(japanese)).currency).toBe('JPY');
  });

  test('accepts equal and missing dates', async () => {
    const at = '2027-05-10T07:00:00.000Z';
    expect(await createTestEvent(call, { startsAt: at, endsAt: at })).toMatchObject({ endsAt: at });
    expect(await createTestEvent(call, { endsAt: at })).toMatchObject({
      startsAt: null,
      endsAt: at,
    });
    expect(await createTestEvent(call, { startsAt: at, endsAt: null })).toMatchObject({
      endsAt: null,
    });
  });

  test('takes a currency and the other fields of a new event, and rejects their other values', async () => {
    const fields = { status: 'draft', features: [], publishedAt: null };
    const event = await createTestEvent(call, { ...fields, currency: 'USD' });
    expect(event).toMatchObject({ ...fields, currency: 'USD' });
    const before = await countEvents();
    const { status, body } = await create({
      ...required,
      id: 'evt_mine',
      status: 'published',
      features: ['x'],
      publishedAt: '2027-05-10T07:00:00Z',
      createdAt: '2020-01-01T00:00:00Z',
    });
    expect(status).toBe(400);
    const readOnly = (field: string, setBy: string) => ({
      ...{ field, issue: `cannot be set here; ${setBy}`, code: 'read_only_field' },
    });
    expect(body.error.details).toEqual([
      readOnly('id', 'the platform sets it'),
      readOnly('status', '`updateEvent` and `archiveEvent` set it'),
      readOnly('features', 'the platform sets it'),
      readOnly('publishedAt', '`updateEvent` sets it'),
      readOnly('createdAt', 'the platform sets it'),
    ]);
    expect(await countEvents()).toBe(before);
  });

  test('rejects fields that neither requests nor responses have', async () => {
    const { status, body } = await create({
      name: 'Summit',
      timezone: 'UTC',
      startAt: null,
      businessUnitId: unit,
      confirmAgendaReset: true,
    });
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([
      { field: 'startAt', issue: 'is not a known field; did you mean `startsAt`?' },
      { field: 'businessUnitId', code: 'unknown_field' },
      { field: 'confirmAgendaReset', code: 'unknown_field' },
    ]);
  });

  test.each([
    ['Žižkov  Nächte & Co.', /^zizkov-nachte-co-.{6}$/],
    ['日本 😀', /^event-.{6}$/],
    ['--- A ---', /^a-.{6}$/],
    ['x'.repeat(200), /^x{60}-.{6}$/],
  ])('generates a public id from the name %s', async (name, publicId) => {
    expect((await createTestEvent(call, { name })).publicId).toMatch(publicId);
  });

  test('generates different ids for events with the same name', async () => {
    const events = await Promise.all(Array.from({ length: 20 }, () => createTestEvent(call)));
    expect(new Set(events.map(({ id }) => id)).size).toBe(20);
    expect(new Set(events.map(({ publicId }) => publicId)).size).toBe(20);
  });
});

const fields: Record<string, FieldCases> = {
  name: nameCases,
  timezone: timezoneCases,
  startsAt: instantCases,
  endsAt: instantCases,
  admissionOpensAt: instantCases,
  admissionClosesAt: instantCases,
  currency: currencyCases,
};

describe.each(Object.entries(fields))('%s', (field, { good, bad }) => {
  test.each(good)('takes %s', async (_what, sent, stored) => {
    const created = await createTestEvent(call, { [field]: sent });
    expect(created).toHaveProperty(field, stored);
    expect(await succeeded(await call('GET', `/v1/events/${created.id}`))).toHaveProperty(
      field,
      stored,
    );
  });

  test.each(bad)('refuses %s with 400', async (_what, sent, code) => {
    const { status, body } = await create({ ...required, [field]: sent });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field, issue: expect.any(String), code }]);
  });
});

describe('400', () => {
  test.each(['name', 'timezone'])('without %s', async (field) => {
    const { status, body } = await create({ ...required, [field]: undefined });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field, issue: 'is required', code: 'required' }]);
  });

  test('reports all validation errors at once and creates nothing', async () => {
    const before = await countEvents();
    const { status, body } = await create({ timezone: 5, startsAt: 'soon', endsAt: false });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
    expect(body.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'name',
      'timezone',
      'startsAt',
      'endsAt',
    ]);
    expect(await countEvents()).toBe(before);
  });

  test('when it or its admission ends before it starts, with offsets applied', async () => {
    const { status, body } = await create({
      ...required,
      startsAt: '2027-05-10T09:00:00+02:00',
      endsAt: '2027-05-10T08:59:59+02:00',
      admissionOpensAt: '2027-05-10T09:00:00+02:00',
      admissionClosesAt: '2027-05-10T07:00:00Z',
    });
    expect(status).toBe(400);
    const issue = 'must be after admissionOpensAt';
    expect(body.error.details).toEqual([
      { field: 'endsAt', issue: 'must not be before startsAt', code: 'invalid_value' },
      { field: 'admissionClosesAt', issue, code: 'invalid_value' },
    ]);
    const dates = { startsAt: '2027-05-10T09:00:00+02:00', endsAt: '2027-05-10T07:00:00Z' };
    expect((await create({ ...required, ...dates })).status).toBe(201);
  });
});
