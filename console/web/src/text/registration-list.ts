import { formatCount, plural } from '../format/count.ts';
import { statusText } from './status.ts';

const people = (count: number) => plural(count, 'person', 'people');
const has = (count: number, one: string, many: string) => (count === 1 ? one : many);

/** "2 of 32 are already confirmed and stay." */
const staying = (count: number, total: number, why: string) =>
  `${formatCount(count)} of ${formatCount(total)} ${has(count, 'is', 'are')} ${why} and ${has(count, 'stays', 'stay')}.`;

/** Words of the list of registrations: its filters, its order and what it does to many people. */
export const registrationListText = {
  all: 'All',
  counts: 'People by status',
  answers: 'Answers',
  noAnswer: (question: string) => `${question}: no answer`,
  anyAnswer: (question: string) => `${question}: any answer`,
  answer: (question: string, answer: string) => `${question}: ${answer}`,
  complimentary: 'Complimentary',
  complimentaryHint: 'A ticket with a price, without an order and a payment',
  sort: 'Sort',
  newest: 'Newest first',
  orders: {
    oldest: 'Oldest first',
    name: 'Name A–Z',
    'name-desc': 'Name Z–A',
    status: 'Status',
    'status-desc': 'Status, reversed',
  },
  views: {
    title: 'Views',
    none: 'Set filters, columns of answers or an order, then save them here under a name.',
    name: 'Name of this view',
    save: 'Save view',
    remove: (name: string) => `Remove the view ${name}`,
    kept: 'Views are kept in this browser. The address of a view can be sent to others.',
  },
  select: {
    all: (count: number) => `Select all ${formatCount(count)}`,
    first: (limit: number, count: number | undefined) =>
      `Select the first ${formatCount(limit)}${count === undefined ? '' : ` of ${formatCount(count)}`}`,
    limited: (limit: number) => `At most ${formatCount(limit)} at once`,
  },
  bulk: {
    bar: {
      approve: (count: number) => `Approve ${people(count)}`,
      confirm: (count: number) => `Confirm ${people(count)}`,
      reject: (count: number) => `Reject ${people(count)}`,
      cancel: (count: number) => `Cancel ${people(count)}`,
      changeTicket: (count: number) => `Change the ticket of ${people(count)}`,
    },
    print: (count: number) => plural(count, 'badge', 'badges'),
    export: (count: number) => `Export ${formatCount(count)}`,
    title: {
      approve: (count: number) => `Approve ${people(count)}?`,
      confirm: (count: number) => `Confirm ${people(count)} from the waitlist?`,
      reject: (count: number) => `Reject ${people(count)}?`,
      cancel: (count: number) => `Cancel ${people(count)}?`,
      changeTicket: (count: number) => `Change the ticket of ${people(count)}`,
    },
    follows: {
      approve: (count: number) =>
        `${people(count)} ${has(count, 'is', 'are')} confirmed and ${has(count, 'gets', 'get')} a badge. When a ticket is full, its people go to the waitlist, or stay pending if it has none. An approval cannot be undone, only cancelled.`,
      confirm: (count: number) =>
        `${people(count)} ${has(count, 'gets', 'get')} a seat without a payment, ahead of others on the waitlist, while seats are left.`,
      reject: (count: number) =>
        `${people(count)} ${has(count, 'gets', 'get')} no seat. This cannot be undone.`,
      cancel: (count: number) =>
        `${people(count)} ${has(count, 'loses', 'lose')} their ${has(count, 'seat, and the badge stops', 'seats, and the badges stop')} working. Free seats go to the waitlist. No money is moved. This cannot be undone.`,
      changeTicket: (count: number) =>
        `${people(count)} ${has(count, 'keeps the badge and the status', 'keep their badges and statuses')} and ${has(count, 'gets', 'get')} another ticket. It must not cost more than what was paid. No money is moved.`,
    },
    offers: (count: number) =>
      `${people(count)} of them ${has(count, 'has', 'have')} a ticket with a price: a seat is offered, and an order pays for it.`,
    ordered: (count: number) =>
      `${people(count)} of them came with an order. Refund it on the page of the order.`,
    stays: {
      status: (count: number, total: number, status: keyof typeof statusText.registration) =>
        staying(
          count,
          total,
          status === 'pending' || status === 'waitlisted'
            ? statusText.registration[status].toLowerCase()
            : `already ${statusText.registration[status].toLowerCase()}`,
        ),
      ticket: (count: number, total: number) => staying(count, total, 'already on this ticket'),
    },
    newTicket: 'New ticket',
    result: 'Result for each person',
    progress: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)} done`,
    stop: 'Stop',
    failed: (count: number) => `${people(count)} could not be changed`,
    undone: 'Undo the change of tickets',
    printFailed: 'The badges could not be drawn. No file was saved.',
  },
  add: {
    button: 'Add person',
    title: 'Add a person',
    email: 'Email',
    name: 'Name',
    ticket: 'Ticket',
    priced: (name: string, price: string) => `${name} – ${price}, complimentary`,
    ticketHelp:
      'No payment is taken. A ticket with a price becomes complimentary; to sell it, place an order.',
    noTickets: 'No ticket is on sale. Put one on sale first.',
    walkIn: 'Walk-in: check in now',
    walkInHelp: 'Takes a seat without approval and ahead of the waitlist, if one is left.',
    door: 'Door',
    submit: 'Add',
    done: {
      confirmed: (name: string) => `${name} is confirmed`,
      complimentary: (name: string) => `${name} is confirmed, free of charge`,
      pending: (name: string) => `${name} waits for an approval`,
      waitlisted: (name: string) => `${name} is on the waitlist`,
      rejected: (name: string) => `${name} was rejected`,
      cancelled: (name: string) => `${name} is cancelled`,
      checkedIn: (name: string, door: string) => `${name} is registered and checked in: ${door}`,
      already: (name: string) => `${name} was registered before. Nothing was changed.`,
    },
    badge: 'Print badge',
    open: 'Open the person',
    another: 'Add another',
  },
} as const;
