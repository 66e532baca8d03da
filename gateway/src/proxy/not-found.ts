import type { Operation } from '@event-api/contracts/operation';
import { ApiError, notFound } from '@event-api/platform/core/errors';

type Route = Pick<Operation, 'url' | 'method'>;

/** Returns the error for a request without a route: 405 with the methods of its path, or 404. */
export function createNotFoundError(routes: readonly Route[]): (url: string) => ApiError {
  const allowedMethods = createAllowedMethods(routes);
  return (url) => {
    const allow = allowedMethods(url.split('?', 1)[0] ?? '');
    if (allow.length === 0) return notFound();
    return new ApiError(405, 'The path does not support this method', {
      headers: { allow: allow.join(', ') },
    });
  };
}

/** Returns the methods of a path, sorted, with HEAD for GET. An unknown path has none. */
function createAllowedMethods(operations: readonly Route[]): (path: string) => string[] {
  const methodsOf = new Map<string, Set<string>>();
  for (const { url, method } of operations) {
    const methods = methodsOf.get(url) ?? new Set();
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
    methodsOf.set(url, methods);
  }
  const routes = [...methodsOf].map(([url, methods]) => ({ segments: url.split('/'), methods }));
  return (path) => {
    const segments = path.split('/').map(decodeSegment);
    const route = routes.find((candidate) => matches(candidate.segments, segments));
    return [...(route?.methods ?? [])].sort();
  };
}

const matches = (pattern: string[], path: string[]): boolean =>
  pattern.length === path.length &&
  pattern.every((segment, i) => (segment.startsWith(':') ? path[i] !== '' : segment === path[i]));

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
