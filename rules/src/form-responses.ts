import type { FieldIssue } from '@event-api/contracts/http/envelope';
import { isVisible, limits, paragraphIssue } from '@event-api/contracts/http/fields';
import type { FormResponses } from '@event-api/contracts/http/form-responses';
import type { FormQuestion } from '@event-api/contracts/http/forms';

/**
 * Validates the responses to the form of an event. Responses without a question are accepted.
 */
export function validateResponses(
  form: readonly FormQuestion[] | null,
  responses: FormResponses | null,
): FieldIssue[] {
  return (form ?? []).flatMap((question) => {
    // Own properties only: an inherited one, such as `constructor`, is not a response.
    const isPresent = responses !== null && Object.hasOwn(responses, question.id);
    const value = isPresent ? (responses[question.id] ?? null) : null;
    const field = `responses.${question.id}`;
    if (value === null || (typeof value === 'string' && !isVisible(value))) {
      return question.required ? [{ field, issue: 'is required', code: 'required' }] : [];
    }
    const problem = findProblem(question, value);
    return problem ? [{ field, ...problem }] : [];
  });
}

function findProblem(
  { type, options }: FormQuestion,
  value: unknown,
): Omit<FieldIssue, 'field'> | null {
  if (type === 'choice') {
    if (typeof value === 'string' && options?.includes(value)) return null;
    return { issue: 'must be one of the options', code: 'invalid_value' };
  }
  const expected = type === 'text' ? 'string' : type;
  const is: string = typeof value;
  if (is !== expected) return { issue: `must be a ${expected}`, code: 'invalid_type' };
  if (typeof value === 'string' && [...value].length > limits.textLength) {
    return { issue: `must have at most ${limits.textLength} characters`, code: 'too_big' };
  }
  const issue = typeof value === 'string' ? paragraphIssue(value) : null;
  return issue === null ? null : { issue, code: 'invalid_format' };
}
