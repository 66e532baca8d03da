import { plural } from '../format/count.ts';

/** "Ada", "Ada and Bob", "3 people". */
const namesOf = (names: readonly string[]): string =>
  names.length > 2 ? plural(names.length, 'person', 'people') : names.join(' and ');

const isOrAre = (names: readonly string[]): string => (names.length === 1 ? 'is' : 'are');

export const ordersText = {
  title: 'Orders',
  search: 'Number, or name or email of anybody in it',
  period: { from: 'Placed from', until: 'Placed until' },
  columns: {
    number: 'Order',
    buyer: 'Buyer',
    items: 'Items',
    people: 'People',
    status: 'Status',
    total: 'Total',
    refunded: 'Refunded',
    net: 'Net',
    placed: 'Placed',
    paid: 'Paid',
  },
  money: 'Money',
  refundDueOnly: 'Refund due',
  peopleOf: (active: number, all: number) => (active === all ? `${all}` : `${active} of ${all}`),
  sums: {
    paid: 'Paid',
    toPay: 'To pay',
    refunded: 'Refunded',
    net: 'Net',
    due: 'Due to the buyer',
  },
  people: {
    title: 'Seats',
    beforePayment: 'They get their badges when the order is paid.',
    none: 'The order has no seats: its add-ons belong to a person who had registered before.',
    registeredBefore: 'Had registered before, and has the badge of that registration.',
    withAddons: (amount: string) => `with ${amount} of add-ons`,
    refunded: (outcome: 'whole' | 'part' | 'unknown_part', amount: string | null) =>
      outcome === 'unknown_part'
        ? 'refunded in part'
        : amount === null
          ? 'refunded'
          : `${amount} refunded`,
    /** What the policy gives for a cancelled seat, and what has become of it. */
    byPolicy: (amount: string, state: string | null) => {
      switch (state) {
        case 'due':
          return `${amount} due by the policy`;
        case 'pending':
          return `${amount} on the way back by the policy`;
        case 'done':
          return `${amount} paid back by the policy`;
        case 'failed':
          return `${amount} by the policy, refused by the payment provider`;
        case 'withdrawn':
          return `${amount} by the policy, not owed any more`;
        default:
          return `${amount} by the policy`;
      }
    },
    kept: (amount: string, fee: string | null) =>
      fee === null ? `${amount} kept` : `${amount} kept, with a fee of ${fee}`,
    rule: (number: number) => `by rule ${number}`,
    tooLate: 'cancelled after the last rule: nothing is paid back',
    undecided: 'the refund is being worked out',
    choose: 'Refund or cancel several',
    showAll: (count: number) => `Show all ${count} seats`,
    assignedLater: 'Assigned later',
  },
  seats: {
    title: (number: string) => `Refund and cancel in ${number}`,
    who: 'Who',
    what: 'What happens',
    nobody: 'Choose who it is about.',
    noRefund: 'nothing to refund',
    actions: {
      refund_and_cancel: 'Refund and cancel',
      cancel: 'Cancel',
      refund: 'Refund',
    },
    actionFor: (action: string, name: string) => `${action}: ${name}`,
    price: 'the price',
    choices: {
      refund_and_cancel: (amount: string) => `Refund ${amount} and cancel`,
      cancel: (_: string) => 'Cancel without a refund',
      refund: (amount: string) => `Refund ${amount} and keep the ticket`,
    },
    /** The refund of people of whom nobody has a ticket to keep. */
    refundOnly: (amount: string) => `Refund ${amount}`,
    cancelByPolicy: 'Cancel, and pay back what the policy says',
    back: 'Back',
    help: {
      refund_and_cancel:
        'The price with add-ons, less the discount. The badge stops working, and the seat goes to the waitlist or is sold again.',
      cancel: 'The badge stops working and the seat is free again. No money moves.',
      cancel_by_policy:
        'The badge stops working and the seat is free again. What is paid back is on the page of the order a moment later.',
      refund: 'The money goes back, and the badge keeps working.',
      refund_only: 'The money goes back. The seat stays cancelled.',
    },
    consequence: ({
      total,
      due,
      addons,
      isCapped,
      email,
      names,
      byPolicy,
    }: {
      total: string | null;
      due: string | null;
      addons: string | null;
      isCapped: boolean;
      email: string;
      names: readonly string[];
      /** The rules of the policy decide what goes back. */
      byPolicy: boolean;
    }) =>
      [
        total === null
          ? byPolicy
            ? 'The policy of the order says what goes back.'
            : 'No money moves.'
          : `${total} go back to ${email}${addons === null ? '' : `, of which ${addons} for add-ons`}${due === null ? '' : `, with ${due} that are due anyway`}.`,
        isCapped && 'This is all that is left of the payment.',
        names.length === 0
          ? 'Nobody is cancelled.'
          : `${namesOf(names)} ${isOrAre(names)} cancelled: ${names.length === 1 ? 'the badge opens' : 'their badges open'} no door.`,
        'This cannot be undone.',
      ]
        .filter(Boolean)
        .join(' '),
    confirm: (amount: string | null, names: readonly string[]) =>
      amount === null
        ? `Cancel ${namesOf(names)}`
        : names.length === 0
          ? `Refund ${amount}`
          : `Refund ${amount} and cancel ${namesOf(names)}`,
    done: (amount: string | null, names: readonly string[]) =>
      [
        amount !== null && `${amount} are on the way back`,
        names.length > 0 && `${namesOf(names)} ${isOrAre(names)} cancelled`,
      ]
        .filter(Boolean)
        .join(', '),
  },
  files: { finance: 'For finance' },
  emptyTitle: 'No orders yet',
  emptyText:
    'An order appears as soon as somebody holds a seat. It is paid on the page of the payment provider.',
  emptyFiltered: 'No order fits these filters',
  steps: {
    placed: 'Placed',
    payment: 'Payment',
    paid: 'Paid',
    fulfilled: 'Fulfilled',
    partly_refunded: 'Partly refunded',
    refunded: 'Refunded',
    refund_due: 'Refund due',
    cancelled: 'Cancelled',
    expired: 'Expired',
  },
  stepsLabel: 'Progress of the order',
  lines: 'Items',
  line: 'Item',
  unit: 'Unit price',
  discount: 'Discount',
  netOfTax: 'Without tax',
  tax: 'Tax',
  reverseCharge: (name: string) => `${name}, reverse charge`,
  billing: 'Billed to',
  total: 'Total',
  ledger: 'Payments and refunds',
  ledgerColumns: { what: 'What', amount: 'Amount', balance: 'Balance' },
  noLedger: 'No money has moved.',
  payment: 'Payment',
  refundStates: {
    due: 'Refund, due',
    pending: 'Refund, on its way',
    done: 'Refund',
    failed: 'Refund, failed',
    withdrawn: 'Refund, withdrawn',
  },
  editBuyer: 'Edit the buyer',
  editBuyerTitle: (number: string) => `Edit the buyer of ${number}`,
  editBuyerText: 'The people of the order and their badges stay as they are.',
  buyerName: 'Name',
  buyerSaved: 'The buyer is saved',
  buyer: 'Buyer',
  answers: 'Answers',
  code: 'Code',
  placedAt: 'Placed',
  paidAt: 'Paid',
  holdEnds: 'Hold ends',
  due: (amount: string) => `${amount} are due to the buyer`,
  disputes: {
    inquiry: (amount: string) => `The bank of the buyer asks about ${amount}. No money is taken.`,
    needs_response: (amount: string) =>
      `The buyer disputes ${amount}. The provider has taken the money.`,
    under_review: (amount: string) =>
      `The buyer disputes ${amount}. The bank decides about your answer.`,
    won: (amount: string) => `A dispute about ${amount} was decided for you. The money is back.`,
    lost: (amount: string) => `A dispute about ${amount} is lost. The money is gone.`,
  },
  respondBy: 'Answer at the payment provider until',
  refund: 'Refund',
  refundTitle: (number: string) => `Refund ${number}`,
  refundWhat: 'What to refund',
  refundAll: (amount: string) => `Everything that is left, ${amount}`,
  refundDue: (amount: string) => `Only what is due, ${amount}`,
  refundPart: (
    { name, isSeat, quantity }: { name: string; isSeat: boolean; quantity: number },
    amount: string,
  ) => {
    const all = `All ${quantity}${isSeat ? ' seats' : ''} of ${name}`;
    return `${quantity > 1 ? all : `One ${isSeat ? 'seat of ' : ''}${name}`}, ${amount}`;
  },
  cancels: 'Nothing is left of the payment, so the registrations of the order are cancelled.',
  keeps: 'The registrations of the order stay until you cancel them.',
  refundAmount: 'Another amount',
  amount: 'Amount',
  tooHigh: (left: string) => `Only ${left} are left of the payment.`,
  noAmount: 'Enter an amount above zero.',
  reason: 'Note',
  reasonHelp: 'Stored with the refund, for your colleagues',
  policy: 'Refund policy',
  noPolicy: 'The event had no refund policy when the order was placed.',
  policyOfOrder: 'As it was when the order was placed. Later changes do not change it.',
  payDue: 'Pay it back',
  outsidePolicy: (until: string) =>
    `The policy has ended on ${until}. This refund is a goodwill payment.`,
  confirm: (amount: string) => `Refund ${amount}`,
  consequence: (amount: string, email: string) =>
    `${amount} go back to ${email}. This cannot be undone.`,
  refunded: (amount: string) => `${amount} are on the way back`,
  withdrawRefused: 'Withdraw it, if it was returned in another way',
  refused: (amount: string, failure: string | null) =>
    `The payment provider refused to refund ${amount}${failure ? `: ${failure}` : ''}. No money has moved. Refund again, or pay the buyer in another way.`,
  cancel: 'Cancel the order',
  cancelTitle: (number: string) => `Cancel ${number}?`,
  cancelText: 'The payment page ends and the seats are free again. Nothing was charged.',
  cancelConfirm: (number: string) => `Cancel ${number}`,
  cancelled: 'The order is cancelled',
  history: {
    placed: 'Placed',
    paid: 'Paid',
    pageOpened: 'Payment page opened',
    paymentReceived: 'Payment received',
    pageExpired: 'Payment page expired',
    declined: 'A payment was declined',
    refundRequested: (amount: string) => `Refund of ${amount} requested`,
    refundDue: (amount: string) => `Refund of ${amount} is due`,
    refundPaidOut: (amount: string) => `Refund of ${amount} paid out`,
    refundRefused: (amount: string) => `Refund of ${amount} refused by the provider`,
    refundWithdrawn: (amount: string) => `Refund of ${amount} is not owed any more`,
  },
} as const;
