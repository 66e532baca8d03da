/** The guides below their headings, in the order of the menu. Each is `docs/guides/<name>.md`. */
export const guideGroups = [
  { title: 'Start', names: ['quick-start'] },
  {
    title: 'Sell',
    names: [
      'checkout',
      'groups',
      'applications-and-waitlists',
      'codes-add-ons-and-bundles',
      'form-answers',
      'cancellations-and-changes',
      'payments',
      'tax',
    ],
  },
  { title: 'Run the event', names: ['doors', 'running-an-event'] },
  {
    title: 'Operate the integration',
    names: [
      'webhooks',
      'keeping-a-copy',
      'idempotency',
      'errors',
      'versions',
      'limits',
      'going-live',
    ],
  },
] as const;

export const guideNames = guideGroups.flatMap(({ names }) => [...names]);
