import { notFound } from '@event-api/platform/core/errors';

/**
 * Creates the function that builds the path of a request to a service from the route `url` and the decoded ids. The path of
 * the browser is not forwarded, so tricks of encoding never reach a service. Errors: 404 for an id that a path segment cannot
 * carry unchanged.
 */
export function createServicePath(url: string): (params: Record<string, string>) => string {
  // Split at a group, so that text and names of parameters alternate.
  const parts = url.split(/:(\w+)/);
  return (params) =>
    parts.map((part, i) => (i % 2 === 0 ? part : pathSegment(params[part] ?? ''))).join('');
}

function pathSegment(id: string): string {
  // Some programs interpret dots and slashes in a path even when they are encoded.
  const isSafe = id !== '' && !/[/\\]|^\.|\.\.$/.test(id) && id.isWellFormed();
  if (!isSafe) throw notFound();
  return encodeURIComponent(id);
}
