import type { HttpClient } from '@event-api/platform/testing/http-client';

/** The part of an OpenAPI document that lists the operations. */
export interface Document {
  paths: Record<string, Record<string, unknown>>;
}

/** Returns the operations of a document as `METHOD /path/{id}`. */
export const operationsOf = ({ paths }: Document): string[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );

/** Wraps a client. Records the operations of a document that responded successfully. */
export function recorded(
  call: HttpClient,
  document: Document,
): { call: HttpClient; called: Set<string> } {
  const called = new Set<string>();
  // Fixed segments before parameters: a literal path takes precedence where both match.
  const operations = operationsOf(document).toSorted((a, b) => weightOf(a) - weightOf(b));
  const patterns = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return {
    called,
    async call(method, path, options) {
      const response = await call(method, path, options);
      const requestLine = `${method} ${path.split('?')[0]}`;
      const found = patterns.find(({ pattern }) => pattern.test(requestLine));
      if (found && response.status < 300) called.add(found.operation);
      return response;
    },
  };
}

const weightOf = (operation: string): number => operation.split('{').length;
