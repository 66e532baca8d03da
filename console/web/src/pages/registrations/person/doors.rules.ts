import type { CheckinExplanation } from '@event-api/contracts/operator/checkins';
import type { DoorCount } from '../../../api/records.ts';

/** How many doors are shown at first. An event with an agenda has one for each session. */
export const firstDoors = 6;

/** The doors in the order in which people pass them, those of sessions last. */
export const sortDoors = (doors: readonly DoorCount[]): DoorCount[] =>
  (['event', 'venue', 'session'] as const).flatMap((kind) =>
    doors.filter(({ subjectType }) => subjectType === kind),
  );

export type Refusal = Pick<CheckinExplanation, 'outcome'> & {
  /** The perks that would open the door. */
  perks: readonly string[];
  admission: { opensAt: string | null; closesAt: string | null } | null;
};

/** Why a door stays closed; null for an open one. */
export function refusalOf({ outcome, rules }: CheckinExplanation): Refusal | null {
  if (outcome === 'admitted') return null;
  const failed = rules.find(({ passed }) => !passed);
  return {
    outcome,
    perks: failed?.rule === 'gate' ? failed.perks.flatMap(({ name }) => name ?? []) : [],
    admission:
      failed?.rule === 'admission'
        ? { opensAt: failed.admissionOpensAt, closesAt: failed.admissionClosesAt }
        : null,
  };
}

/**
 * The refusal that all doors have in common, so that it is said once; null if one of them is open,
 * not known yet, or closed for another reason.
 */
export function commonRefusal(
  explanations: readonly (CheckinExplanation | undefined)[],
): Refusal | null {
  const refusals = explanations.map((each) => each && refusalOf(each));
  const [first] = refusals;
  if (!first || explanations.some((each) => each?.checkin)) return null;
  const isSame = (each: Refusal | null | undefined) =>
    JSON.stringify(each) === JSON.stringify(first);
  return refusals.every(isSame) ? first : null;
}
