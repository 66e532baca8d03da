import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import { id, line } from './fields.ts';
import { repeatsOf } from './repeats-of.ts';

export const questionTypes = ['text', 'number', 'boolean', 'choice'] as const;

// `responses` drops a field named `__proto__`, so no order could answer such a question.
const questionId = () =>
  z
    .string()
    .regex(/^(?!__proto__$)[a-z0-9_-]{1,40}$/)
    .meta({ description: 'The field of `responses` that holds the answer', example: 'diet' });

/** A question to buyers and attendees. A choice has distinct options; other types have none. */
export const FormQuestion = z
  .object({
    id: questionId(),
    label: line({ min: 1, max: 200 }),
    type: z.enum(questionTypes),
    required: z.boolean(),
    options: z
      .array(line({ min: 1, max: 200 }))
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

/** The questions of a form, as people who answer them read them. */
export const formQuestionsOut = () =>
  z
    .array(
      z.object({
        id: z.string().meta({ description: 'The field of `responses` that holds the answer' }),
        label: z.string(),
        type: z.enum(questionTypes),
        required: z.boolean(),
        options: z
          .array(z.string())
          .nullable()
          .meta({ description: 'The answers that a choice allows; null for other types.' }),
      }),
    )
    .meta({
      description: 'In display order. Empty if the event has no form.',
      example: [{ id: 'diet', label: 'Diet', type: 'text', required: false, options: null }],
    });

/** The form of an event, as integrators read it. */
export const Form = z
  .object({
    eventId: id('evt'),
    questions: formQuestionsOut(),
  })
  .meta({ id: 'Form' });

export const getForm = operation({
  method: 'GET',
  url: '/v1/events/:eventId/form',
  config: {
    tag: 'Forms and refund policies',
    owner: 'catalog',
    audience: 'api',
    operationId: 'getForm',
    permission: 'catalog.read',
    summary: 'Read the questions of an event',
    description:
      'Send the answers as `responses` of an order or of a registration, by question id. An order without the answer to ' +
      'a required question is a 400. A registration may omit `responses`.',
  },
  schema: { params: EventPath, response: { 200: Form } },
});
