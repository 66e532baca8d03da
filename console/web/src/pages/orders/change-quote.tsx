import { useEffect, useRef } from 'react';
import type { FoundOrder, OrderChange } from '../../api/records.ts';
import { nameOf, type OrderPerson } from '../../components/ledger/seats.rules.ts';
import { SmallTable } from '../../components/list/small-table.tsx';
import { formatMoney } from '../../format/money.ts';
import { orderChangesText as text } from '../../text/order-changes.ts';

type Line = OrderChange['quote']['lines'][number];

const reasonOf = ({ reason, band, isLimited }: Line): string =>
  reason === 'band' ? text.reasons.band((band ?? 0) + 1, isLimited) : text.reasons[reason];

/** Every amount of a quote, seat by seat, and what becomes of the money. */
export function ChangeQuote({
  order,
  people,
  quote,
}: {
  order: FoundOrder;
  people: readonly OrderPerson[];
  quote: OrderChange['quote'];
}) {
  const money = (amount: number) => formatMoney(amount, quote.currency);
  const words = text.columns;
  const paid = quote.lines.reduce((sum, line) => sum + line.paid, 0);
  const box = useRef<HTMLElement>(null);
  // The step before, which had the focus, is gone.
  useEffect(() => box.current?.focus(), []);
  return (
    <section ref={box} tabIndex={-1} aria-label={text.quote} className="flex flex-col gap-3">
      <SmallTable
        label={text.quote}
        headers={[words.seat, words.paid, words.kept, words.refund]}
        rows={[
          ...quote.lines.map((line) => {
            const person = people.find(({ id }) => id === line.seatId);
            return {
              key: `${line.itemIndex} ${line.seatId}`,
              cells: [
                <span key="seat" dir="auto" className="wrap-anywhere">
                  {person ? nameOf(person) : order.items[line.itemIndex]?.name}
                  <span className="block text-muted">
                    {reasonOf(line)}
                    {line.fee > 0 && text.fee(money(line.fee))}
                  </span>
                </span>,
                money(line.paid),
                // Of a seat with a new ticket type its price, and what the policy keeps.
                money(line.paid - line.refund),
                money(line.refund),
              ],
            };
          }),
          {
            key: 'sum',
            cells: [
              <strong key="sum">{text.sum}</strong>,
              money(paid),
              money(paid - quote.refund),
              <strong key="refund">{money(quote.refund)}</strong>,
            ],
          },
        ]}
      />
      <p>
        {quote.refund === 0
          ? text.noMoney
          : order.refundPolicy?.automatic
            ? text.sentAtOnce
            : text.isDue}
      </p>
      {quote.amountToPay > 0 && <p>{text.toPay(money(quote.amountToPay))}</p>}
    </section>
  );
}
