/** The fields of a patch that a request contains. `null` clears a field; `undefined` means that it was not sent. */
export const definedFields = <Patch extends object>(
  patch: Patch,
): { [Key in keyof Patch]: Exclude<Patch[Key], undefined> } =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as never;

/** The ids without repetitions, in the order of the request. */
export const unique = <Ids extends readonly string[] | undefined>(ids: Ids): Ids =>
  (ids && [...new Set(ids)]) as unknown as Ids;
