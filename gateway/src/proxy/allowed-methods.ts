import type { Operation } from '@event-api/contracts/operation';

/** Answers the methods of a path, sorted, HEAD with GET; none for an unknown path. */
export function createAllowedMethods(operations: readonly Operation[]): (path: string) => string[] {
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
