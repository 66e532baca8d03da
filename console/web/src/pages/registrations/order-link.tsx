import { useEventPath } from '../../api/event-data.ts';
import { useRead } from '../../api/queries.ts';
import type { Order } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { TextLink } from '../../components/ui/link.tsx';
import { formatMoney } from '../../format/money.ts';
import { paths } from '../../format/paths.ts';

/** The order of a person: its number, its status and what was paid. For a role that reads no orders, its id. */
export function OrderLink({ id }: { id: string }) {
  const unit = useUnit();
  const event = useEvent();
  const mayRead = usePermission('orders.get');
  const { data: order } = useRead<Order>(
    `${useEventPath()}/orders/${id}`,
    {},
    { isEnabled: mayRead },
  );
  if (!mayRead) return <span className="font-mono text-xs">{id}</span>;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <TextLink href={paths.order(unit.id, event.id, id)}>{order?.orderNumber ?? id}</TextLink>
      {order && (
        <>
          <StatusBadge kind="order" status={order.status} />
          {formatMoney(order.totalAmount, order.currency)}
        </>
      )}
    </span>
  );
}
