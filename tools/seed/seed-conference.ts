import {
  type Client,
  createAddon,
  createBundle,
  createEvent,
  createTicketType,
  type Event,
  listAddons,
  listAll,
  listBundles,
  listEvents,
  listTicketTypes,
  updateAddon,
  updateBundle,
  updateEvent,
  updateTicketType,
} from '@event-api/client';
import { bindPerk, createPerk, listPerks } from '@event-api/contracts/operator/perks';
import { bindCodePerk } from '@event-api/contracts/operator/registration-perks';
import { systemClock } from '@event-api/platform/core/clock';
import type { OperatorClient } from '../admin/operator-client.ts';
import { demoAddons, demoBundle, demoEvent, demoPerks, demoTicketTypes } from './conference.ts';
import { ensureOrders } from './seed-orders.ts';
import { ensureProgram } from './seed-program.ts';
import { ensureCodes, ensureGrant, ensureRegistrations, type Ids } from './seed-registrations.ts';

/** Creates the demo conference. Each step is skipped if an interrupted run has completed it. */
export async function seedConference(
  client: Client,
  operator: OperatorClient,
  businessUnitId: string,
): Promise<void> {
  const event = await ensureEvent(client);
  const path = { eventId: event.id };
  const ticketTypes = await ensureOnSale(demoTicketTypes, {
    existing: listAll(listTicketTypes, { client, path }),
    create: (body) => createTicketType({ client, path, body }),
    open: (typeId) =>
      updateTicketType({ client, path: { ...path, typeId }, body: { status: 'open' } }),
  });
  const addons = await ensureOnSale(demoAddons, {
    existing: listAll(listAddons, { client, path }),
    create: (body) => createAddon({ client, path, body }),
    open: (id) => updateAddon({ client, path: { ...path, id }, body: { status: 'open' } }),
  });
  const sellables = new Map([...ticketTypes, ...addons]);
  await ensureBundle(client, path, sellables);
  const codes = await ensureCodes(client, path, ticketTypes);
  const scope = { businessUnitId, eventId: event.id };
  const perks = await ensurePerks(operator, scope, new Map([...sellables, ...codes]));
  if (event.status === 'draft') {
    await updateEvent({ client, path, body: { status: 'published' } });
  }
  const registrations = await ensureRegistrations(client, path, ticketTypes);
  await ensureGrant(operator, scope, perks, registrations);
  await ensureOrders(client, operator, scope, sellables);
  const startsAt = event.startsAt ?? systemClock.now().toISOString();
  await ensureProgram({ client, operator, scope, startsAt, perks, registrations });
}

async function ensureEvent(client: Client): Promise<Event> {
  const wanted = demoEvent(systemClock.now());
  const { events } = await listEvents({ client });
  return events.find(({ name }) => name === wanted.name) ?? createEvent({ client, body: wanted });
}

interface Sellable {
  id: string;
  name: string;
  status: string;
}

/** Creates the missing records of these names and opens all of them for sale. */
async function ensureOnSale<Wanted extends { name: string }>(
  wanted: readonly Wanted[],
  records: {
    existing: AsyncIterable<Sellable>;
    create: (body: Wanted) => Promise<Sellable>;
    open: (id: string) => Promise<unknown>;
  },
): Promise<Ids> {
  const existing = new Map<string, Sellable>();
  for await (const record of records.existing) existing.set(record.name, record);
  const ids: Ids = new Map();
  for (const body of wanted) {
    const { id, status } = existing.get(body.name) ?? (await records.create(body));
    if (status === 'draft') await records.open(id);
    ids.set(body.name, id);
  }
  return ids;
}

async function ensureBundle(
  client: Client,
  path: { eventId: string },
  sellables: Ids,
): Promise<void> {
  const { bundles } = await listBundles({ client, path });
  if (bundles.some(({ name }) => name === demoBundle.name)) return;
  const items = demoBundle.items.map(({ itemType, name }) => ({
    itemType,
    itemId: sellables.get(name) ?? '',
    quantity: 1,
  }));
  const { id } = await createBundle({ client, path, body: { ...demoBundle, items } });
  await updateBundle({ client, path: { ...path, id }, body: { status: 'open' } });
}

async function ensurePerks(
  operator: OperatorClient,
  scope: { businessUnitId: string; eventId: string },
  deliverers: Ids,
): Promise<Ids> {
  const ids: Ids = new Map();
  const { perks } = await operator.call(listPerks, scope);
  for (const { name, description, deliveredBy } of demoPerks) {
    const existing = perks.find((perk) => perk.name === name);
    const { id: perkId } =
      existing ?? (await operator.call(createPerk, { ...scope, name, description }));
    for (const { targetType, name: target } of deliveredBy) {
      const binding = { ...scope, perkId, targetId: deliverers.get(target) ?? '' };
      if (targetType === 'redemption_code') {
        await operator.call(bindCodePerk, { ...binding, targetType });
      } else await operator.call(bindPerk, { ...binding, targetType });
    }
    ids.set(name, perkId);
  }
  return ids;
}
