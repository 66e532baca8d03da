/** The version of the page: the hash in the name of its script, which the build gives it. */
export const versionOf = (scriptUrl: string): string =>
  /-([\w-]{8})\.js$/.exec(scriptUrl)?.[1] ?? 'development';

export const pageVersion = versionOf(import.meta.url);
