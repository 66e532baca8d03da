import { notFound } from '../core/errors.ts';

/**
 * Creates the function that builds the path of a request to a service from the route `url` and the
 * decoded ids. The client's original path is not forwarded, so tricks of encoding never reach a
 * service. Errors: 404 for an id that a path segment cannot carry unchanged.
 */
export function createServicePath(url: string): (params: Record<string, string>) => string {
  // Split at a group, so that text and names of parameters alternate.
  const parts = url.split(/:(\w+)/);
  return (params) =>
    parts.reduce(
      (path, part, i) => path + (i % 2 === 0 ? part : pathSegment(params[part] ?? '')),
      '',
    );
}

/** Most ids: they are safe and need no encoding. */
const plainId = /^\w+$/;

function pathSegment(id: string): string {
  if (plainId.test(id)) return id;
  if (!isSafePathSegment(id)) throw notFound();
  return encodeURIComponent(id);
}

// Some programs interpret dots and slashes in a path even when they are encoded.
const isSafePathSegment = (id: string): boolean =>
  id !== '' && id !== '.' && !/[/\\]|^\.\.|\.\.$/.test(id) && id.isWellFormed();
