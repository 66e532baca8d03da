import type { FormQuestion } from '@event-api/contracts/http/forms';

export type FormDecision = { outcome: 'unchanged' | 'event_archived' | 'cleared' | 'replaced' };

/** Decides what setting these questions does to an event's form. */
export function decideForm(
  current: readonly FormQuestion[],
  next: readonly FormQuestion[],
  eventIsArchived: boolean,
): FormDecision {
  if (canonicalJson(current) === canonicalJson(next)) return { outcome: 'unchanged' };
  if (eventIsArchived) return { outcome: 'event_archived' };
  return { outcome: next.length === 0 ? 'cleared' : 'replaced' };
}

/** Serializes questions with a fixed order of fields, for comparison. */
const canonicalJson = (questions: readonly FormQuestion[]): string =>
  JSON.stringify(
    questions.map(({ id, label, type, required, options }) => [id, label, type, required, options]),
  );
