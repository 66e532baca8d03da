import { Ban, Pencil, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useCommandRead } from '../../api/api.queries.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { FoundOrder } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { Answers } from '../../components/detail/answers.tsx';
import { DetailColumns } from '../../components/detail/columns.tsx';
import { MissingRecord } from '../../components/detail/detail-error.tsx';
import { History } from '../../components/detail/history.tsx';
import { DisputeNotes } from '../../components/ledger/dispute-notes.tsx';
import { Ledger } from '../../components/ledger/ledger.tsx';
import { OrderStatus } from '../../components/ledger/order-status.tsx';
import { PolicyOfOrder } from '../../components/ledger/policy.tsx';
import { dueOf } from '../../components/ledger/refund.rules.ts';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Link } from '../../components/ui/link.tsx';
import { ActionMenu } from '../../components/ui/menu.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Facts, PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { formatMoney } from '../../format/money.ts';
import { paths } from '../../format/paths.ts';
import { detailText } from '../../text/detail.ts';
import { ordersText as text } from '../../text/orders.ts';
import { BillingLines } from './billing-lines.tsx';
import { BuyerDialog } from './buyer-dialog.tsx';
import { factsOf } from './history-rules.ts';
import { Lines } from './order-lines.tsx';
import { OrderPeople } from './order-people.tsx';
import { OrderSums } from './order-sums.tsx';
import { refundableOf, refusedRefund } from './orders.rules.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { Steps } from './steps.tsx';

/** One order: its progress, items and money, and what can be done with it. */
export function OrderDetail({ id }: { id: string }) {
  const event = useEvent();
  const query = useCommandRead<{ orders: FoundOrder[] }>('order.find', {
    eventId: event.id,
    orderIds: [id],
  });
  const order = query.data?.orders[0];
  if (query.error && !order) {
    return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (query.isPending) return <SkeletonRows count={6} />;
  if (!order) return <MissingRecord />;
  const refused = refusedRefund(order);
  return (
    <>
      <OrderHeader order={order} />
      <DetailColumns timeline={<History recordId={order.id} facts={factsOf(order)} />}>
        <Steps order={order} />
        <OrderSums order={order} />
        <DueNote order={order} />
        <DisputeNotes order={order} />
        {refused && (
          <p className="rounded-md bg-red-soft px-3 py-2 text-red">
            {text.refused(formatMoney(refused.amount, refused.currency), refused.failure)}{' '}
            <WithdrawLink />
          </p>
        )}
        <OrderPeople order={order} />
        <Lines order={order} />
        <Ledger order={order} />
        <Section title={text.policy} description={text.policyOfOrder}>
          <PolicyOfOrder refundPolicy={order.refundPolicy} />
        </Section>
        <OrderFacts order={order} />
      </DetailColumns>
    </>
  );
}

/** What is due to the buyer, and the step that pays it back. */
function DueNote({ order }: { order: FoundOrder }) {
  const mayRefund = usePermission('money');
  const [isOpen, setOpen] = useState(false);
  if (order.refundDueAmount === 0) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-red-soft px-3 py-2 font-medium text-red">
      {text.due(formatMoney(order.refundDueAmount, order.currency))}
      {mayRefund && dueOf(order) > 0 && (
        <Button onClick={() => setOpen(true)}>{text.payDue}</Button>
      )}
      {isOpen && <RefundDialog order={order} first="due" onClose={() => setOpen(false)} />}
    </div>
  );
}

/** For money that was returned in another way. */
function WithdrawLink() {
  const unit = useUnit();
  if (!usePermission('money')) return null;
  return (
    <Link href={paths.command(unit.id, 'refund.withdraw')} className="font-medium underline">
      {text.withdrawRefused}
    </Link>
  );
}

function OrderHeader({ order }: { order: FoundOrder }) {
  const mayRefund = usePermission('money');
  const mayCancel = usePermission('orders.cancel');
  const mayEdit = usePermission('people.write');
  const path = useEventPath();
  const toast = useToast();
  const [open, setOpen] = useState<'refund' | 'cancel' | 'buyer' | null>(null);
  const cancel = useAction(() => {
    setOpen(null);
    toast(text.cancelled);
  });
  const isOpen = order.status === 'held' || order.status === 'awaiting_payment';
  return (
    <>
      <PageHeader
        title={order.orderNumber}
        badge={<OrderStatus order={order} />}
        description={<CopyText text={order.id} label={detailText.copyId} />}
        actions={
          <>
            {mayRefund && refundableOf(order) > 0 && (
              <Button icon={RotateCcw} onClick={() => setOpen('refund')}>
                {text.refund}
              </Button>
            )}
            {(mayEdit || (mayCancel && isOpen)) && (
              <ActionMenu
                actions={[
                  mayEdit && {
                    label: text.editBuyer,
                    icon: Pencil,
                    onSelect: () => setOpen('buyer'),
                  },
                  mayCancel &&
                    isOpen && {
                      label: text.cancel,
                      icon: Ban,
                      isDanger: true,
                      onSelect: () => setOpen('cancel'),
                    },
                ]}
              />
            )}
          </>
        }
      />
      {open === 'buyer' && <BuyerDialog order={order} onClose={() => setOpen(null)} />}
      {open === 'refund' && <RefundDialog order={order} onClose={() => setOpen(null)} />}
      <DangerDialog
        isOpen={open === 'cancel'}
        onClose={() => setOpen(null)}
        title={text.cancelTitle(order.orderNumber)}
        consequence={text.cancelText}
        confirmLabel={text.cancelConfirm(order.orderNumber)}
        onConfirm={() =>
          void cancel.run({ method: 'POST', path: `${path}/orders/${order.id}/cancel` })
        }
        isRunning={cancel.isRunning}
        error={cancel.error}
      />
    </>
  );
}

function OrderFacts({ order }: { order: FoundOrder }) {
  return (
    <Section title={detailText.facts}>
      <Facts
        items={[
          [text.buyer, order.name === null ? order.email : `${order.name}, ${order.email}`],
          order.billing === null
            ? null
            : [text.billing, <BillingLines key="billing" billing={order.billing} />],
          order.responses && Object.keys(order.responses).length > 0
            ? [text.answers, <Answers key="answers" responses={order.responses} />]
            : null,
          order.redemptionCode === null ? null : [text.code, order.redemptionCode],
          [text.placedAt, <Instant key="placed" at={order.placedAt} />],
          order.paidAt === null ? null : [text.paidAt, <Instant key="paid" at={order.paidAt} />],
          order.holdExpiresAt === null
            ? null
            : [text.holdEnds, <Instant key="hold" at={order.holdExpiresAt} />],
        ]}
      />
    </Section>
  );
}
