export const detailText = {
  missing: 'Not found',
  missingText:
    'Nothing has this address. The id may be mistyped, or it belongs to another event or business unit.',
  timeline: 'Timeline',
  noHistory: 'Nothing has happened yet.',
  copyRequestId: 'Copy the request id',
  facts: 'Details',
  copyId: 'Copy the id',
  showPeople: (count: number) => `Show all ${count} people`,
} as const;
