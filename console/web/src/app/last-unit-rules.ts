/**
 * The unit with the id `lastId`, or the first one: the operator may have left the unit that was
 * open last. Null without units.
 */
export const chooseUnit = <Unit extends { id: string }>(
  units: readonly Unit[],
  lastId: string | null,
): Unit | null => units.find(({ id }) => id === lastId) ?? units[0] ?? null;
