// The public names of the package.
export {
  type ChangesOptions,
  changes,
  FeedDigestError,
  type FeedPosition,
  nextDigest,
} from './changes.ts';
export { createClient, type EventApiOptions } from './client.ts';
export { EventApiConnectionError, EventApiError } from './errors.ts';
export type { Client } from './generated/client/types.gen.ts';
export * from './generated/sdk.gen.ts';
export type * from './generated/types.gen.ts';
export { apiVersion } from './generated/version.gen.ts';
export { listAll } from './list-all.ts';
export type { RetryOptions } from './retrying-fetch.ts';
export {
  verifyWebhook,
  type WebhookPayload,
  type WebhookRequest,
  WebhookVerificationError,
} from './verify-webhook.ts';
