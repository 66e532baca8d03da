import {
  addonSnapshot,
  bundleSnapshot,
  eventSnapshot,
} from '@event-api/contracts/messages/catalog';
import { newId } from '@event-api/platform/core/ids';
import { describe, expect, test } from 'vitest';
import { call, catalog, service, unit, useCatalog } from './context.ts';
import { createTestEvent, createTestTicketType, pathOf, succeeded } from './fixtures.ts';

useCatalog();

const read = (type: string, id: string, businessUnitId = unit) =>
  service('GET', `/internal/snapshots/${type}/${businessUnitId}/${id}`);

/** Returns the published snapshots of a record, in the order of its changes. */
const publishedMessages = async (id: string) => {
  const rows = await catalog.sql<{ payload: string }>('select payload from catalog.outbox_message');
  return rows
    .flatMap(({ payload }) => JSON.parse(payload))
    .filter(({ aggregateId }) => aggregateId === id)
    .toSorted((a, b) => a.version - b.version);
};

describe('published snapshots', () => {
  test('of an event contain its name, dates, currency, agenda version, form and refund policy', async () => {
    const event = await createTestEvent(call, {
      startsAt: '2027-05-10T09:00:00+02:00',
      endsAt: '2027-05-11T09:00:00+02:00',
    });
    const { body } = await read('catalog.event', event.id);
    const { startsAt, endsAt, ...data } = eventSnapshot.data.parse(body.data);
    expect(data).toEqual({
      name: 'Summit',
      status: 'draft',
      timezone: 'Europe/Berlin',
      admissionOpensAt: null,
      admissionClosesAt: null,
      currency: 'EUR',
      currencyLocked: false,
      agendaVersion: 0,
      form: null,
      attendanceMode: 'in_person',
      country: null,
      capacityGroups: [],
      refundPolicy: null,
      cancelledAt: null,
      cancellationRefund: null,
    });
    expect([startsAt, endsAt].map((at) => new Date(String(at)).toISOString())).toEqual([
      '2027-05-10T07:00:00.000Z',
      '2027-05-11T07:00:00.000Z',
    ]);
    expect((await publishedMessages(event.id)).at(-1).data).toEqual(body.data);
  });

  test('of an add-on contain all fields that an order returns', async () => {
    const event = await createTestEvent(call);
    const fields = {
      ...{ name: 'Dinner', description: 'Late', priceAmount: 4900, sortOrder: 3 },
      ...{ capacity: 40, minPerOrder: 1, maxPerOrder: 2 },
      opensAt: '2027-01-01T00:00:00.000Z',
      closesAt: '2027-05-01T00:00:00.000Z',
    };
    const addon = succeeded<{ id: string }>(
      await call('POST', `${pathOf(event)}/addons`, { body: fields }),
      201,
    );
    const { body } = await read('catalog.addon', addon.id);
    expect(addonSnapshot.data.parse(body.data)).toEqual({
      ...fields,
      opensAt: '2027-01-01T00:00:00+00:00',
      closesAt: '2027-05-01T00:00:00+00:00',
      status: 'draft',
      taxRateId: null,
      taxRate: null,
      perkIds: [],
    });
    expect((await publishedMessages(addon.id)).at(-1).data).toEqual(body.data);
  });

  test('of a bundle follow each change of it and of its items once, with rising versions', async () => {
    const event = await createTestEvent(call);
    const ticketType = await createTestTicketType(call, event);
    const addon = succeeded<{ id: string }>(
      await call('POST', `${pathOf(event)}/addons`, { body: { name: 'Dinner' } }),
      201,
    );
    const one = { itemType: 'addon', itemId: addon.id, quantity: 2 };
    const two = { itemType: 'registration_type', itemId: ticketType.id, quantity: 1 };
    const body = { name: 'Both', items: [one, two] };
    const created = await call('POST', `${pathOf(event)}/bundles`, { body });
    const { id } = succeeded<{ id: string }>(created, 201);
    const path = String(created.headers.location);
    const step = async (response: Promise<{ status: number }>) =>
      expect((await response).status).toBe(200);
    await step(call('PATCH', path, { body: { priceAmount: 100, status: 'open' } }));
    await step(call('PATCH', path, { body: { priceAmount: 100 } }));
    await step(call('PUT', `${path}/items`, { body: [two, one] }));
    await step(call('PUT', `${path}/items`, { body: [two, one] }));
    await step(call('PUT', `${path}/items`, { body: [] }));
    const messages = await publishedMessages(id);
    const untaxed = { taxRateId: null, taxRate: null };
    const unchanged = { name: 'Both', description: null, sortOrder: 0, ...untaxed };
    const changed = { ...unchanged, status: 'open', priceAmount: 100 };
    expect(messages.map(({ data }) => bundleSnapshot.data.parse(data))).toEqual([
      { ...unchanged, status: 'draft', priceAmount: null, items: [one, two] },
      { ...changed, items: [one, two] },
      { ...changed, items: [two, one] },
      { ...changed, items: [] },
    ]);
    expect(new Set(messages.map(({ version }) => version)).size).toBe(4);
    const response = await read('catalog.bundle', id);
    expect(response.body.data).toEqual(messages.at(-1).data);
    expect((await read('catalog.bundle', id, newId('unit'))).status).toBe(404);
  });
});
