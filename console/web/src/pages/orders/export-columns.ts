import type { Event, Order } from '../../api/records.ts';
import { netOf, paidOf, shownStatus } from '../../components/ledger/refund.rules.ts';
import { timeColumn } from '../../components/list/csv-columns.ts';
import { moneyInput } from '../../format/money.ts';
import { fileText as text } from '../../text/files.ts';
import { statusText } from '../../text/status.ts';
import { itemsOf } from './orders.rules.ts';

const money = (header: string, amountOf: (order: Order) => number | null) => ({
  header,
  value: (order: Order) => {
    const amount = amountOf(order);
    return amount === null ? null : moneyInput(amount, order.currency);
  },
});

const number = { header: text.order, value: ({ orderNumber }: Order) => orderNumber };
const status = {
  header: text.status,
  value: (order: Order) => statusText.order[shownStatus(order)],
};
const name = { header: text.buyer, value: ({ name: of }: Order) => of };
const email = { header: text.buyerEmail, value: ({ email: of }: Order) => of };
const currency = { header: text.currency, value: ({ currency: of }: Order) => of };
const total = money(text.total, paidOf);
/** The tax in the total, as it was sold. */
const tax = money(text.tax, ({ taxAmount }) => taxAmount);
const refunded = money(text.refunded, ({ refundedAmount }) => refundedAmount);
const net = money(text.net, netOf);
const items = { header: text.items, value: itemsOf };

const isOwed = ({ status: of }: Order): boolean => of === 'awaiting_payment';

/** What the buyer has still to pay. */
const toBePaid = money(text.toBePaid, (order) => (isOwed(order) ? paidOf(order) : 0));

/** Whether money has moved or will: it is paid, its payment is awaited, or a refund is due. */
const isOfFinance = (order: Order): boolean =>
  order.paidAt !== null || isOwed(order) || order.refundDueAmount > 0 || order.refundedAmount > 0;

/** The people of the seats, by name or email, each once. */
export const peopleOf = ({ items }: Pick<Order, 'items'>): string =>
  [
    ...new Map(
      items.flatMap(({ attendees }) => attendees.map((one) => [one.email, one.name ?? one.email])),
    ).values(),
  ].join('; ');

/**
 * The file of the list, and the one for finance: what was paid, what is left of it, what is owed.
 */
export function exported({ timezone, publicId }: Event, labels: { finance: string }) {
  const placed = timeColumn(text.placed, timezone, ({ placedAt }: Order) => placedAt);
  const paid = timeColumn(text.paid, timezone, ({ paidAt }: Order) => paidAt);
  return {
    fileName: `orders-${publicId}.csv`,
    columns: [
      { header: text.id, value: ({ id }: Order) => id },
      ...[number, name, email, status, currency, total, refunded, net, items],
      { header: text.people, value: peopleOf },
      { header: text.code, value: ({ redemptionCode }: Order) => redemptionCode },
      ...[placed, paid],
    ],
    others: [
      {
        label: labels.finance,
        fileName: `finance-${publicId}.csv`,
        columns: [
          ...[placed, paid, number, name, email, status, currency, total, tax, toBePaid],
          ...[refunded, net],
          money(text.refundDue, ({ refundDueAmount }) => refundDueAmount),
          items,
        ],
        isIncluded: isOfFinance,
      },
    ],
  };
}
