import type { Presented } from './check-in.ts';

/** A badge or a person that was presented at the door and is not checked yet. */
export interface Waiting {
  presented: Presented;
  method: 'scan' | 'manual';
}

/** More would wait for longer than people wait at a door. */
export const maxWaiting = 20;

export type Enqueued =
  | { outcome: 'queued'; waiting: readonly Waiting[] }
  /** The same is checked at the moment, or waits already. */
  | { outcome: 'present' }
  /** It has to be presented again. */
  | { outcome: 'full' };

/** Decides what happens to a badge that is presented while `current` is checked. */
export function enqueue(
  waiting: readonly Waiting[],
  current: Waiting | null,
  next: Waiting,
): Enqueued {
  const isSame = ({ presented }: Waiting) => labelOf(presented) === labelOf(next.presented);
  if (waiting.some(isSame) || (current && isSame(current))) return { outcome: 'present' };
  if (waiting.length >= maxWaiting) return { outcome: 'full' };
  return { outcome: 'queued', waiting: [...waiting, next] };
}

/** The code of a badge, or the id of a person who was found by name. */
export const labelOf = (presented: Presented): string =>
  'checkinCode' in presented ? presented.checkinCode : presented.registrationId;
