export const detailText = {
  timeline: 'Timeline',
  noHistory: 'Nothing has happened yet.',
  copyRequestId: 'Copy the request id',
  facts: 'Details',
  copyId: 'Copy the id',
  showPeople: (count: number) => `Show all ${count} people`,
} as const;
