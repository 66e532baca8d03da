import type { WebhookDelivery, WebhookEndpoint } from '../../api/records.ts';

/** The status of an endpoint as people read it: an enabled one whose last attempt failed is failing. */
export const healthOf = ({
  status,
  failingSince,
}: Pick<WebhookEndpoint, 'status' | 'failingSince'>): string =>
  status === 'enabled' && failingSince !== null ? 'failing' : status;

/** Whether an attempt can be repeated: a ping has a button of its own. */
export const canRetry = ({ sequence }: Pick<WebhookDelivery, 'sequence'>): boolean =>
  sequence !== null;
