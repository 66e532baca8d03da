import { useCommandRead } from '../../api/api.queries.ts';
import type { FoundOrder, Order, Registration } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { fitsFilters, type OrderFilters } from './orders.rules.ts';

/**
 * The orders of the people whom a search finds. Buyers are found by the search of orders; the
 * people of their seats may have other names and emails.
 */
export function useOrdersOfPeople(query: string, filters: OrderFilters): readonly Order[] {
  const eventId = useEvent().id;
  const people = useCommandRead<{ registrations: Registration[] }>(
    'registration.search',
    { eventId, query },
    { isEnabled: query !== '' },
  );
  const isFound = query !== '' && !people.isPlaceholderData;
  const orderIds = [
    ...new Set(
      (isFound ? people.data?.registrations : [])?.flatMap(({ orderId }) => orderId ?? []),
    ),
  ];
  const orders = useCommandRead<{ orders: FoundOrder[] }>(
    'order.find',
    { eventId, orderIds },
    { isEnabled: orderIds.length > 0 },
  );
  if (orderIds.length === 0 || orders.isPlaceholderData) return [];
  return (orders.data?.orders ?? []).filter((order) => fitsFilters(order, filters));
}
