import type { Owner } from '@event-api/contracts/operation';
import { howAnswered, openSpan } from '../telemetry/trace-scope.ts';

/**
 * Asks another process of ours, as a piece of the trace of the work under way: it is told where it stands in that,
 * and the asking gets a span. `asked` says what may be told of the address. Errors: those of `fetch`.
 */
export async function fetchTraced(
  url: URL,
  {
    asked: { owner, template },
    method,
    headers,
    ...more
  }: RequestInit & {
    asked: { owner?: Owner; template: string };
    method: string;
    headers: Record<string, string>;
  },
): Promise<Response> {
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
    const response = await fetch(url, {
      ...more,
      method,
      headers: { ...headers, ...(traceparent && { traceparent }) },
    });
    span.end(howAnswered(response.status));
    return response;
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    span.end({ failed: true, attributes: { 'error.type': isLate ? 'timeout' : 'unreachable' } });
    throw error;
  }
}
