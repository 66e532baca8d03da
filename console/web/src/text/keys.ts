import type { KeyGroup } from '@event-api/contracts/permissions';
import { plural } from '../format/count.ts';

export const keysText = {
  title: 'API keys',
  description:
    'Secrets with which your software calls the API. A key sees only the records of this business unit.',
  create: 'New key',
  createRestricted: 'Create the restricted key',
  createUnrestricted: 'Create an unrestricted key',
  name: 'Name',
  nameHelp: 'What uses the key, such as “Box office”',
  expiresAt: 'Expires',
  expiresHelp: 'Without a time, it is valid until it is revoked',
  columns: {
    name: 'Name',
    prefix: 'Begins with',
    status: 'Status',
    permits: 'Permits',
    limit: 'Requests per minute',
    expires: 'Expires',
    created: 'Created',
    actions: '',
  },
  unrestricted: 'Everything',
  eventCount: (count: number) => plural(count, 'event', 'events'),
  groupsLabel: 'Permit only',
  permitEverything: 'Permit everything in this business unit',
  permitEverythingHelp: 'Only for software that you trust with people, money and settings',
  isUnrestricted: 'This key is not restricted. Who has it can do everything in this business unit.',
  editTitle: (name: string) => `Edit ${name}`,
  editText: 'The secret stays the same. A change counts within a second.',
  staysUnrestricted:
    'This key permits everything. To restrict it, create a restricted key for the program and revoke this one.',
  saved: (name: string) => `${name} is saved`,
  /** Without a number of events, it is for all. */
  isRestricted: (groups: readonly string[], events: number | null) =>
    groups.length === 0
      ? 'This key permits nothing yet. Choose what it is for.'
      : `This key is restricted. It permits only: ${groups.join(', ')}. It is for ${events === null ? 'all events' : `${plural(events, 'event', 'events')} only`}.`,
  groups: {
    read: { label: 'Read', help: 'Events, people, orders, codes and changes' },
    sell: { label: 'Sell', help: 'Place, confirm and cancel orders; register people' },
    manage: { label: 'Manage', help: 'Change events, tickets, codes, people and webhooks' },
    doors: { label: 'Doors', help: 'Check people in' },
  } satisfies Record<KeyGroup, { label: string; help: string }>,
  eventsLabel: 'Only for these events',
  eventsHelp: 'Up to 20. Without a choice it is for all events, also later ones.',
  defaultLimit: 'Default',
  empty: 'No API keys yet',
  emptyText: 'Create one for each program that calls the API, so that you can revoke it alone.',
  secretTitle: 'Copy the secret now',
  secretText: 'It is not shown again. Who has it can do everything the key permits.',
  copySecret: 'Copy the secret',
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeText:
    'Requests with this key are rejected within a second, everywhere. This cannot be undone.',
  revokedAt: 'Revoked',
  firstRequest: 'Make a request',
  firstRequestText: 'A program sends its key with every request.',
  copyCommand: 'Copy the command',
  permits: 'What a key can permit',
  permitsText: 'A restricted key permits some of these, for some or all events.',
  revokeConfirm: (name: string) => `Revoke ${name}`,
  revoked: (name: string, at: string) => `${name} is revoked since ${at}`,
} as const;
