import type { CheckinDecider } from '@event-api/contracts/operator/checkins';

/** Whether a projection comes from the database that its owner has now. */
export type Confirmation = 'confirmed' | 'unconfirmed' | 'different';

/** What a check-in finds out about its projections before it is decided. */
export interface TrustFacts {
  /** Whether the projections contain what the business unit has written before. */
  readAfter: { isSatisfied: boolean };
  /** Of the event, by catalog. */
  event: Confirmation;
  /** Of the badges, by registration. */
  badges: Confirmation;
}

/**
 * How far a check-in may trust the projections. The level is that of the badges. The event has its
 * own part, because catalog owns it: registration may be current while catalog is unavailable.
 */
export type ProjectionTrust = { readonly event: 'confirmed' | 'unconfirmed' } & (
  | { readonly level: 'current' }
  /** The badges lack something that the business unit has written. */
  | { readonly level: 'behind' }
  /** The badges may come from a database that registration does not have any more. */
  | { readonly level: 'unconfirmed' }
);

/** Decides how far a check-in may trust the projections. Source: docs/algorithms/check-in.md. */
export function decideTrust({ readAfter, event, badges }: TrustFacts): ProjectionTrust {
  const ofEvent = event === 'confirmed' ? 'confirmed' : 'unconfirmed';
  // An unconfirmed badge may lack writes, too, and it weighs more: its check-in is flagged.
  if (badges !== 'confirmed') return { level: 'unconfirmed', event: ofEvent };
  return { level: readAfter.isSatisfied ? 'current' : 'behind', event: ofEvent };
}

/** Whether the projections admit a badge without registration. They never reject one alone. */
export const mayAdmitAlone = ({ level }: ProjectionTrust): boolean => level === 'current';

/** Whether a check-in rests on a projection that was not confirmed, so that it is flagged. */
export const restsOnUnconfirmed = (
  { level, event }: ProjectionTrust,
  decidedBy: CheckinDecider,
): boolean => event === 'unconfirmed' || (level === 'unconfirmed' && decidedBy === 'fallback');
