import type { Event } from '@event-api/contracts/http/events';
import { bindPerk, createPerk, listPerks } from '@event-api/contracts/operator/perks';
import { bindCodePerk } from '@event-api/contracts/operator/registration-perks';
import { systemClock } from '@event-api/platform/core/clock';
import type { z } from 'zod';
import type { OperatorClient } from '../admin/operator-client.ts';
import type { ApiClient } from './api-client.ts';
import { demoAddons, demoBundle, demoEvent, demoPerks, demoTicketTypes } from './conference.ts';
import { ensureOrders } from './seed-orders.ts';
import { ensureProgram } from './seed-program.ts';
import { ensureCodes, ensureGrant, ensureRegistrations, type Ids } from './seed-registrations.ts';

/** Creates the demo conference. Each step is skipped if an interrupted run has completed it. */
export async function seedConference(
  api: ApiClient,
  operator: OperatorClient,
  businessUnitId: string,
): Promise<void> {
  const event = await ensureEvent(api);
  const path = `/v1/events/${event.id}`;
  const ticketTypes = await ensureOnSale(
    api,
    `${path}/ticket-types`,
    'ticketTypes',
    demoTicketTypes,
  );
  const addons = await ensureOnSale(api, `${path}/addons`, 'addons', demoAddons);
  const sellables = new Map([...ticketTypes, ...addons]);
  await ensureBundle(api, `${path}/bundles`, sellables);
  const codes = await ensureCodes(api, path, ticketTypes);
  const scope = { businessUnitId, eventId: event.id };
  const perks = await ensurePerks(operator, scope, new Map([...sellables, ...codes]));
  if (event.status === 'draft') await api.request('PATCH', path, { status: 'published' });
  const registrations = await ensureRegistrations(api, path, ticketTypes);
  await ensureGrant(operator, scope, perks, registrations);
  await ensureOrders(api, operator, scope, sellables);
  const startsAt = event.startsAt ?? systemClock.now().toISOString();
  await ensureProgram({ api, operator, scope, startsAt, perks, registrations });
}

async function ensureEvent(api: ApiClient): Promise<z.output<typeof Event>> {
  const wanted = demoEvent(systemClock.now());
  const { events } = await api.request<{ events: z.output<typeof Event>[] }>('GET', '/v1/events');
  return (
    events.find(({ name }) => name === wanted.name) ?? api.request('POST', '/v1/events', wanted)
  );
}

/** Creates the missing records of these names and opens all of them for sale. */
async function ensureOnSale(
  api: ApiClient,
  path: string,
  key: string,
  wanted: readonly { name: string }[],
): Promise<Ids> {
  type Sellable = { id: string; name: string; status: string };
  const { [key]: existing = [] } = await api.request<Record<string, Sellable[]>>('GET', path);
  const ids: Ids = new Map();
  for (const body of wanted) {
    const found = existing.find(({ name }) => name === body.name);
    const { id, status } = found ?? (await api.request<Sellable>('POST', path, body));
    if (status === 'draft') await api.request('PATCH', `${path}/${id}`, { status: 'open' });
    ids.set(body.name, id);
  }
  return ids;
}

async function ensureBundle(api: ApiClient, path: string, sellables: Ids): Promise<void> {
  const { bundles } = await api.request<{ bundles: { name: string }[] }>('GET', path);
  if (bundles.some(({ name }) => name === demoBundle.name)) return;
  const items = demoBundle.items.map(({ itemType, name }) => ({
    itemType,
    itemId: sellables.get(name),
    quantity: 1,
  }));
  await api.request('POST', path, { ...demoBundle, items });
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
