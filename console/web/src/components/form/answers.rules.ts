import type { Form } from '../../api/records.ts';

type Question = Form['questions'][number];

/** The answers that were typed, without the empty ones; null if all questions are empty. */
export function typedAnswers(
  questions: readonly Question[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> | null {
  const answers = questions.flatMap(({ id }) => {
    const value = values[id];
    if (value === null || value === undefined) return [];
    if (typeof value === 'string' && value.trim() === '') return [];
    return [[id, value] as const];
  });
  return answers.length === 0 ? null : Object.fromEntries(answers);
}
