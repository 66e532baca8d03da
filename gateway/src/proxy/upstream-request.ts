import type { IncomingHttpHeaders } from 'node:http';
import { readAfterHeader } from '@event-api/platform/messaging/read-after/token';

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
