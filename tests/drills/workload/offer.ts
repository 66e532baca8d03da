import { setTimeout as delay } from 'node:timers/promises';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { eventually } from '@event-api/platform/testing/eventually';
import { createApiClient } from '@event-api/tools/seed/api-client';
import type { DrillEnvironment } from '../environment/environment.ts';
import { addons as offered, refundPolicies } from '../environment/offer.ts';
import type { SaleFixture } from '../environment/sales.ts';
import { attemptCommand } from './attempt.ts';
import type { Buyer } from './buyer.ts';

const config = { owner: 'catalog', method: 'PATCH' } as const;

/** Changes a field of the event's offer that does not affect seats. */
export async function changeOffer({ sale, client, random }: Buyer): Promise<void> {
  const type = random.pick(sale.types);
  const [path, field] = random.pick([
    [sale.path, 'name'],
    [`${sale.path}/ticket-types/${type.id}`, 'description'],
    [`${sale.path}/addons/${sale.addons.dinner}`, 'description'],
  ] as const);
  const body = { [field]: `Text ${random.below(1000)}` };
  await client.request({ ...config, operation: 'change offer', path, body });
}

/** How long a capacity stays lowered, at most. */
const LOWERED_MS = 1000;

/**
 * Lowers the capacity of a group or of an add-on, often below what is sold, and raises it again. The
 * last write of all clients raises it, unless a restore loses it.
 */
export async function lowerAndRaise(buyer: Buyer): Promise<void> {
  const { random } = buyer;
  await (random.chance(0.7) ? lowerAndRaiseGroup(buyer) : lowerAndRaiseAddon(buyer));
}

async function lowerAndRaiseGroup({ sale, client, random }: Buyer): Promise<void> {
  const { groups, path } = sale;
  const { id, capacity } = random.pick(groups);
  const lowered = { capacity: 1 + random.below(capacity) };
  const change = (capacityGroups: object[]) =>
    client.request({ ...config, operation: 'change groups', path, body: { capacityGroups } });
  await change(groups.map((group) => (group.id === id ? { ...group, ...lowered } : group)));
  await delay(random.below(LOWERED_MS));
  await change(groups);
}

async function lowerAndRaiseAddon({ sale, client, random }: Buyer): Promise<void> {
  const { capacity } = offered.workshop;
  const path = `${sale.path}/addons/${sale.addons.workshop}`;
  const change = (next: number) =>
    client.request({ ...config, operation: 'change add-on', path, body: { capacity: next } });
  await change(1 + random.below(capacity));
  await delay(random.below(LOWERED_MS));
  await change(capacity);
}

/** Replaces the refund policy of the event, as an operator. Orders keep the one they have. */
export async function changePolicy({ sale, random, operator, history }: Buyer): Promise<void> {
  const policy = random.pick(refundPolicies(sale.types));
  const scope = { businessUnitId: sale.unitId, eventId: sale.eventId };
  const input = { ...scope, ...policy, automatic: random.chance(0.5) };
  await attemptCommand(history, 'set refund policy', () => operator.call(setRefundPolicy, input));
}

/**
 * Writes the capacities of a sale again: a restore may have returned to a moment with lowered ones.
 * Nothing of a cancelled event can be changed.
 */
export async function raiseCapacities(
  { gatewayUrl }: Pick<DrillEnvironment, 'gatewayUrl'>,
  { key, path, groups, addons }: SaleFixture,
): Promise<void> {
  const api = createApiClient(gatewayUrl, key.secret);
  await eventually(async () => {
    const { status } = await api.request<{ status: string }>('GET', path);
    if (status === 'archived') return;
    await api.request('PATCH', path, { capacityGroups: groups });
    const { capacity } = offered.workshop;
    await api.request('PATCH', `${path}/addons/${addons.workshop}`, { capacity });
  });
}
