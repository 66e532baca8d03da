import type { IncomingHttpHeaders } from 'node:http';
import { notFound } from '@event-api/platform/core/errors';
import { readAfterHeader } from '@event-api/platform/messaging/read-after/token';
import { Agent } from 'undici';

/** What of a client's request a service may see. Anything else, known or not, stays outside. */
const requestHeaderAllowlist = [
  'accept',
  'content-type',
  'content-length',
  'idempotency-key',
] as const;

/** What of a service's answer an integrator may see. */
const responseHeaderAllowlist = [
  'content-type',
  'location',
  'retry-after',
  'idempotent-replayed',
] as const;

/** The headers that go to a service: the client's allowed ones and the gateway's own word on who asks. */
export function requestHeaders(
  client: IncomingHttpHeaders,
  own: {
    caller: string;
    requestId: string;
    traceparent: string | undefined;
    readAfter: string | undefined;
  },
): Record<string, string> {
  return {
    ...pick(client, requestHeaderAllowlist),
    'x-caller': own.caller,
    'x-request-id': own.requestId,
    ...(own.traceparent && { traceparent: own.traceparent }),
    ...(own.readAfter && { [readAfterHeader]: own.readAfter }),
  };
}

export const responseHeaders = (service: IncomingHttpHeaders): Record<string, string> =>
  pick(service, responseHeaderAllowlist);

function pick(headers: IncomingHttpHeaders, allowed: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of allowed) {
    const value = headers[name];
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
}

/** The connections to the services, none of which may keep a request waiting for longer than `timeoutMs`. */
export const createUpstreamAgent = (timeoutMs: number): Agent =>
  new Agent({
    connections: 64,
    connect: { timeout: 1000 },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: 16_384,
  });

/**
 * The path that a service is asked for: the route's own, with each id encoded anew. What the client
 * wrote is not passed on, so no trick of encoding reaches a service.
 * Errors: 404 for an id that a path segment cannot carry unchanged.
 */
export function servicePath(url: string, params: Record<string, string>): string {
  return url.replace(/:(\w+)/g, (_, name: string) => {
    const id = params[name] ?? '';
    if (!isCarriedByAUrl(id)) throw notFound();
    return encodeURIComponent(id);
  });
}

// Dots and slashes mean something in a path even when they are encoded, to one program or another.
const isCarriedByAUrl = (id: string): boolean =>
  id !== '' && id !== '.' && !/[/\\]|^\.\.|\.\.$/.test(id) && id.isWellFormed();
