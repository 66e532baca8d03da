import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import { newId } from '@event-api/platform/core/ids';
import { describe, expect, test } from 'vitest';
import { call, operator, service, unit, useCatalog } from './context.ts';
import { createTestEvent, pathOf, succeeded } from './fixtures.ts';

useCatalog();

interface Rate {
  id: string;
  archivedAt: string | null;
}

const command = (name: string, fields: object, businessUnitId = unit) =>
  operator('POST', `/operator/taxRate.${name}`, { body: { businessUnitId, ...fields } });
const vat = { name: 'VAT 19 %', percentage: 1900, mode: 'inclusive' };
const createRate = async (businessUnitId = unit) =>
  succeeded<Rate>(await command('create', vat, businessUnitId), 201);

describe('a tax rate', () => {
  test('is listed for its unit, and archived once', async () => {
    const rate = await createRate();
    expect(rate).toMatchObject({ ...vat, businessUnitId: unit, archivedAt: null });
    const archived = succeeded<Rate>(await command('archive', { taxRateId: rate.id }));
    expect(archived.archivedAt).not.toBeNull();
    expect((await command('archive', { taxRateId: rate.id })).body).toEqual(archived);
    expect((await command('list', {})).body.taxRates).toContainEqual(archived);
    expect((await command('list', {}, newId('unit'))).body).toEqual({ taxRates: [] });
    const foreign = await command('archive', { taxRateId: rate.id }, newId('unit'));
    expect(foreign.status).toBe(404);
  });

  test.each([{ percentage: -1 }, { percentage: 10_001 }, { percentage: 19.5 }, { mode: 'none' }])(
    'is refused with %j',
    async (fields) => {
      expect((await command('create', { ...vat, ...fields })).status).toBe(400);
    },
  );
});

describe.each(['ticket-types', 'addons', 'bundles'])('the tax rate of %s', (folder) => {
  test('is one of the unit that is not archived, and stays when it is archived', async () => {
    const event = await createTestEvent(call);
    const path = `${pathOf(event)}/${folder}`;
    const rate = await createRate();
    const foreign = await createRate(newId('unit'));
    const body = { name: 'Sold', taxRateId: rate.id };
    const { id } = succeeded<{ id: string }>(await call('POST', path, { body }), 201);
    const record = `${path}/${id}`;
    succeeded(await command('archive', { taxRateId: rate.id }));
    for (const taxRateId of [foreign.id, 'tax_unknown']) {
      for (const [method, url] of [['POST', path] as const, ['PATCH', record] as const]) {
        const refused = await call(method, url, { body: { name: 'Other', taxRateId } });
        expect(refused).toMatchObject({
          status: 400,
          body: { error: { details: [{ field: 'taxRateId', code: 'not_found' }] } },
        });
      }
    }
    expect((await call('POST', path, { body })).status).toBe(400);
    const renamed = succeeded(await call('PATCH', record, { body: { ...body, name: 'Renamed' } }));
    expect(renamed).toMatchObject({ name: 'Renamed', taxRateId: rate.id });
    expect(succeeded(await call('PATCH', record, { body: { taxRateId: null } }))).toMatchObject({
      taxRateId: null,
    });
  });
});

test('the snapshot of a record has the rate that applies', async () => {
  const event = await createTestEvent(call);
  const { id: taxRateId } = await createRate();
  const body = { name: 'Dinner', taxRateId };
  const addon = succeeded<{ id: string }>(
    await call('POST', `${pathOf(event)}/addons`, { body }),
    201,
  );
  const snapshot = await service('GET', `/internal/snapshots/catalog.addon/${unit}/${addon.id}`);
  expect(addonSnapshot.data.parse(snapshot.body.data)).toMatchObject({
    taxRateId,
    taxRate: { id: taxRateId, ...vat },
  });
});

test('an event says how and where people attend it', async () => {
  const event = await createTestEvent(call);
  expect(event).toMatchObject({ attendanceMode: 'in_person', country: null });
  const body = { attendanceMode: 'online', country: 'DE' };
  expect(succeeded(await call('PATCH', pathOf(event), { body }))).toMatchObject(body);
  const cleared = await call('PATCH', pathOf(event), { body: { country: null } });
  expect(succeeded(cleared)).toMatchObject({ attendanceMode: 'online', country: null });
  for (const country of ['de', 'XX', 'UK', '']) {
    expect((await call('PATCH', pathOf(event), { body: { country } })).status).toBe(400);
  }
});
