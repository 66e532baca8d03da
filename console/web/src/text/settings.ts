import { plural } from '../format/count.ts';

export const settingsText = {
  title: 'Settings',
  name: 'Name',
  timezone: 'Time zone',
  currency: 'Currency',
  currencyHelp: 'It cannot change once the event has an order',
  startsAt: 'Starts',
  endsAt: 'Ends',
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

export const formPageText = {
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
