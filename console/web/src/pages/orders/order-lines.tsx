import type { FoundOrder } from '../../api/records.ts';
import { SmallTable } from '../../components/list/small-table.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatMoney } from '../../format/money.ts';
import { common } from '../../text/common.ts';
import { ordersText as text } from '../../text/orders.ts';

/** What was sold, with the tax rates that were applied. */
function LineName({ line }: { line: FoundOrder['items'][number] }) {
  return (
    <>
      {`${line.quantity} × ${line.name}`}
      {line.taxes.map(({ rate, treatment }) => (
        <span key={rate.id} className="block text-xs text-muted">
          {treatment === 'reverse_charge' ? text.reverseCharge(rate.name) : rate.name}
        </span>
      ))}
    </>
  );
}

export function Lines({ order }: { order: FoundOrder }) {
  const money = (amount: number) => formatMoney(amount, order.currency);
  const isTaxed = order.items.some(({ taxes }) => taxes.length > 0);
  const taxed = (amounts: { netAmount: number; taxAmount: number }) =>
    isTaxed ? [money(amounts.netAmount), money(amounts.taxAmount)] : [];
  const headers = isTaxed ? [text.netOfTax, text.tax, text.total] : [text.total];
  const sum = {
    key: 'sum',
    cells: [
      <strong key="sum">{text.total}</strong>,
      ...['', '', ...taxed(order)],
      money(order.totalAmount),
    ],
  };
  return (
    <Section title={text.lines} isFlush>
      <SmallTable
        label={text.lines}
        headers={[text.line, text.unit, text.discount, ...headers]}
        rows={[
          ...order.items.map((line) => ({
            key: `${line.itemType} ${line.itemId}`,
            cells: [
              <LineName key="name" line={line} />,
              money(line.unitAmount),
              line.discountAmount === 0 ? common.noValue : money(-line.discountAmount),
              ...taxed(line),
              money(line.totalAmount),
            ],
          })),
          ...(isTaxed ? [sum] : []),
        ]}
      />
    </Section>
  );
}
