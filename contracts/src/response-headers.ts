import type { ErrorCode } from './errors.ts';
import { currentVersion } from './version.ts';

/** The headers of answers, as components of the document. */
export const headerComponents = {
  RequestId: text('Name it when you ask us about a request.', 'req_01k8zq4m3ne7rbj5t2xw9vd6ah'),
  ServiceVersion: text('The version that the request was served in.', currentVersion),
  RateLimitPolicy: text('How many requests a window allows.', '"default";q=120;w=60'),
  RateLimit: text('What is left, and the seconds until the window ends.', '"default";r=119;t=42'),
  RetryAfter: text('Seconds to wait before a repeat.', '1'),
  IdempotentReplayed: text('The answer is that of an earlier request with the same key.', 'true'),
  Location: text('The path of what was made.', '/v1/events/evt_01k8zq4m3ne7rbj5t2xw9vd6ah'),
};

function text(description: string, example: string) {
  return { description, schema: { type: 'string' as const, example } };
}

const ref = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` });

const always = { 'Request-Id': ref('RequestId'), 'Service-Version': ref('ServiceVersion') };

const counted = {
  ...always,
  'RateLimit-Policy': ref('RateLimitPolicy'),
  RateLimit: ref('RateLimit'),
};

/** What a success carries; `Location` where one thing was made. */
export const successHeaders = (hasLocation: boolean, mayBeReplayed: boolean) => ({
  ...counted,
  ...(mayBeReplayed && { 'Idempotent-Replayed': ref('IdempotentReplayed') }),
  ...(hasLocation && { Location: ref('Location') }),
});

// These are given before the key is known.
const uncounted: readonly ErrorCode[] = [401, 408, 417, 431];

export const errorHeaders = (code: ErrorCode) => ({
  ...(uncounted.includes(code) ? always : counted),
  ...((code === 409 || code === 429 || code === 503) && { 'Retry-After': ref('RetryAfter') }),
});
