/** The part of an OpenAPI document that lists the operations. */
export interface Document {
  paths: Record<string, Record<string, unknown>>;
}

/** Returns the operations of a document as `METHOD /path/{id}`. */
export const operationsOf = ({ paths }: Document): string[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );

/** A `fetch` that records the operations of a document that responded successfully. */
export function recordingFetch(document: Document): { fetch: typeof fetch; called: Set<string> } {
  const called = new Set<string>();
  // Fixed segments before parameters: a literal path takes precedence where both match.
  const operations = operationsOf(document).toSorted((a, b) => weightOf(a) - weightOf(b));
  const patterns = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return {
    called,
    async fetch(input, init) {
      const request = new Request(input, init);
      const requestLine = `${request.method} ${new URL(request.url).pathname}`;
      const response = await fetch(request);
      const found = patterns.find(({ pattern }) => pattern.test(requestLine));
      if (found && response.ok) called.add(found.operation);
      return response;
    },
  };
}

const weightOf = (operation: string): number => operation.split('{').length;
