import { plural } from '../format/count.ts';

const seats = (count: number): string => plural(count, 'seat', 'seats');

/** Changes of an order by a quote: seats are cancelled, or get a ticket type. */
export const orderChangesText = {
  action: 'Change by the policy',
  title: (number: string) => `Change seats of ${number}`,
  what: 'Change',
  cancel: 'Cancel the seats',
  changeTo: (type: string) => `Change the ticket type to ${type}`,
  help: 'Choose the seats. Before anything happens you see what the policy of the order pays back and keeps.',
  who: 'Seats',
  keep: 'Keep all seats',
  ask: (count: number) =>
    count === 0 ? 'Show the amounts' : `Show the amounts for ${seats(count)}`,
  quote: 'What is paid back and kept',
  columns: { seat: 'Seat', paid: 'Paid', kept: 'Kept', refund: 'Paid back' },
  fee: (amount: string) => `, fee ${amount}`,
  sum: 'Together',
  reasons: {
    band: (rule: number, isLimited: boolean) =>
      `by rule ${rule}${isLimited ? ', limited by what is left of the payment' : ''}`,
    too_late: 'after the last rule',
    settled: 'paid back before',
    no_bands: 'without a rule: you decide',
  },
  toPay: (amount: string) => `${amount} are to be paid in addition.`,
  sentAtOnce: 'The money is sent at once.',
  isDue: 'The money is due, and your team pays it back.',
  noMoney: 'No money moves.',
  consequence: (count: number, type: string | null) =>
    type === null
      ? `${count === 1 ? 'The badge opens' : 'The badges open'} no door. The ${count === 1 ? 'seat goes' : 'seats go'} to the waitlist or on sale again. This cannot be undone.`
      : `The new ticket type is ${type}. Badges and add-ons stay; the former ${count === 1 ? 'seat goes' : 'seats go'} to the waitlist or on sale again.`,
  valid: (time: string) => `These amounts are valid for ${time}.`,
  expired: 'The amounts are no longer valid. Nothing has happened.',
  again: 'Ask again',
  other: 'Choose other seats',
  confirm: (count: number, refund: string | null, toPay: string | null, type: string | null) =>
    `${type === null ? 'Cancel' : 'Change'} ${seats(count)}${refund === null ? '' : `, ${refund} back`}${toPay === null ? '' : `, ${toPay} to pay`}`,
  awaiting:
    'The seats are held. Send the buyer this payment page: the change happens when it is paid.',
  close: 'Close',
  done: (count: number, type: string | null) =>
    type === null
      ? `${seats(count)} ${count === 1 ? 'is' : 'are'} cancelled`
      : `${seats(count)} ${count === 1 ? 'has' : 'have'} the ticket type ${type}`,
} as const;
