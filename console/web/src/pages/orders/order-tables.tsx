import type { ReactNode } from 'react';
import type { FoundOrder } from '../../api/records.ts';
import { Instant } from '../../components/ui/instant.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatMoney } from '../../format/money.ts';
import { common } from '../../text/common.ts';
import { ordersText as text } from '../../text/orders.ts';
import { ledgerOf } from './rules.ts';

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

/** Payments and refunds as one ledger with the balance after each. */
export function Ledger({ order }: { order: FoundOrder }) {
  const words = text.ledgerColumns;
  const money = (amount: number) => formatMoney(amount, order.currency);
  const entries = ledgerOf(order);
  return (
    <Section title={text.ledger} isFlush>
      {entries.length === 0 ? (
        <p className="px-4 pb-4 text-muted">{text.noLedger}</p>
      ) : (
        <SmallTable
          label={text.ledger}
          headers={[words.what, words.when, words.amount, words.balance]}
          rows={entries.map((entry) => ({
            key: entry.id,
            cells: [
              <span key="what">
                {entry.kind === 'payment'
                  ? text.payment
                  : text.refundStates[entry.state as keyof typeof text.refundStates]}
                {entry.note && <span className="block text-muted">{entry.note}</span>}
              </span>,
              <Instant key="at" at={entry.at} style="day" />,
              money(entry.amount),
              money(entry.balance),
            ],
          }))}
        />
      )}
    </Section>
  );
}

/** A table inside of a detail page: the first column is text, the others are numbers. */
function SmallTable({
  label,
  headers,
  rows,
}: {
  label: string;
  headers: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}) {
  const side = (index: number) => (index === 0 ? 'pl-4 text-left' : 'text-right whitespace-nowrap');
  return (
    <table className="w-full" aria-label={label}>
      <thead>
        <tr className="border-b border-line text-xs text-muted">
          {headers.map((header, index) => (
            <th
              key={header}
              scope="col"
              className={`px-2 py-1.5 font-medium last:pr-4 ${side(index)}`}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key} className="border-b border-line last:border-0">
            {cells.map((cell, index) => (
              <td key={headers[index]} className={`px-2 py-2 last:pr-4 ${side(index)}`}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
