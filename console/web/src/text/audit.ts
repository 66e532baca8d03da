export const auditText = {
  title: 'Audit log',
  description:
    'What people have changed or tried in this business unit, here and at the command line. API keys are not in it.',
  columns: {
    at: 'When',
    actor: 'Who',
    action: 'What',
    records: 'Records',
    fields: 'Fields',
    result: 'Result',
    request: 'Request',
  },
  actor: 'Person',
  action: 'Action',
  record: 'Find by the id of a record',
  period: { from: 'From', until: 'To' },
  commandLine: (user: string | null) => (user === null ? 'Command line' : `Command line: ${user}`),
  filterBy: (action: string) => `Show only: ${action}`,
  copyRecord: 'Copy the id',
  more: (count: number) => `and ${count} more`,
  empty: 'Nothing has been changed yet',
  emptyText: 'Each change by a person of the team appears here, and each attempt that was refused.',
  emptyFiltered: 'No entry fits these filters',
  incomplete: (parts: string) =>
    `Entries of this part are missing, because it cannot be reached: ${parts}`,
} as const;
