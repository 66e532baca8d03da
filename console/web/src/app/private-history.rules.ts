/** The text of a search in a query. */
const name = 'q';

/** An address without the text of a search, which may be a name or an email. */
export const publicHref = (href: string): string => replaceText(href, null);

/** An address with the text of a search. */
export const privateHref = (href: string, text: string | undefined): string =>
  text === undefined ? href : replaceText(href, text);

/** The text of a search in an address. */
export const textOf = (href: string): string | undefined =>
  new URLSearchParams(partsOf(href).query).get(name) ?? undefined;

/** The query of an address, with its question mark. */
export function queryOf(href: string): string {
  const { query } = partsOf(href);
  return query && `?${query}`;
}

function replaceText(href: string, text: string | null): string {
  const { path, query, hash } = partsOf(href);
  const values = new URLSearchParams(query);
  if (text === null && !values.has(name)) return href;
  values.delete(name);
  const all = text === null ? [...values] : [[name, text], ...values];
  const search = new URLSearchParams(all as [string, string][]).toString();
  return `${path}${search && `?${search}`}${hash}`;
}

function partsOf(href: string): { path: string; query: string; hash: string } {
  const [, path = '', query = '', hash = ''] = /^([^?#]*)\??([^#]*)(#.*)?$/.exec(href) ?? [];
  return { path, query, hash };
}
