/**
 * A name in what the browser stores for a page at this path. Several cells share one origin, and so
 * its storage, each with its own path (docs/cells.md): a device may be paired with a door of each. The
 * default cell has the plain names.
 */
export function nameAt(pathname: string, name: string): string {
  const [, cell] = /^\/cells\/([^/]+)\//.exec(pathname) ?? [];
  return cell === undefined ? name : `${cell} ${name}`;
}

/** A name of this page in a database or a lock. */
export const ownName = (name: string): string => nameAt(location.pathname, name);

/** What this page has stored under a name; null without it. */
export const readStored = (name: string): string | null => localStorage.getItem(ownName(name));

export const store = (name: string, value: string): void =>
  localStorage.setItem(ownName(name), value);

export const forget = (name: string): void => localStorage.removeItem(ownName(name));
