/** The guides, in the order of the table of contents. Each is `docs/guides/<name>.md`. */
export const guideNames = [
  'quick-start',
  'checkout',
  'doors',
  'webhooks',
  'keeping-a-copy',
  'idempotency',
  'errors',
  'versions',
  'limits',
  'going-live',
  'running-an-event',
] as const;
