import type { FoundOrder } from '../../api/records.ts';
import type { OwnFact } from '../../components/detail/history-rules.ts';
import { formatMoney } from '../../format/money.ts';
import { ordersText } from '../../text/orders.ts';

const words = ordersText.history;

/**
 * What an order says about its own history: when it was placed and paid, and each payment page and
 * refund.
 */
export function factsOf(order: FoundOrder): OwnFact[] {
  const { placedAt, paidAt } = order;
  return [
    { id: 'placed', at: placedAt, what: words.placed, sameAs: 'order.created' },
    ...(paidAt === null
      ? []
      : [{ id: 'paid', at: paidAt, what: words.paid, sameAs: 'order.paid' }]),
    ...order.paymentAttempts.flatMap(attemptFacts),
    ...order.refunds.flatMap(refundFacts),
  ];
}

function attemptFacts(
  { at, status }: FoundOrder['paymentAttempts'][number],
  index: number,
): OwnFact[] {
  const types = ['order.payment_changed'];
  const id = `attempt ${index}`;
  if (status === 'declined') {
    return [{ id, at, what: words.declined, names: { types, isLater: false } }];
  }
  const opened = { id, at, what: words.pageOpened, names: { types, isLater: false } };
  if (status === 'open') return [opened];
  // The refund of another amount is an entry of its own.
  const isPaid = status === 'succeeded' || status === 'mismatch';
  const what = isPaid ? words.paymentReceived : words.pageExpired;
  return [opened, { id: `${id} end`, at, what, names: { types, isLater: true } }];
}

function refundFacts(refund: FoundOrder['refunds'][number]): OwnFact[] {
  const { id, cause, state, createdAt, doneAt, reason, failure } = refund;
  const amount = formatMoney(refund.amount, refund.currency);
  const fact = (end: string, at: string, what: string, types: string[], isLater = false) => ({
    id: `${id} ${end}`,
    at,
    what,
    names: { types: ['order.refund_changed', ...types], isLater },
  });
  const begin =
    cause === 'operator'
      ? { ...fact('begin', createdAt, words.refundRequested(amount), []), note: reason }
      : fact('begin', createdAt, words.refundDue(amount), ['order.refund_due']);
  if (state === 'done' && doneAt !== null) {
    return [begin, fact('end', doneAt, words.refundPaidOut(amount), ['order.refunded'])];
  }
  // The record does not say when the provider refused it, or since when it is not owed. The change
  // does.
  if (state === 'failed') {
    const refused = fact('end', createdAt, words.refundRefused(amount), [], true);
    return [begin, { ...refused, note: failure }];
  }
  if (state === 'withdrawn') {
    return [begin, fact('end', createdAt, words.refundWithdrawn(amount), [], true)];
  }
  return [begin];
}
