import type { FoundOrder } from '../../api/records.ts';
import { SmallTable } from '../../components/list/small-table.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatMoney } from '../../format/money.ts';
import { common } from '../../text/common.ts';
import { ordersText as text } from '../../text/orders.ts';

export function Lines({ order }: { order: FoundOrder }) {
  const money = (amount: number) => formatMoney(amount, order.currency);
  return (
    <Section title={text.lines} isFlush>
      <SmallTable
        label={text.lines}
        headers={[text.line, text.unit, text.discount, text.total]}
        rows={order.items.map((line) => ({
          key: `${line.itemType} ${line.itemId}`,
          cells: [
            `${line.quantity} × ${line.name}`,
            money(line.unitAmount),
            line.discountAmount === 0 ? common.noValue : money(-line.discountAmount),
            money(line.totalAmount),
          ],
        }))}
      />
    </Section>
  );
}
