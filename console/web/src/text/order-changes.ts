import { plural } from '../format/count.ts';

const seats = (count: number): string => plural(count, 'seat', 'seats');

/** Changes of an order by a quote. */
export const orderChangesText = {
  action: 'Cancel by the policy',
  title: (number: string) => `Cancel seats of ${number}`,
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
    band: (rule: number) => `by rule ${rule}`,
    too_late: 'after the last rule',
    settled: 'paid back before',
    no_bands: 'without a rule: you decide',
  },
  toPay: (amount: string) => `${amount} are to be paid in addition.`,
  sentAtOnce: 'The money is sent at once.',
  isDue: 'The money is due, and your team pays it back.',
  noMoney: 'No money moves.',
  consequence: (count: number) =>
    `${count === 1 ? 'The badge opens' : 'The badges open'} no door. The ${count === 1 ? 'seat goes' : 'seats go'} to the waitlist or on sale again. This cannot be undone.`,
  valid: (time: string) => `These amounts are valid for ${time}.`,
  expired: 'The amounts are no longer valid. Nothing has happened.',
  again: 'Ask again',
  other: 'Choose other seats',
  confirm: (count: number, refund: string | null) =>
    refund === null ? `Cancel ${seats(count)}` : `Cancel ${seats(count)}, ${refund} back`,
  done: (count: number) => `${seats(count)} ${count === 1 ? 'is' : 'are'} cancelled`,
} as const;
