import type { HttpClient } from '@event-api/platform/testing/http-client';

/** As much of an OpenAPI document as says what can be called. */
export interface Document {
  paths: Record<string, Record<string, unknown>>;
}

/** The operations of a document, as `METHOD /path/{id}`. */
export const operationsOf = ({ paths }: Document): string[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );

/** A client that keeps which operations of a document have answered it with what it had asked for. */
export function recorded(
  call: HttpClient,
  document: Document,
): { call: HttpClient; called: Set<string> } {
  const called = new Set<string>();
  // Words before ids: a path that is written out is meant where both would fit.
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
