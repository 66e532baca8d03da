import type { IncomingHttpHeaders } from 'node:http';
import type { OperationConfig } from '@event-api/contracts/operation';
import { pickHeaders } from '@event-api/platform/http/pick-headers';
import { readAfterHeader } from '@event-api/platform/messaging/read-after/token';
import { Agent } from 'undici';
import { timeouts } from '../timeouts.ts';

/** Client headers that are forwarded to a service. All others are dropped. */
const requestHeaderAllowlist = [
  'accept',
  'content-type',
  'content-length',
  'idempotency-key',
] as const;

/** Response headers that are forwarded to an integrator. All others are dropped. */
const responseHeaderAllowlist = [
  'content-type',
  'location',
  'retry-after',
  'idempotent-replayed',
] as const;

/** Only for operations with an `ETag`. */
const etagRequestHeaders = ['if-none-match'];
const etagResponseHeaders = ['etag', 'cache-control'];

/**
 * Only for files. A badge contains names that others have typed, and its policy keeps a browser
 * from running anything in it.
 */
const fileResponseHeaders = ['content-disposition', 'content-security-policy', 'cache-control'];

/**
 * Returns the headers of a request to a service: the client's allowed ones, the caller token, the
 * request id, the trace and the read-after token.
 */
export function requestHeaders(
  client: IncomingHttpHeaders,
  own: {
    caller: string;
    requestId: string;
    traceparent: string | undefined;
    readAfter: string | undefined;
  },
  { hasEtag }: Pick<OperationConfig, 'hasEtag'>,
): Record<string, string> {
  return {
    ...pickHeaders(client, requestHeaderAllowlist),
    ...(hasEtag && pickHeaders(client, etagRequestHeaders)),
    'x-caller': own.caller,
    'x-request-id': own.requestId,
    ...(own.traceparent && { traceparent: own.traceparent }),
    ...(own.readAfter && { [readAfterHeader]: own.readAfter }),
  };
}

export const responseHeaders = (
  service: IncomingHttpHeaders,
  { hasEtag, files }: Pick<OperationConfig, 'hasEtag' | 'files'>,
): Record<string, string> => ({
  ...pickHeaders(service, responseHeaderAllowlist),
  ...(hasEtag && pickHeaders(service, etagResponseHeaders)),
  ...(files && pickHeaders(service, fileResponseHeaders)),
});

/**
 * Creates the connection pool to the services. A service must send headers, and each chunk of the
 * body, within `timeoutMs`.
 */
export const createUpstreamAgent = ({
  connections,
  timeoutMs,
}: {
  connections: number;
  timeoutMs: number;
}): Agent =>
  new Agent({
    connections,
    connect: { timeout: timeouts.connectMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: 16_384,
  });
