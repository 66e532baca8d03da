import { plural } from '../format/count.ts';

const withArticle = (kind: string): string =>
  `${/^[aeio]/i.test(kind) ? 'an' : 'a'} ${kind.toLowerCase()}`;

export const commandsText = {
  title: 'All commands',
  description:
    'Everything that you may do here, also what has no page of its own. Where there is a page, it is the easier way.',
  search: 'Search commands',
  group: 'Group',
  kind: 'What it does',
  kinds: { read: 'Only reads', change: 'Changes data' },
  count: (count: number) => plural(count, 'command', 'commands'),
  empty: 'No command fits this search',
  notFound: 'There is no such command, or your role does not permit it.',
  back: 'All commands',
  copyName: 'Copy the name of the command',
  usualPage: 'The easier way:',
  variant: 'Applies to',
  noFields: 'It needs no values.',
  values: 'Values',
  run: 'Run',
  done: (title: string) => `Done: ${title}`,
  request: 'Request',
  requestText: 'What is sent with these values. The command line sends the same.',
  copyRequest: 'Copy the values',
  copyCommandLine: 'Copy for the command line',
  response: 'Response',
  noResponse: 'Run the command to see the response here.',
  emptyResponse: 'It responds with no values.',
  nextPage: 'Read the next page',
  addItem: (label: string) => `Add to ${label}`,
  removeItem: (label: string, number: number) => `Remove ${label} ${number}`,
  item: (label: string, number: number) => `${label} ${number}`,
  pick: (kinds: readonly string[]) =>
    `Find ${kinds.length === 0 ? 'a record' : kinds.map(withArticle).join(' or ')}, or enter its id`,
  choices: 'Matching records',
  json: 'JSON',
} as const;
