import type { IncomingHttpHeaders } from 'node:http';
import type { OperationConfig } from '@event-api/contracts/operation';
import { notFound } from '@event-api/platform/core/errors';
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
 * Returns the headers of a request to a service: the client's allowed ones, the caller token, the request id, the trace
 * and the read-after token.
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
    ...pick(client, requestHeaderAllowlist),
    ...(hasEtag && pick(client, etagRequestHeaders)),
    'x-caller': own.caller,
    'x-request-id': own.requestId,
    ...(own.traceparent && { traceparent: own.traceparent }),
    ...(own.readAfter && { [readAfterHeader]: own.readAfter }),
  };
}

export const responseHeaders = (
  service: IncomingHttpHeaders,
  { hasEtag }: Pick<OperationConfig, 'hasEtag'>,
): Record<string, string> => ({
  ...pick(service, responseHeaderAllowlist),
  ...(hasEtag && pick(service, etagResponseHeaders)),
});

function pick(headers: IncomingHttpHeaders, allowed: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of allowed) {
    const value = headers[name];
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
}

/**
 * Creates the connection pool to the services. A service must send headers, and each chunk of the body, within
 * `timeoutMs`.
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

/**
 * Creates the function that builds the path of a request to a service from the route `url` and the encoded ids. The
 * client's original path is not forwarded, so tricks of encoding never reach a service. Errors: 404 for an id that a path
 * segment cannot carry unchanged.
 */
export function createServicePath(url: string): (params: Record<string, string>) => string {
  // Split at a group, so that text and names of parameters alternate.
  const parts = url.split(/:(\w+)/);
  return (params) =>
    parts.reduce(
      (path, part, i) => path + (i % 2 === 0 ? part : pathSegment(params[part] ?? '')),
      '',
    );
}

/** Most ids: they are safe and need no encoding. */
const plainId = /^\w+$/;

function pathSegment(id: string): string {
  if (plainId.test(id)) return id;
  if (!isSafePathSegment(id)) throw notFound();
  return encodeURIComponent(id);
}

// Some programs interpret dots and slashes in a path even when they are encoded.
const isSafePathSegment = (id: string): boolean =>
  id !== '' && id !== '.' && !/[/\\]|^\.\.|\.\.$/.test(id) && id.isWellFormed();
