import { z } from 'zod';
import { id, text } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { eventScope } from './reference.ts';

export const questionTypes = ['text', 'number', 'boolean', 'choice'] as const;

// `responses` drops a field named `__proto__`, so no order could answer such a question.
const questionId = () =>
  z
    .string()
    .regex(/^(?!__proto__$)[a-z0-9_-]{1,40}$/)
    .meta({ description: 'The field of `responses` that holds the answer', example: 'diet' });

/** A question to buyers. A choice has distinct options; other types have none. */
export const FormQuestion = z
  .object({
    id: questionId(),
    label: text({ min: 1, max: 200 }),
    type: z.enum(questionTypes),
    required: z.boolean(),
    options: z
      .array(text({ min: 1, max: 200 }))
      .max(100)
      .optional(),
  })
  .check((ctx) => {
    const { type, options } = ctx.value;
    const refuse = (message: string, ...path: (string | number)[]) =>
      ctx.issues.push({ code: 'custom', message, path: ['options', ...path], input: options });
    if (type !== 'choice') {
      if (options !== undefined) refuse('is only for questions of type choice');
      return;
    }
    if (options === undefined || options.length === 0) refuse('must have at least one entry');
    for (const index of repeatsOf(options ?? [])) refuse('already appears in the list', index);
  });

export type FormQuestion = z.output<typeof FormQuestion>;

/** A whole form, in display order. */
export const FormQuestions = z
  .array(FormQuestion)
  .max(50)
  .check((ctx) => {
    for (const index of repeatsOf(ctx.value.map((question) => question.id))) {
      const input = ctx.value[index]?.id;
      const message = 'is already the id of another question';
      ctx.issues.push({ code: 'custom', message, path: [index, 'id'], input });
    }
  });

/** The indexes of entries that repeat an earlier one. */
function repeatsOf(values: readonly string[]): number[] {
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));
}

const Form = z.object({ eventId: id('evt'), questions: z.array(FormQuestion) });

const config = { tag: 'Registration forms', owner: 'catalog', audience: 'operator' } as const;

export const setForm = operation({
  method: 'POST',
  url: '/operator/form.set',
  config: {
    ...config,
    operationId: 'form.set',
    summary:
      'Replace the questions that orders of an event must answer; an empty list removes them',
  },
  schema: {
    body: z.object({
      ...eventScope,
      questions: FormQuestions.meta({
        description: 'The questions in their order; they replace the previous ones',
        example: [{ id: 'diet', label: 'Diet', type: 'text', required: false }],
      }),
    }),
    response: { 200: Form },
  },
});

export const getForm = operation({
  method: 'POST',
  url: '/operator/form.get',
  config: {
    ...config,
    operationId: 'form.get',
    summary: 'Read the questions that orders of an event must answer',
  },
  schema: { body: z.object(eventScope), response: { 200: Form } },
});
