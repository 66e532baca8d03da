import type { Session, SessionUnit } from '../api/session.ts';
import { chooseUnit } from './last-unit-rules.ts';

const storageKey = 'unit';

export const rememberUnit = ({ id }: SessionUnit): void => localStorage.setItem(storageKey, id);

/** The unit of the operator that was open last in this browser, or the first one. */
export const lastUnitOf = ({ units }: Session): SessionUnit | null =>
  chooseUnit(units, localStorage.getItem(storageKey));
