import type { ErrorCode } from '../errors.ts';
import { currentVersion } from '../version.ts';

/** The headers of responses, as components of the document. */
export const headerComponents = {
  RequestId: text('Quote it when you report a problem.', 'req_01k8zq4m3ne7rbj5t2xw9vd6ah'),
  ServiceVersion: text('The version that served the request.', currentVersion),
  RateLimitPolicy: text('The requests that a window allows.', '"default";q=120;w=60'),
  RateLimit: text('What is left, and the seconds until the window ends.', '"default";r=119;t=42'),
  XRateLimitLimit: text('The requests that a window allows, as a number.', '120'),
  XRateLimitRemaining: text('The requests that are left in this window.', '119'),
  XRateLimitReset: text('When the window ends, in seconds since 1970.', '1810000000'),
  RetryAfter: text('Seconds to wait before a retry.', '1'),
  IdempotentReplayed: text('The response is that of an earlier request with the same key.', 'true'),
  WwwAuthenticate: text('The authentication scheme of the API.', 'Bearer'),
  Allow: text('The methods that the path has.', 'GET, HEAD, POST'),
  Location: text('The path of the created record.', '/v1/events/evt_01k8zq4m3ne7rbj5t2xw9vd6ah'),
  ETag: text('Names the content. Send it as `If-None-Match`.', '"nO7Xkyf0Q2mJb8vT1rLw3A"'),
  ContentDisposition: text('The name of the file.', 'inline; filename="badge.pdf"'),
  LocationOfOne: text(
    'The path of the created record. It is sent only if the request creates exactly one record.',
    '/v1/events/evt_01k8zq4m3ne7rbj5t2xw9vd6ah/redemption-codes/code_01k8zq4m3ne7rbj5t2xw9vd6ah',
  ),
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
  'X-RateLimit-Limit': ref('XRateLimitLimit'),
  'X-RateLimit-Remaining': ref('XRateLimitRemaining'),
  'X-RateLimit-Reset': ref('XRateLimitReset'),
};

/** When a success has `Location`: never, always, or only if it created exactly one record. */
export type LocationPresence = 'never' | 'always' | 'of_one';

/** The headers of a success. */
export const successHeaders = ({
  location = 'never',
  mayBeReplayed = false,
  hasEtag = false,
  isFile = false,
}: {
  location?: LocationPresence;
  mayBeReplayed?: boolean;
  hasEtag?: boolean;
  isFile?: boolean;
}) => ({
  ...counted,
  ...(hasEtag && { ETag: ref('ETag') }),
  ...(isFile && { 'Content-Disposition': ref('ContentDisposition') }),
  ...(mayBeReplayed && { 'Idempotent-Replayed': ref('IdempotentReplayed') }),
  ...(location === 'always' && { Location: ref('Location') }),
  ...(location === 'of_one' && { Location: ref('LocationOfOne') }),
});

// These are sent before the key is verified.
const uncounted: readonly ErrorCode[] = [401, 408, 417, 431];

export const errorHeaders = (code: ErrorCode) => ({
  ...(uncounted.includes(code) ? always : counted),
  ...(code === 401 && { 'WWW-Authenticate': ref('WwwAuthenticate') }),
  ...(code === 405 && { Allow: ref('Allow') }),
  ...((code === 409 || code === 429 || code === 503) && { 'Retry-After': ref('RetryAfter') }),
});
