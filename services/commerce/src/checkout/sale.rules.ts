import type { CreateOrder } from '@event-api/contracts/http/checkout';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import type { Offer } from '../orders/lines.rules.ts';

/** The reason why an add-on or a bundle is not on sale; `item` is the line of the order. */
export type ItemBlock = { item: number } & (
  | { kind: 'addon' | 'bundle'; name: string; status: SaleStatus }
  | { kind: 'bundled_addon'; name: string; bundle: string; status: SaleStatus }
  | { kind: 'empty_bundle'; name: string }
);

/**
 * Returns the first line with an add-on or a bundle that is not on sale, or null. Registration
 * decides about ticket types.
 */
export function findItemBlock(
  { addons, bundles }: Offer,
  items: readonly Pick<CreateOrder['items'][number], 'itemType' | 'itemId'>[],
): ItemBlock | null {
  for (const [item, { itemType, itemId }] of items.entries()) {
    if (itemType === 'addon') {
      const addon = addons.get(itemId);
      if (addon && addon.status !== 'open') {
        return { item, kind: 'addon', name: addon.name, status: addon.status };
      }
    }
    const bundle = itemType === 'bundle' ? bundles.get(itemId) : undefined;
    if (bundle && bundle.status !== 'open') {
      return { item, kind: 'bundle', name: bundle.name, status: bundle.status };
    }
    if (bundle?.items.length === 0) return { item, kind: 'empty_bundle', name: bundle.name };
    for (const content of bundle?.items ?? []) {
      const addon = content.itemType === 'addon' ? addons.get(content.itemId) : undefined;
      if (!bundle || !addon || addon.status === 'open') continue;
      const { name, status } = addon;
      return { item, kind: 'bundled_addon', name, bundle: bundle.name, status };
    }
  }
  return null;
}
