import { useCommandRead } from '../../api/api.queries.ts';
import type { FoundOrder } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { Answers } from '../../components/detail/answers.tsx';
import { Ledger } from '../../components/ledger/ledger.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { TextLink } from '../../components/ui/link.tsx';
import { ErrorNote, Skeleton } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatMoney } from '../../format/money.ts';
import { paths } from '../../format/paths.ts';
import { ordersText } from '../../text/orders.ts';
import { registrationsText as text } from '../../text/registrations.ts';

function usePersonOrder(orderId: string) {
  const event = useEvent();
  const mayRead = usePermission('orders.list');
  const { data, isLoading, error, refetch } = useCommandRead<{ orders: FoundOrder[] }>(
    'order.find',
    { eventId: event.id, orderIds: [orderId] },
    { isEnabled: mayRead },
  );
  return { order: data?.orders[0], isLoading, error, refetch };
}

/** The order of a person: its number, its status and what it costs. For roles that read orders. */
export function OrderLink({ id }: { id: string }) {
  const unit = useUnit();
  const event = useEvent();
  const { order, isLoading } = usePersonOrder(id);
  if (isLoading) return <Skeleton className="my-0.5 w-40 max-md:h-11" />;
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

/** Payments, refunds and answers of the order of a person, for the roles that read orders. */
export function PersonOrder({ orderId }: { orderId: string }) {
  const { order, isLoading, error, refetch } = usePersonOrder(orderId);
  if (isLoading) {
    return (
      <Section title={ordersText.ledger}>
        <Skeleton className="h-15" />
      </Section>
    );
  }
  if (error && !order) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!order) return null;
  return (
    <>
      <Ledger order={order} title={text.ledgerOf(order.orderNumber)} />
      {order.responses && Object.keys(order.responses).length > 0 && (
        <Section title={text.answersOfOrder} description={text.answersOfOrderText}>
          <Answers responses={order.responses} />
        </Section>
      )}
    </>
  );
}
