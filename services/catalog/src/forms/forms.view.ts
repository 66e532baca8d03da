import type { Form, FormQuestion } from '@event-api/contracts/http/forms';
import type { z } from 'zod';

/** The response body of a form. */
export const formView = (
  eventId: string,
  questions: readonly FormQuestion[],
): z.input<typeof Form> => ({
  eventId,
  questions: questions.map((question) => ({ ...question, options: question.options ?? null })),
});
