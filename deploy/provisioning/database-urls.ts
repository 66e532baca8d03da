/**
 * The address of each process's database, for one kind of role. Processes may have the same
 * address: they then share a database.
 */
export type DatabaseUrls<Name extends string = string> = Record<Name, string>;

/** One database for all. */
export const sharedDatabase = <Name extends string>(
  url: string,
  names: readonly Name[],
): DatabaseUrls<Name> => Object.fromEntries(names.map((name) => [name, url])) as DatabaseUrls<Name>;

/** The databases, each with those that use it, in the order of the names. */
export const databasesOf = <Name extends string>(
  urls: DatabaseUrls<Name>,
): { url: string; names: Name[] }[] => {
  const entries = Object.entries(urls) as [Name, string][];
  return [...Map.groupBy(entries, ([, url]) => url)].map(([url, users]) => ({
    url,
    names: users.map(([name]) => name),
  }));
};

export type DatabaseUrlsDecision<Name extends string> =
  | { outcome: 'complete'; urls: DatabaseUrls<Name> }
  /** `own` is no JSON object of addresses. */
  | { outcome: 'unreadable' }
  /** `own` has names that are not known. */
  | { outcome: 'unknown'; names: string[] }
  /** These have no address. */
  | { outcome: 'missing'; names: Name[] };

/**
 * Decides the addresses from two settings: `shared` is that of all, `own` is JSON with the addresses
 * of those that have a database of their own.
 */
export function decideDatabaseUrls<Name extends string>(
  { shared, own }: { shared: string | undefined; own: string | undefined },
  names: readonly Name[],
): DatabaseUrlsDecision<Name> {
  const parsed = parseAddresses(own || '{}');
  if (parsed === undefined) return { outcome: 'unreadable' };
  const unknown = Object.keys(parsed).filter(
    (name) => !(names as readonly string[]).includes(name),
  );
  if (unknown.length > 0) return { outcome: 'unknown', names: unknown };
  const missing = names.filter((name) => !(parsed[name] || shared));
  if (missing.length > 0) return { outcome: 'missing', names: missing };
  const entries = names.map((name) => [name, parsed[name] || shared]);
  return { outcome: 'complete', urls: Object.fromEntries(entries) };
}

function parseAddresses(text: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
    const isText = Object.values(value).every((each) => typeof each === 'string');
    return isText ? (value as Record<string, string>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The addresses of two settings, as `decideDatabaseUrls` decides. Errors: names the setting and what
 * is wrong with it; contains no address.
 */
export function readDatabaseUrls<Name extends string>(
  env: NodeJS.ProcessEnv,
  settings: { shared: string; own: string },
  names: readonly Name[],
): DatabaseUrls<Name> {
  const found = { shared: env[settings.shared], own: env[settings.own] };
  const decision = decideDatabaseUrls(found, names);
  switch (decision.outcome) {
    case 'complete':
      return decision.urls;
    case 'unreadable':
      throw new Error(`${settings.own} must be JSON: {"commerce": "postgres://…"}`);
    case 'unknown':
      throw new Error(`${settings.own} names no process: ${decision.names.join(', ')}`);
    case 'missing':
      throw new Error(
        decision.names.length === names.length
          ? `${settings.shared} is missing`
          : `${settings.shared} is missing, and ${settings.own} has no ${decision.names.join(', ')}`,
      );
  }
}
