export const commandsText = {
  title: 'All commands',
  description:
    'Every operator command, with a form that follows its schema. Pages exist for the most frequent ones.',
  search: 'Search commands',
  empty: 'No command fits this search',
  notFound: 'There is no such command, or your role does not permit it.',
  variant: 'Applies to',
  noFields: 'It needs no values.',
  run: (name: string) => `Run ${name}`,
  resultOf: (name: string) => `Result of ${name}`,
  done: (name: string) => `${name} is done`,
  addItem: (label: string) => `Add to ${label}`,
  removeItem: (label: string, number: number) => `Remove ${label} ${number}`,
  item: (label: string, number: number) => `${label} ${number}`,
  pick: (kinds: readonly string[]) =>
    `Find ${kinds.length === 0 ? 'a record' : kinds.map((kind) => kind.toLowerCase()).join(' or ')}, or enter its id`,
  choices: 'Matching records',
  json: 'JSON',
} as const;
