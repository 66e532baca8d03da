import type { Owner } from '@event-api/contracts/operation';
import { Agent } from 'undici';
import { openSpan, responseAttributes } from '../telemetry/trace-scope.ts';
import { type ReceivedResponse, type ReceiveLimits, receiveResponse } from './receive-response.ts';

/** The connections of this process to other processes of the platform. */
const connections = new Agent();

/**
 * Sends a request to another process of the platform, with a span of its own and the trace in its
 * headers, and receives the whole response. `target` describes the address without personal data.
 * Redirects are not followed.
 * Errors: those of `receiveResponse`.
 */
export async function tracedRequest(
  url: URL,
  {
    target: { owner, template },
    method,
    headers,
    body,
    ...limits
  }: {
    target: { owner?: Owner; template: string };
    method: 'GET' | 'PATCH' | 'POST' | 'PUT';
    headers: Record<string, string>;
    body?: string | Buffer;
  } & ReceiveLimits,
): Promise<ReceivedResponse> {
  const span = openSpan({
    name: `${method} ${template}`,
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'url.template': template,
      ...(owner && { 'service.peer.name': owner }),
    },
  });
  const { traceparent } = span;
  try {
    const request = {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { ...headers, ...(traceparent && { traceparent }) },
      ...(body !== undefined && { body }),
    };
    const response = await receiveResponse(connections, request, limits);
    span.received(response.headers);
    span.end(responseAttributes(response.statusCode));
    return response;
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    span.end({ failed: true, attributes: { 'error.type': isTimeout ? 'timeout' : 'unreachable' } });
    throw error;
  }
}
