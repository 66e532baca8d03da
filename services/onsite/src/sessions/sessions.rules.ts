interface Period {
  startsAt: Date;
  endsAt: Date;
}

export type SessionDatesDecision =
  | { outcome: 'valid' }
  | { outcome: 'ends_too_early' }
  | { outcome: 'before_event'; field: keyof Period; bound: Date }
  | { outcome: 'after_event'; field: keyof Period; bound: Date };

/**
 * Returns whether a patch sets a date of a session. A patch that sets none does not need valid
 * dates.
 */
export const setsDates = (patch: { [K in keyof Period]?: Date | undefined }): boolean =>
  patch.startsAt !== undefined || patch.endsAt !== undefined;

/**
 * Decides whether the dates of a session are valid: it ends after it starts, and both are between
 * the start and the end of its event. A missing date of the event sets no limit.
 */
export function decideSessionDates(
  session: Period,
  event: { startsAt: Date | null; endsAt: Date | null },
): SessionDatesDecision {
  const { startsAt, endsAt } = session;
  if (endsAt <= startsAt) return { outcome: 'ends_too_early' };
  if (event.startsAt && startsAt < event.startsAt) {
    return { outcome: 'before_event', field: 'startsAt', bound: event.startsAt };
  }
  if (event.endsAt && endsAt > event.endsAt) {
    const field = startsAt >= event.endsAt ? 'startsAt' : 'endsAt';
    return { outcome: 'after_event', field, bound: event.endsAt };
  }
  return { outcome: 'valid' };
}
