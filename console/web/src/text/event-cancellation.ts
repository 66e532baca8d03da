import { formatCount, plural } from '../format/count.ts';

/** The cancellation of an event. */
export const cancellationText = {
  title: 'Cancel the event',
  text: 'It does not take place: its sale ends, everybody loses their seat, and buyers get their money back.',
  action: 'Cancel the event',
  dialogTitle: (name: string) => `Cancel ${name}?`,
  consequence: (people: number, seats: number) =>
    [
      'The sale stops at once, the doors admit nobody,',
      seats === 0 ? 'and' : `${plural(seats, 'seat is', 'seats are')} taken from orders, and`,
      `${plural(people, 'person loses a registration', 'people lose their registrations')}.`,
      'This cannot be undone.',
    ].join(' '),
  refund: 'What buyers get back',
  refunds: { full: 'The whole price', policy: 'What the refund policy promises', none: 'Nothing' },
  refundHelp: {
    full: 'Seats that were cancelled before keep what was decided about them.',
    policy: 'Orders without a refund policy get nothing back.',
    none: 'Your team can refund single orders later.',
  },
  keep: 'Keep the event',
  confirm: (name: string) => `Cancel ${name}`,
  concerns: 'This concerns',
  registrations: 'Registrations and seats',
  orders: 'Orders',
  /** What there is of each kind. */
  states: {
    confirmed: (count: number) => `${formatCount(count)} confirmed`,
    pending: (count: number) => `${formatCount(count)} waiting for an approval`,
    waitlisted: (count: number) => `${formatCount(count)} on the waitlist`,
    reservedSeats: (count: number) =>
      plural(count, 'seat without a person', 'seats without a person'),
    paid: (count: number) => `${formatCount(count)} paid`,
    held: (count: number) => `${formatCount(count)} held`,
    awaitingPayment: (count: number) => `${formatCount(count)} with an open payment page`,
  },
  devices: 'Scanners',
  pairedDevices: (count: number) => plural(count, 'paired scanner', 'paired scanners'),
  money: 'Paid back',
  amount: (money: string, orders: number) => `${money} to ${plural(orders, 'order', 'orders')}`,
  nothing: 'Nothing',
  reason: 'Reason',
  reasonHelp: 'Only your team sees it, in the log of changes.',
  done: 'The event is cancelled',
  progress: 'Cancellation',
  running: 'The event is cancelled. The rest follows in the background; you can leave this page.',
  finished: 'The event is cancelled, and nothing is left to do.',
  failed: 'The event is cancelled. The payment provider has refused some refunds.',
  steps: {
    registrations: 'Registrations and seats cancelled',
    openOrders: 'Open orders ended',
    orders: 'Paid orders decided',
  },
  ofTotal: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)}`,
  sent: 'Paid back',
  pendingMoney: 'On its way',
  dueMoney: 'Due, for your team to send',
  failures: 'Refunds that the provider has refused',
  failure: (money: string, reason: string) => `${money}: ${reason}`,
  problem: 'The last attempt of a step has failed and is repeated:',
} as const;
