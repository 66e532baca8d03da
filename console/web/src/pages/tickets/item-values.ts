import type { Write } from '../../api/actions.ts';
import type { Addon, Bundle, TicketType } from '../../api/records.ts';

/** What the dialog edits; `record` is null for a new one. */
export type EditedItem =
  | { kind: 'ticket'; record: TicketType | null }
  | { kind: 'addon'; record: Addon | null }
  | { kind: 'bundle'; record: Bundle | null };

export interface ItemValues {
  name: string;
  description: string;
  priceAmount: number | null;
  taxRateId: string | null;
  capacity: number | null;
  opensAt: string | null;
  closesAt: string | null;
  minPerOrder: number | null;
  maxPerOrder: number | null;
  admissionOpensAt: string | null;
  admissionClosesAt: string | null;
  capacityGroupId: string | null;
  allowWaitlist: boolean;
  requiresApproval: boolean;
  isPublic: boolean;
  sortOrder: number;
  items: string[];
  openNow: boolean;
}

const folders = { ticket: 'ticket-types', addon: 'addons', bundle: 'bundles' } as const;

/** The values of the form for a record, or those of a new one, which comes last. */
export function valuesOf({ kind, record }: EditedItem, position = 0): ItemValues {
  const ticket = kind === 'ticket' ? record : null;
  const limited = kind === 'bundle' ? null : record;
  return {
    name: record?.name ?? '',
    description: record?.description ?? '',
    priceAmount: record ? record.priceAmount : kind === 'bundle' ? null : 0,
    taxRateId: record?.taxRateId ?? null,
    capacity: limited?.capacity ?? null,
    opensAt: limited?.opensAt ?? null,
    closesAt: limited?.closesAt ?? null,
    minPerOrder: limited?.minPerOrder ?? null,
    maxPerOrder: limited?.maxPerOrder ?? null,
    admissionOpensAt: ticket?.admissionOpensAt ?? null,
    admissionClosesAt: ticket?.admissionClosesAt ?? null,
    capacityGroupId: ticket?.capacityGroupId ?? null,
    allowWaitlist: ticket?.allowWaitlist ?? false,
    requiresApproval: ticket?.requiresApproval ?? false,
    isPublic: ticket?.isPublic ?? true,
    sortOrder: record?.sortOrder ?? position,
    items: kind === 'bundle' ? (record?.items.map(({ itemId }) => itemId) ?? []) : [],
    openNow: record === null,
  };
}

/**
 * The write that saves the form: of an existing record only what was changed. The items of an
 * existing bundle are a write of their own.
 */
export function writeOf(
  { kind, record }: EditedItem,
  values: ItemValues,
  changed: Partial<ItemValues>,
  path: string,
): Write {
  const shared = {
    name: values.name,
    description: values.description || null,
    priceAmount: values.priceAmount,
    taxRateId: values.taxRateId,
    sortOrder: values.sortOrder,
  };
  const { capacity, capacityGroupId, allowWaitlist, requiresApproval, isPublic } = values;
  const { opensAt, closesAt, admissionOpensAt, admissionClosesAt } = values;
  const { minPerOrder, maxPerOrder } = values;
  const limits = { capacity, opensAt, closesAt, minPerOrder, maxPerOrder };
  const own = {
    ticket: {
      ...limits,
      ...{ capacityGroupId, allowWaitlist, requiresApproval, isPublic },
      ...{ admissionOpensAt, admissionClosesAt },
    },
    addon: limits,
    bundle: record ? {} : { items: bundleItems(values.items) },
  }[kind];
  const folder = `${path}/${folders[kind]}`;
  const body = Object.entries({ ...shared, ...own });
  return record
    ? {
        method: 'PATCH',
        path: `${folder}/${record.id}`,
        body: Object.fromEntries(body.filter(([name]) => name in changed)),
      }
    : { method: 'POST', path: folder, body: Object.fromEntries(body) };
}

/** The writes that follow the first one, for the record with this id. */
export function furtherWrites(
  { kind, record }: EditedItem,
  values: ItemValues,
  id: string,
  path: string,
): Write[] {
  const target = `${path}/${folders[kind]}/${id}`;
  if (!record) {
    return values.openNow ? [{ method: 'PATCH', path: target, body: { status: 'open' } }] : [];
  }
  if (kind !== 'bundle') return [];
  return [
    { method: 'PUT', path: `${target}/items`, body: bundleItems(values.items, record.items) },
  ];
}

/**
 * The chosen items of a bundle. An item that it has already keeps its quantity; a new one has the
 * quantity 1.
 */
const bundleItems = (ids: readonly string[], existing: Bundle['items'] = []) =>
  ids.map((itemId) => ({
    itemType: itemId.startsWith('addon_') ? 'addon' : 'registration_type',
    itemId,
    quantity: existing.find((item) => item.itemId === itemId)?.quantity ?? 1,
  }));
