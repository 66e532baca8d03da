/** A name that is no ordinary word: `startsAt`, `items[0].quantity`. */
const fieldName = /\b[a-z]\w*(?:[A-Z]\w*|\[\d+\]|\.[a-z]\w*)+/g;

/**
 * The name of a field of the API as a person reads it: `registrationTypeId` is "registration type",
 * `items[0].unitAmount` is "items 1, unit amount".
 */
export const fieldWords = (path: string): string =>
  path
    .replace(/\[(\d+)\]/g, (_, index: string) => ` ${Number(index) + 1}`)
    .split('.')
    .map((part) =>
      part
        .replace(/(?<=[a-z])Ids?(?= |$)/g, '')
        .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
        .toLowerCase(),
    )
    .join(', ');

/**
 * Fields in words, each once: "name, email and start". `labels` are fields with words of their own.
 */
export function listFields(
  paths: readonly string[],
  labels: Readonly<Record<string, string>> = {},
): string {
  const words = [...new Set(paths.map((path) => labels[path] ?? fieldWords(path)))].filter(Boolean);
  const last = words.pop();
  return words.length === 0 ? (last ?? '') : `${words.join(', ')} and ${last}`;
}

/**
 * A text in which names of fields have the words of a person. `labels` are those of a form. What has
 * only points may be an address.
 */
export const withFieldWords = (
  text: string,
  labels: ReadonlyMap<string, string> = new Map(),
): string =>
  text.replace(
    fieldName,
    (name) => labels.get(name) ?? (/[A-Z[]/.test(name) ? fieldWords(name) : name),
  );
