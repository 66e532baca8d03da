/** The statuses of all records in words. */
export const statusText = {
  event: { draft: 'Draft', published: 'Published', archived: 'Archived', cancelled: 'Cancelled' },
  sale: {
    draft: 'Draft',
    open: 'On sale',
    scheduled: 'Scheduled',
    sold_out: 'Sold out',
    ended: 'Ended',
    closed: 'Closed',
    archived: 'Archived',
  },
  registration: {
    pending: 'Pending',
    confirmed: 'Confirmed',
    waitlisted: 'Waitlisted',
    rejected: 'Rejected',
    cancelled: 'Cancelled',
  },
  order: {
    held: 'Held',
    awaiting_payment: 'Awaiting payment',
    paid: 'Paid',
    partly_refunded: 'Partly refunded',
    cancelled: 'Cancelled',
    expired: 'Expired',
    refund_due: 'Refund due',
    refunded: 'Refunded',
  },
  refund: {
    due: 'Due',
    pending: 'On its way',
    done: 'Paid back',
    failed: 'Failed',
    withdrawn: 'Withdrawn',
  },
  payment: {
    open: 'Open',
    declined: 'Declined',
    expired: 'Expired',
    succeeded: 'Paid',
    mismatch: 'Another amount',
  },
  code: { active: 'Active', disabled: 'Disabled', expired: 'Expired', used: 'Used up' },
  key: { active: 'Active', expired: 'Expired', revoked: 'Revoked' },
  device: {
    waiting: 'Waiting for a scanner',
    paired: 'Paired',
    expired: 'Expired',
    revoked: 'Revoked',
  },
  endpoint: {
    pending: 'Waiting for ping',
    enabled: 'Enabled',
    disabled: 'Disabled',
    failing: 'Failing',
  },
  delivery: { delivered: 'Delivered', retrying: 'Retrying', failed: 'Given up' },
  exhibitor: { pending: 'Pending', confirmed: 'Confirmed', declined: 'Declined' },
  audit: { done: 'Done', unchanged: 'Already so', refused: 'Refused', started: 'Started' },
  invitation: { open: 'Open', accepted: 'Accepted', revoked: 'Revoked', expired: 'Expired' },
} as const;

export type StatusKind = keyof typeof statusText;
