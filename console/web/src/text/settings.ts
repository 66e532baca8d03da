import { formatCount, plural } from '../format/count.ts';

export const settingsText = {
  title: 'Settings',
  name: 'Name',
  timezone: 'Time zone',
  currency: 'Currency',
  currencyHelp: 'It cannot change once the event has an order',
  startsAt: 'Starts',
  endsAt: 'Ends',
  admissionOpensAt: 'Doors admit from',
  admissionClosesAt: 'Doors admit until',
  admissionHelp: 'Leave it empty for no limit',
  groups: {
    event: { title: 'Event', text: 'How it is called, and the money of its tickets.' },
    dates: { title: 'Dates', text: 'When it takes place, in its own time zone.' },
    sale: {
      title: 'Sale',
      text: 'The seats that tickets share, what one buyer may take, and how long a free seat waits for the waitlist.',
    },
    doors: { title: 'Doors', text: 'When people are let in, and who is turned away.' },
    features: {
      title: 'Features',
      text: 'Words by which your shop and your app know what the event offers. The console does not use them.',
    },
  },
  maxHoldsPerEmail: 'Open orders per email',
  maxHoldsHelp: (standard: number) => `Empty means ${standard}, enough for a travel agency`,
  maxSeatsPerEmail: 'Seats per email',
  maxSeatsHelp: 'Of open orders and registrations together. Empty means no limit.',
  waitlistOfferMinutes: 'A free seat is offered for',
  waitlistOfferHelp: (hours: number) =>
    `Minutes in which a person of the waitlist can pay for it. Empty means ${hours} hours.`,
  refuseIfFormerInside: 'Turn away the new badge of a transferred ticket if the old one is inside',
  refuseIfFormerInsideHelp:
    'Otherwise the door says “already inside”, and the person at the door decides.',
  features: 'Features',
  featuresHelp: 'One per line, such as livestream',
  unreadable: 'This part of the platform does not respond. The other settings can be changed.',
  readOnly: 'The event is cancelled: its settings cannot change any more.',
  lifecycle: 'Publish and archive',
  lifecycleText: {
    draft: 'A draft: only your team sees it.',
    published: 'Published: buyers see it, and order what is on sale.',
    archived: 'Archived: nothing can be sold or changed any more.',
  },
  resetTitle: 'Clear the agenda?',
  resetText: (sessions: number) =>
    `The start is on another day. ${plural(sessions, 'session is', 'sessions are')} removed and must be scheduled again. Check-ins, rooms and speakers stay. This cannot be undone.`,
  resetConfirm: (sessions: number) => `Save and remove ${plural(sessions, 'session', 'sessions')}`,
  saved: 'The settings are saved',
  archive: 'Archive the event',
  archiveText:
    'Nothing can be sold or changed any more. Check-ins and refunds go on. This cannot be undone.',
  archiveTitle: (name: string) => `Archive ${name}?`,
  archiveConfirm: (name: string) => `Archive ${name}`,
  archived: 'The event is archived',
} as const;

/** The capacities that ticket types share. */
export const capacityGroupText = {
  title: 'Shared capacities',
  help: 'For tickets of one room: together they sell no more than its seats. Choose it in “Shared capacity” of each ticket.',
  group: (number: number) => `Shared capacity ${number}`,
  name: 'Name of the room',
  seats: 'Seats in the room',
  add: 'Add a shared capacity',
  remove: (number: number) => `Remove shared capacity ${number}`,
  taken: (taken: number, seats: number | null) =>
    seats === null
      ? `${formatCount(taken)} taken.`
      : `${formatCount(taken)} of ${formatCount(seats)} taken.`,
  types: (names: readonly string[]) =>
    names.length === 0
      ? 'No ticket uses it.'
      : `Used by ${names.join(', ')}. To remove it, choose another one for these tickets.`,
  tooSmall: 'More seats are taken than this. Nobody loses a seat, and none is sold until it fits.',
} as const;

export const formPageText = {
  readOnly: 'The event is archived: its form and its policy cannot change any more.',
  title: 'Form & policy',
  form: 'Questions to buyers',
  formText: 'Asked with every order. The answers are on the page of the person and of the order.',
  addQuestion: 'Add a question',
  question: (number: number) => `Question ${number}`,
  label: 'Question',
  type: 'Kind of answer',
  types: { text: 'Text', number: 'Number', boolean: 'Yes or no', choice: 'One of several' },
  options: 'Answers to choose from',
  optionsHelp: 'One per line',
  required: 'An answer is required',
  remove: (number: number) => `Remove question ${number}`,
  up: (number: number) => `Move question ${number} up`,
  down: (number: number) => `Move question ${number} down`,
  preview: 'As the buyer sees it',
  policyPreview: 'The policy as the buyer sees it',
  fixedQuestions: { email: 'Email', name: 'Name' },
  noQuestions: 'Buyers are asked for email and name only.',
  orphans:
    'If answers were given, they stay with the people and orders, but no longer fit the form:',
  orphansOfRemoved: (label: string) => `“${label}” is removed. Answers to it lose their label.`,
  orphansOfType: (label: string) => `“${label}” gets another kind of answer.`,
  orphansOfOptions: (label: string, options: string) => `“${label}” no longer offers: ${options}.`,
  savedForm: 'The form is saved',
  policy: 'Refund policy',
  policyText: 'Shown to buyers. Your team sees it beside every refund.',
  policyField: 'Text',
  until: 'Refunds are possible until',
  savedPolicy: 'The refund policy is saved',
  noPolicy: 'Nothing is promised about refunds.',
} as const;

/** A number that is still typed. */
const typed = (value: number | null): string =>
  value === null || Number.isNaN(value) ? '…' : String(value);

/** The bands of a refund policy. */
export const bandText = {
  title: 'Refunds of cancelled seats',
  none: 'Your team decides about each refund. Add a rule and the platform works out what is paid back.',
  help: 'The first rule that has not ended applies. Orders keep the rules they were placed with.',
  add: 'Add a rule',
  band: (number: number) => `Rule ${number}`,
  up: (number: number) => `Move rule ${number} up`,
  down: (number: number) => `Move rule ${number} down`,
  remove: (number: number) => `Remove rule ${number}`,
  end: 'Applies until',
  ends: { days: 'Days before the start', instant: 'A date and time' },
  days: 'Number of days',
  instant: 'Date and time',
  percent: 'Percent of the price',
  fee: 'Fixed fee',
  feeHelp: 'Kept of each seat',
  types: 'Only for these tickets',
  typesHelp: 'None chosen: for all tickets',
  automatic: 'Pay back at once',
  automaticHelp: 'Otherwise the refund is due, and your team pays it back.',
  preview: 'If you cancel',
  untilDays: (days: number | null) => {
    if (days === 0) return 'Until the start';
    return `Until ${typed(days)} ${days === 1 ? 'day' : 'days'} before the start`;
  },
  untilInstant: (instant: string) => `Until ${instant}`,
  unknown: '…',
  forTypes: (names: string) => `, for ${names}`,
  someTypes: 'certain tickets',
  part: (percent: number | null) => `${typed(percent)} %`,
  all: 'the whole price',
  nothing: 'nothing',
  minus: (fee: string) => `, minus ${fee}`,
  afterwards: 'Afterwards: nothing',
  isAutomatic: 'Paid back at once.',
  isDue: 'Paid back by the organizer.',
} as const;
