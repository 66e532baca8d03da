import type { Event, Order } from '../../api/records.ts';
import { netOf } from '../../components/ledger/refund.rules.ts';
import { timeColumn } from '../../components/list/csv-columns.ts';
import { moneyInput } from '../../format/money.ts';
import { itemsOf } from './orders.rules.ts';

const money = (header: string, amountOf: (order: Order) => number | null) => ({
  header,
  value: (order: Order) => {
    const amount = amountOf(order);
    return amount === null ? null : moneyInput(amount, order.currency);
  },
});

const number = { header: 'number', value: ({ orderNumber }: Order) => orderNumber };
const status = { header: 'status', value: ({ status: of }: Order) => of };
const name = { header: 'name', value: ({ name: of }: Order) => of };
const email = { header: 'email', value: ({ email: of }: Order) => of };
const currency = { header: 'currency', value: ({ currency: of }: Order) => of };
const total = money('total', ({ totalAmount }) => totalAmount);
const refunded = money('refunded', ({ refundedAmount }) => refundedAmount);
const isPaid = ({ paidAt }: Order): boolean => paidAt !== null;

const net = money('net', netOf);

/** The people of the seats, by name or email, each once. */
export const peopleOf = ({ items }: Pick<Order, 'items'>): string =>
  [
    ...new Map(
      items.flatMap(({ attendees }) => attendees.map((one) => [one.email, one.name ?? one.email])),
    ).values(),
  ].join('; ');

/** The file of the list, and the one for finance: what was paid, and what is left of it. */
export function exported({ timezone, publicId }: Event, labels: { finance: string }) {
  const placed = timeColumn('placed_at', timezone, ({ placedAt }: Order) => placedAt);
  const paid = timeColumn('paid_at', timezone, ({ paidAt }: Order) => paidAt);
  return {
    fileName: `orders-${publicId}.csv`,
    columns: [
      { header: 'id', value: ({ id }: Order) => id },
      ...[number, name, email, status, currency, total, refunded, net],
      { header: 'items', value: itemsOf },
      { header: 'people', value: peopleOf },
      { header: 'code', value: ({ redemptionCode }: Order) => redemptionCode },
      ...[placed, paid],
    ],
    others: [
      {
        label: labels.finance,
        fileName: `finance-${publicId}.csv`,
        columns: [
          ...[paid, number, name, email, status, currency, total, refunded, net],
          money('refund_due', ({ refundDueAmount }) => refundDueAmount),
          { header: 'items', value: itemsOf },
        ],
        isIncluded: isPaid,
      },
    ],
  };
}
