import { formatCount, plural } from '../format/count.ts';

export const overviewText = {
  figures: {
    sold: 'Confirmed',
    held: 'Held',
    left: 'Left',
    revenue: 'Revenue',
    waitlist: 'Waitlist',
    checkedIn: 'Checked in',
  },
  figuresTitle: 'Figures',
  unlimited: 'Unlimited',
  seats: 'Seats per ticket type',
  seatParts: { confirmed: 'Confirmed', held: 'Held', free: 'Free' },
  noTickets: 'The event has no ticket types yet.',
  registrations: 'Registrations per day',
  revenue: 'Revenue per day',
  showRevenue: 'Show revenue',
  showRegistrations: 'Show registrations',
  period: 'Period',
  periods: { '7': 'Last 7 days', '30': 'Last 30 days', all: 'Since the sale began' },
  againstBefore: {
    '7': 'Compared with the 7 days before',
    '30': 'Compared with the 30 days before',
    all: undefined,
  },
  since: (day: string) => `Since ${day}`,
  daysBefore: (days: number) => `The ${days} days before`,
  todayAndYesterday: (today: string, yesterday: string) => `${today} today, ${yesterday} yesterday`,
  sums: {
    registrations: 'Registrations',
    grossAmount: 'Gross',
    refundedAmount: 'Refunded',
    netAmount: 'Net',
  },
  before: (value: string) => `${value} before`,
  percent: (percent: number) => `${percent > 0 ? '+' : ''}${percent} %`,
  sales: 'Sales per ticket type',
  noSales: 'Nothing was sold in this period.',
  addonsAndBundles: 'Add-ons, and what bundles cost on top',
  saleColumns: { ticket: 'Ticket', seats: 'Seats', refunded: 'Refunded', net: 'Net' },
  people: 'People',
  money: 'Money',
  moneyText: 'All orders of the event',
  moneyColumns: {
    currency: 'Currency',
    gross: 'Gross',
    refunded: 'Refunded',
    lost: 'Lost',
    net: 'Net',
    disputed: 'Disputed',
  },
  goal: 'Goal',
  ofGoal: (taken: number, goal: number) => `${formatCount(taken)} of ${formatCount(goal)}`,
  goalPercent: (taken: number, goal: number) =>
    goal === 0 ? 'seats' : `seats, ${Math.floor((100 * taken) / goal)} %`,
  noGoal: 'seats; a ticket type is unlimited',
  pace: {
    '7': 'At the pace of the last 7 days',
    '30': 'At the pace of the last 30 days',
    all: 'At the pace since the sale began',
  },
  soldOutOn: (pace: string, day: string) => `${pace}, all seats are gone on ${day}.`,
  byStart: (pace: string, seats: string) => `${pace}, ${seats} are taken when the event begins.`,
  isSoldOut: 'All seats are taken.',
  noForecast: 'Nobody has registered in this period, so there is no forecast.',
  attention: 'Needs attention',
  nothing: 'Nothing needs your attention.',
  attentionIncomplete: 'A part of the platform does not respond, so something may be missing here.',
  refundsDue: (count: number) => `${plural(count, 'refund is', 'refunds are')} due`,
  refundsFailed: (count: number) =>
    `The payment provider refused ${plural(count, 'refund', 'refunds')}: refund again or pay in another way`,
  pending: (count: number, more: boolean) =>
    `${plural(count, 'person waits', `people${more ? ' or more' : ''} wait`)} for an approval`,
  contested: (count: number) =>
    `${plural(count, 'badge was', 'badges were')} let in twice at one door`,
  webhooksFailing: (count: number) =>
    `${plural(count, 'webhook endpoint gets', 'webhook endpoints get')} no deliveries`,
  endsToday: (name: string) => `The sale of ${name} ends within 24 hours`,
  checklist: 'Before you publish',
  checklistText:
    'Buyers can see and order once the event is published and a ticket type is on sale.',
  checks: {
    dates: 'Set when the event starts',
    tickets: 'Add a ticket type',
    open: 'Put a ticket type on sale',
    form: 'Ask buyers what you need to know',
    policy: 'Write a refund policy',
  },
  optional: 'optional',
  isDone: 'done',
  isOpen: 'to do',
  publish: 'Publish the event',
  publishTitle: (name: string) => `Publish ${name}?`,
  publishText: (onSale: number | null) =>
    `Buyers can see the event with its program, tickets and add-ons. ${
      onSale === null
        ? 'What is on sale can be ordered at once'
        : onSale === 0
          ? 'No ticket type is on sale, so nothing can be ordered yet'
          : `${plural(onSale, 'ticket type is', 'ticket types are')} on sale, and can be ordered at once`
    }. This cannot be undone: a published event does not become a draft again.`,
  publishConfirm: (name: string) => `Publish ${name}`,
  published: 'The event is published',
} as const;
