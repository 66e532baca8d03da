import type { Session } from '../api/session.ts';

type Signed = Pick<Session, 'operator'> | null | undefined;

/** Whether a sign-in is that of another person than the one who has typed on the page. */
export const isOtherOperator = (before: Signed, now: Signed): boolean =>
  Boolean(before && now) && before?.operator.id !== now?.operator.id;
