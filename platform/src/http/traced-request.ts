import type { Owner } from '@event-api/contracts/operation';
import { type Dispatcher, request } from 'undici';
import { openSpan, responseAttributes } from '../telemetry/trace-scope.ts';

/**
 * Asks another process of ours, as a piece of the trace of the work under way: it is told where it stands in that,
 * and the asking gets a span. `asked` says what may be told of the address. No redirect is followed.
 * undici's own `request` costs half of what `fetch` does, and every order would pay that several times.
 * Errors: those of undici; a body has to be read or dumped.
 */
export async function tracedRequest(
  url: URL,
  {
    target: { owner, template },
    method,
    headers,
    ...more
  }: {
    target: { owner?: Owner; template: string };
    method: 'GET' | 'POST';
    headers: Record<string, string>;
    body?: string;
    signal: AbortSignal;
  },
): Promise<Dispatcher.ResponseData> {
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
    const response = await request(url, {
      ...more,
      method,
      headers: { ...headers, ...(traceparent && { traceparent }) },
    });
    span.end(responseAttributes(response.statusCode));
    return response;
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    span.end({ failed: true, attributes: { 'error.type': isTimeout ? 'timeout' : 'unreachable' } });
    throw error;
  }
}
