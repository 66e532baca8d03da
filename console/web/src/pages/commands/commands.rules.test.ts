import { expect, test } from 'vitest';
import type { Command } from '../../api/api.commands.ts';
import {
  commandLine,
  groupFound,
  permittedTo,
  splitSummary,
  usualPageOf,
} from './commands.rules.ts';
import { labelOf } from './labels.ts';

const command = (operationId: string, tag: string, rest: Partial<Command> = {}): Command => ({
  operationId,
  summary: `Does ${operationId}`,
  tag,
  isRead: false,
  permission: ['design'],
  variants: [],
  ...rest,
});

const commands = [
  command('perk.grant', 'Perks', { summary: 'Grant a perk to one registration' }),
  command('registration.search', 'Registrations', { isRead: true, permission: ['people.read'] }),
  command('perk.list', 'Perks', { isRead: true, description: 'With what delivers them.' }),
];

test.each([
  [{ query: '' }, { Perks: ['perk.grant', 'perk.list'], Registrations: ['registration.search'] }],
  [{ query: 'GRANT  registration' }, { Perks: ['perk.grant'] }],
  [{ query: 'delivers' }, { Perks: ['perk.list'] }],
  [{ query: 'perk', kind: 'read' as const }, { Perks: ['perk.list'] }],
  [{ query: '', kind: 'change' as const }, { Perks: ['perk.grant'] }],
  [{ query: '', group: 'Registrations' }, { Registrations: ['registration.search'] }],
  [{ query: 'nothing' }, {}],
])('groupFound narrows the commands to %j', (filter, found) => {
  const names = [...groupFound(commands, filter)].map(([tag, list]) => [
    tag,
    list.map(({ operationId }) => operationId),
  ]);
  expect(Object.fromEntries(names)).toEqual(found);
});

test('permittedTo leaves out what no permission allows', () => {
  const found = permittedTo(['people.read'], commands);
  expect(found.map(({ operationId }) => operationId)).toEqual(['registration.search']);
});

test.each([
  ['List the codes, newest first', 'List the codes, newest first', ''],
  [
    'Remove a member; its next request is rejected',
    'Remove a member',
    'Its next request is rejected',
  ],
  ['Create a perk: something delivered', 'Create a perk', 'Something delivered'],
])('splitSummary divides %j', (summary, title, note) => {
  expect(splitSummary(summary)).toEqual({ title, note });
});

test.each([
  ['Perks', true, { of: 'event', name: 'perks' }],
  ['Members', true, { of: 'unit', name: 'team' }],
  ['Members', false, null],
  ['Projections', false, { of: 'platform', name: 'system' }],
  ['Projections', true, null],
  ['Unknown', true, null],
])('usualPageOf %s in a unit (%s) is %j', (tag, isInUnit, page) => {
  expect(usualPageOf(tag, isInUnit)).toEqual(page);
});

test('commandLine quotes the input for a shell', () => {
  expect(commandLine('perk.create', { name: "Ada's" })).toBe(
    `npm run -s admin -- perk.create '{"name":"Ada'\\''s"}'`,
  );
});

test.each([
  ['registrationTypeId', 'Registration type'],
  ['perkIds', 'Perks'],
  ['ticket_type', 'Ticket type'],
  ['id', 'ID'],
  ['paymentUrl', 'Payment URL'],
  ['startsAt', 'Starts at'],
])('labelOf %s is %s', (name, label) => {
  expect(labelOf(name)).toBe(label);
});
