/**
 * Decides where the browser goes after a sign-in: to a path of the console, otherwise to its start
 * page. A browser reads `//host` and `/\host` as another host and removes tabs, line breaks and
 * `..` first, so the address is resolved as a browser does, and so is the result.
 */
export function decideReturnTo(text: string | undefined, consoleUrl: string): string {
  if (text === undefined || !text.startsWith('/')) return '/';
  const path = pathOf(text, consoleUrl);
  return path !== null && pathOf(path, consoleUrl) === path ? path : '/';
}

/** The path of an address on the console, with query and fragment; null for another host. */
function pathOf(text: string, consoleUrl: string): string | null {
  const url = URL.parse(text, consoleUrl);
  if (url === null || url.origin !== new URL(consoleUrl).origin) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}
