import type { FoundOrder } from '../../api/records.ts';
import { netOf, paidOf } from '../../components/ledger/refund.rules.ts';
import { formatMoney } from '../../format/money.ts';
import { ordersText } from '../../text/orders.ts';

const text = ordersText.sums;

/** The money of an order in one row: what was paid, what went back, and what is left. */
export function OrderSums({ order }: { order: FoundOrder }) {
  const { refundedAmount, refundDueAmount, currency } = order;
  const money = (amount: number) => formatMoney(amount, currency);
  const net = netOf(order);
  const sums: [label: string, amount: number][] = [
    [net === null ? text.toPay : text.paid, paidOf(order)],
    ...(refundedAmount > 0 ? [[text.refunded, -refundedAmount] as [string, number]] : []),
    ...(net !== null && refundedAmount > 0 ? [[text.net, net] as [string, number]] : []),
    ...(refundDueAmount > 0 ? [[text.due, refundDueAmount] as [string, number]] : []),
  ];
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      {sums.map(([label, amount]) => (
        <div key={label}>
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="text-lg leading-6 font-semibold tabular-nums">{money(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}
