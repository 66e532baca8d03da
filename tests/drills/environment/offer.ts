import type { CapacityGroup } from '@event-api/contracts/http/events';
import type { ApiClient } from '@event-api/tools/seed/api-client';

/** A ticket type of a drill. All are open; some have a waitlist. */
export interface TicketType {
  id: string;
  name: string;
  capacity: number | null;
  priceAmount: number;
  requiresApproval: boolean;
  allowWaitlist: boolean;
  minPerOrder: number | null;
  maxPerOrder: number | null;
  capacityGroupId: string | null;
}

/** A ticket type of each sale, by its name; `group` names a capacity group. */
interface Offered extends Partial<Omit<TicketType, 'id'>> {
  name: string;
  group?: string;
}

const types: readonly Offered[] = [
  { name: 'Scarce', capacity: 12, group: 'Hall' },
  { name: 'Queue', capacity: 8, allowWaitlist: true, group: 'Hall' },
  { name: 'Priced', capacity: 60, priceAmount: 800 },
  { name: 'Expensive', capacity: 10, priceAmount: 2500, group: 'Room' },
  { name: 'Approval', capacity: 10, requiresApproval: true, allowWaitlist: true, group: 'Hall' },
  { name: 'Offered', capacity: 5, priceAmount: 1200, allowWaitlist: true, group: 'Room' },
  { name: 'Selected', capacity: 6, priceAmount: 900, requiresApproval: true, allowWaitlist: true },
  { name: 'Table', capacity: 40, priceAmount: 400, minPerOrder: 2, maxPerOrder: 3 },
  { name: 'Open', capacity: null },
];

/** Fewer seats than their types have together. */
const groups = [
  { name: 'Hall', capacity: 22 },
  { name: 'Room', capacity: 12 },
];

export const addons = {
  dinner: { name: 'Dinner', priceAmount: 500 },
  /** Has fewer units than the clients want. */
  workshop: { name: 'Workshop', priceAmount: 300, capacity: 12, maxPerOrder: 3 },
  /** Is not on sale yet. */
  later: { name: 'Later', priceAmount: 100, opensAt: '2029-01-01T00:00:00Z' },
};
export type AddonName = keyof typeof addons;

/** Creates the capacity groups of an event and its ticket types, which are open. */
export async function createTypes(
  api: ApiClient,
  path: string,
): Promise<{ groups: CapacityGroup[]; types: TicketType[] }> {
  const { capacityGroups } = await api.request<{ capacityGroups: CapacityGroup[] }>('PATCH', path, {
    capacityGroups: groups,
  });
  const created: TicketType[] = [];
  for (const { group, ...fields } of types) {
    const capacityGroupId = capacityGroups.find(({ name }) => name === group)?.id ?? null;
    const body = { ...fields, capacityGroupId };
    const { id } = await api.request<TicketType>('POST', `${path}/ticket-types`, body);
    const open = { status: 'open' };
    created.push(await api.request<TicketType>('PATCH', `${path}/ticket-types/${id}`, open));
  }
  return { groups: capacityGroups, types: created };
}

/** Creates the add-ons of an event, which are open, and returns their ids. */
export async function createAddons(
  api: ApiClient,
  path: string,
): Promise<Record<AddonName, string>> {
  const ids = await Promise.all(
    Object.entries(addons).map(async ([name, fields]) => {
      const { id } = await api.request<{ id: string }>('POST', `${path}/addons`, fields);
      await api.request('PATCH', `${path}/addons/${id}`, { status: 'open' });
      return [name, id] as const;
    }),
  );
  return Object.fromEntries(ids) as Record<AddonName, string>;
}

interface Policy {
  text: string;
  bands: {
    daysBeforeStart: number;
    percent: number;
    fixedFee?: number;
    ticketTypeIds?: string[];
  }[];
}

/** The refund policies of an event, one after the other. Their first band for a type applies. */
export const refundPolicies = (ticketTypes: readonly TicketType[]): readonly Policy[] => {
  const priced = ticketTypes.filter(({ name }) => name === 'Priced').map(({ id }) => id);
  const all = { daysBeforeStart: 14, percent: 70, fixedFee: 3 };
  return [
    { text: 'Most of it', bands: [all] },
    { text: 'All of it', bands: [{ daysBeforeStart: 7, percent: 100 }] },
    {
      text: 'A third, and more of some',
      bands: [
        { daysBeforeStart: 14, percent: 90, fixedFee: 50, ticketTypeIds: priced },
        { daysBeforeStart: 30, percent: 33 },
      ],
    },
  ];
};
