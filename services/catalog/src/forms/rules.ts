import type { FormQuestion } from '@event-api/contracts/operator/forms';

export type FormDecision = { outcome: 'unchanged' | 'event_archived' | 'cleared' | 'replaced' };

/** What setting these questions does to an event's form. Source: docs/rules.md, "Forms and refund policies". */
export function decideForm(
  current: readonly FormQuestion[],
  next: readonly FormQuestion[],
  eventIsArchived: boolean,
): FormDecision {
  if (inOneForm(current) === inOneForm(next)) return { outcome: 'unchanged' };
  if (eventIsArchived) return { outcome: 'event_archived' };
  return { outcome: next.length === 0 ? 'cleared' : 'replaced' };
}

/** The same text for the same questions, whatever the order of their fields. */
const inOneForm = (questions: readonly FormQuestion[]): string =>
  JSON.stringify(
    questions.map(({ id, label, type, required, options }) => [id, label, type, required, options]),
  );
