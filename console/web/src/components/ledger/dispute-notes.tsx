import type { FoundOrder } from '../../api/records.ts';
import { formatMoney } from '../../format/money.ts';
import { ordersText as text } from '../../text/orders.ts';
import { Instant } from '../ui/instant.tsx';

/** Each dispute of the payment in words, with the time until which to answer it. */
export function DisputeNotes({ order }: { order: FoundOrder }) {
  return order.disputes.map(({ id, status, amount, currency, respondBy }) => (
    <p
      key={id}
      className={`rounded-md px-3 py-2 ${status === 'won' ? 'bg-surface' : 'bg-red-soft text-red'}`}
    >
      {text.disputes[status](formatMoney(amount, currency))}
      {respondBy !== null && (status === 'inquiry' || status === 'needs_response') && (
        <>
          {' '}
          {text.respondBy} <Instant at={respondBy} />.
        </>
      )}
    </p>
  ));
}
