import { plural } from '../format/count.ts';

export const duplicateText = {
  action: 'Duplicate',
  title: (name: string) => `Duplicate ${name}`,
  description:
    'A new draft with the same tickets, prices, perks, questions and program. Nothing of it is on sale until you open it.',
  name: 'Name',
  copyOf: (name: string) => `${name} (copy)`,
  startsAt: 'Starts',
  startsAtHelp: 'All other dates keep their distance to it',
  noStart: 'The event has no start, so all dates of the copy are the same.',
  copied: 'Copied',
  parts: {
    tickets: (count: number) => plural(count, 'ticket type', 'ticket types'),
    addons: (count: number) => plural(count, 'add-on', 'add-ons'),
    bundles: (count: number) => plural(count, 'bundle', 'bundles'),
    perks: (count: number) => plural(count, 'perk', 'perks'),
    questions: (count: number) => plural(count, 'question', 'questions'),
    rooms: (count: number) => plural(count, 'room', 'rooms'),
    sessions: (count: number) => plural(count, 'session', 'sessions'),
    settings: 'limits, shared capacities, features and door rules',
    policy: 'the refund policy',
  },
  notCopied: 'Not copied',
  notCopiedText: 'people, orders, codes, speakers, exhibitors, devices, and what is archived',
  noPolicy: 'the refund policy, which only owners and finance may set',
  submit: 'Create the copy',
  proceed: 'Continue',
  progress: (done: number, all: number) => `${done} of ${all} steps are done`,
  stopped: (done: number, all: number) =>
    `The copy has stopped after ${done} of ${all} steps. It is a draft, and nothing of it is on sale. Continue where it stopped, or archive it.`,
  archive: 'Archive the unfinished copy',
  archived: 'The unfinished copy is archived',
  created: (name: string) => `${name} is created`,
} as const;
