import type { FoundOrder, Registration } from '../../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../../api/unit.ts';
import { Answers } from '../../../components/detail/answers.tsx';
import { OrderPeople } from '../../../components/detail/order-people.tsx';
import { DisputeNotes } from '../../../components/ledger/dispute-notes.tsx';
import { Ledger } from '../../../components/ledger/ledger.tsx';
import { OrderStatus } from '../../../components/ledger/order-status.tsx';
import { TextLink } from '../../../components/ui/link.tsx';
import { ErrorNote, Skeleton } from '../../../components/ui/states.tsx';
import { Section } from '../../../components/ui/surface.tsx';
import { formatMoney } from '../../../format/money.ts';
import { paths } from '../../../format/paths.ts';
import { personText } from '../../../text/person.ts';
import { registrationsText as text } from '../../../text/registrations.ts';
import { useOrdersOf } from './use-orders.ts';

/**
 * The orders of a person, each with the other people in it, and the payments, refunds and answers of
 * the one of this ticket. For roles that read orders.
 */
export function PersonOrders({ person }: { person: Registration }) {
  const mayRead = usePermission('orders.list');
  const { orders, isLoading, error, refetch } = useOrdersOf(person);
  if (!mayRead) return null;
  if (error && orders.length === 0) return <ErrorNote error={error} onRetry={refetch} />;
  if (isLoading && person.orderId !== null) {
    return (
      <Section title={personText.orders}>
        <Skeleton className="h-15" />
      </Section>
    );
  }
  const own = orders.find(({ id }) => id === person.orderId);
  if (orders.length === 0) return null;
  return (
    <>
      <Section title={personText.orders}>
        <ul className="divide-y divide-line">
          {orders.map((order) => (
            <OrderRow key={order.id} order={order} personId={person.id} />
          ))}
        </ul>
      </Section>
      {own && <DisputeNotes order={own} />}
      {own && <Ledger order={own} title={text.ledgerOf(own.orderNumber)} />}
      {own?.responses && Object.keys(own.responses).length > 0 && (
        <Section title={text.answersOfOrder} description={text.answersOfOrderText}>
          <Answers responses={own.responses} />
        </Section>
      )}
    </>
  );
}

function OrderRow({ order, personId }: { order: FoundOrder; personId: string }) {
  const unit = useUnit();
  const event = useEvent();
  return (
    <li className="py-2 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-2">
        <TextLink href={paths.order(unit.id, event.id, order.id)}>{order.orderNumber}</TextLink>
        <OrderStatus order={order} />
        <span>{formatMoney(order.totalAmount, order.currency)}</span>
        <span className="text-muted">{personText.boughtBy(order.name ?? order.email)}</span>
      </div>
      <OrderPeople order={order} currentId={personId} />
    </li>
  );
}
