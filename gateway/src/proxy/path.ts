import { notFound } from '@event-api/platform/core/errors';

/**
 * The path that a service is asked for: the route's own, with each id encoded anew. What the client
 * wrote is not passed on, so no trick of encoding reaches a service.
 * Errors: 404 for an id that a path segment cannot carry unchanged.
 */
export function servicePath(url: string, params: Record<string, string>): string {
  return url.replace(/:(\w+)/g, (_, name: string) => {
    const id = params[name] ?? '';
    if (!isCarriedByAUrl(id)) throw notFound();
    return encodeURIComponent(id);
  });
}

// Dots and slashes mean something in a path even when they are encoded, to one program or another.
const isCarriedByAUrl = (id: string): boolean =>
  id !== '' && id !== '.' && !/[/\\]|^\.\.|\.\.$/.test(id) && id.isWellFormed();
