import { isDeepStrictEqual } from 'node:util';
import type { FormQuestion } from '@event-api/contracts/operator/forms';

export type FormDecision = { outcome: 'unchanged' | 'event_archived' | 'cleared' | 'replaced' };

/** What setting these questions does to an event's form. Source: docs/rules.md, "Forms and refund policies". */
export function decideForm(
  current: readonly FormQuestion[],
  next: readonly FormQuestion[],
  eventIsArchived: boolean,
): FormDecision {
  if (isDeepStrictEqual(current, next)) return { outcome: 'unchanged' };
  if (eventIsArchived) return { outcome: 'event_archived' };
  return { outcome: next.length === 0 ? 'cleared' : 'replaced' };
}
