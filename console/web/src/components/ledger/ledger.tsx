import type { FoundOrder } from '../../api/records.ts';
import { formatMoney } from '../../format/money.ts';
import { ordersText as text } from '../../text/orders.ts';
import { SmallTable } from '../list/small-table.tsx';
import { Instant } from '../ui/instant.tsx';
import { Section } from '../ui/surface.tsx';
import { ledgerOf } from './ledger.rules.ts';

/** Payments and refunds as one ledger with the balance after each. */
export function Ledger({ order, title = text.ledger }: { order: FoundOrder; title?: string }) {
  const words = text.ledgerColumns;
  const money = (amount: number) => formatMoney(amount, order.currency);
  const entries = ledgerOf(order);
  return (
    <Section title={title} isFlush>
      {entries.length === 0 ? (
        <p className="px-4 pb-4 text-muted">{text.noLedger}</p>
      ) : (
        <SmallTable
          label={text.ledger}
          headers={[words.what, words.amount, words.balance]}
          rows={entries.map((entry) => ({
            key: entry.id,
            cells: [
              <span key="what">
                {entry.kind === 'payment'
                  ? text.payment
                  : text.refundStates[entry.state as keyof typeof text.refundStates]}
                <span className="block text-muted">
                  <Instant at={entry.at} style="day" />
                </span>
                {entry.note && <span className="block text-muted wrap-anywhere">{entry.note}</span>}
              </span>,
              money(entry.amount),
              money(entry.balance),
            ],
          }))}
        />
      )}
    </Section>
  );
}
