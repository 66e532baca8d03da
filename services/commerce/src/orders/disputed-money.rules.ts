import type { DisputeStatus } from '@event-api/contracts/http/orders';

/** Whether the provider has taken the money of a dispute. During an inquiry it takes none. */
export const takesMoney = (status: DisputeStatus): boolean =>
  status === 'needs_response' || status === 'under_review' || status === 'lost';
