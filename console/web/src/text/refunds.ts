import type { RefundCause } from '@event-api/contracts/operator/refunds';
import { plural } from '../format/count.ts';

export const refundsText = {
  title: 'Refunds',
  description: 'Money that goes back to buyers: what we owe, to whom and since when.',
  state: 'State',
  columns: {
    order: 'Order',
    buyer: 'To',
    amount: 'Amount',
    state: 'State',
    cause: 'Why',
    created: 'Since',
    done: 'Back since',
  },
  noneOwed: 'Nothing is owed',
  isNormal: 'This is the normal state.',
  emptyTitle: 'No refund waits',
  emptyText: 'A refund is due when money arrives for an order that cannot be fulfilled.',
  none: 'No refunds fit these filters',
  owed: 'Owed',
  allStates: 'All states',
  period: { from: 'Since', until: 'Until' },
  summary: 'What is owed',
  toBuyers: (refunds: number, buyers: number) =>
    `${plural(refunds, 'refund', 'refunds')} to ${plural(buyers, 'buyer', 'buyers')}, the oldest since`,
  parts: {
    due: (count: number) => `${plural(count, 'waits', 'wait')} for its time or for you`,
    pending: (count: number) => `${plural(count, 'is', 'are')} on the way`,
    failed: (count: number) => `${plural(count, 'was', 'were')} refused by the payment provider`,
  },
  refused: (failure: string | null) =>
    `The payment provider refused it${failure ? `: ${failure}` : ''}.`,
  whatToDo: 'Open the order to refund again, or pay the buyer in another way.',
  sendsAt: 'Sent by itself',
  delay: {
    button: (hours: number | null | undefined) => {
      if (hours === undefined) return 'When refunds are sent';
      if (hours === null) return 'Sent by hand';
      return hours === 0 ? 'Sent at once' : `Sent after ${plural(hours, 'hour', 'hours')}`;
    },
    title: 'When money that pays for nothing is returned',
    hours: 'After hours',
    help: 'A payment that came late, twice or in another amount. 0 returns it at once. Empty: your team sends each refund. What is due already keeps its time.',
    saved: 'Saved',
  },
  forPeople: (count: number) => `for ${plural(count, 'person', 'people')}`,
  causes: {
    operator: 'Decided by an operator',
    late: 'Paid after the order was cancelled',
    mismatch: 'Another amount than that of the order',
    surplus: 'Paid twice',
    unfulfillable: 'No seats were left',
    attendee_registered: 'The attendee was registered already',
    refund_policy: 'A seat was cancelled, by the policy',
    event_cancelled: 'The event was cancelled',
    at_provider: 'Made at the payment provider',
  } satisfies Record<RefundCause, string>,
} as const;
