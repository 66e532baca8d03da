import { isDeepStrictEqual } from 'node:util';

/**
 * The fields of a patch that differ from the record. `null` clears a field; `undefined` means that
 * it was not sent. Fields that the record does not have are left out.
 */
export const changedFields = <Record extends object, Patch extends object>(
  record: Record,
  patch: Patch,
): { [Key in keyof Patch]?: Exclude<Patch[Key], undefined> } =>
  Object.fromEntries(
    Object.entries(patch).filter(
      ([key, value]) =>
        key in record &&
        value !== undefined &&
        !isDeepStrictEqual(value, record[key as keyof Record]),
    ),
  ) as never;

/** The ids without repetitions, in the order of the request. */
export function unique(ids: readonly string[]): string[];
export function unique(ids: readonly string[] | undefined): string[] | undefined;
export function unique(ids: readonly string[] | undefined): string[] | undefined {
  return ids && [...new Set(ids)];
}
