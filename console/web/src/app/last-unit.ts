import type { Session, SessionUnit } from '../api/session.ts';

const storageKey = 'unit';

export const rememberUnit = ({ id }: SessionUnit): void => localStorage.setItem(storageKey, id);

/** The unit of the operator that was open last in this browser, or the first one. */
export function lastUnitOf({ units }: Session): SessionUnit | null {
  const last = localStorage.getItem(storageKey);
  return units.find(({ id }) => id === last) ?? units[0] ?? null;
}
