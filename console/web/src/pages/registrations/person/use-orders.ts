import { useCommandRead } from '../../../api/api.queries.ts';
import type { FoundOrder, Registration } from '../../../api/records.ts';
import { useEvent, usePermission } from '../../../api/unit.ts';

type Found = { orders: FoundOrder[] };

/** The order of a ticket and those that the person has bought, for the roles that read orders. */
export function useOrdersOf({ orderId, email }: Pick<Registration, 'orderId' | 'email'>) {
  const eventId = useEvent().id;
  const mayRead = usePermission('orders.list');
  const ofTicket = useCommandRead<Found>(
    'order.find',
    { eventId, orderIds: orderId === null ? [] : [orderId] },
    { isEnabled: mayRead && orderId !== null },
  );
  const bought = useCommandRead<Found>('order.find', { eventId, email }, { isEnabled: mayRead });
  const all = [...(ofTicket.data?.orders ?? []), ...(bought.data?.orders ?? [])];
  return {
    orders: [...new Map(all.map((order) => [order.id, order])).values()],
    isLoading: ofTicket.isLoading || bought.isLoading,
    error: ofTicket.error ?? bought.error,
    refetch: () => {
      void ofTicket.refetch();
      void bought.refetch();
    },
  };
}
