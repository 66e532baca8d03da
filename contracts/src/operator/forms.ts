import { z } from 'zod';
import { id } from '../http/fields.ts';
import { FormQuestion, FormQuestions } from '../http/forms.ts';
import { operation } from '../operation.ts';
import { eventScope } from './reference.ts';

const Form = z.object({ eventId: id('evt'), questions: z.array(FormQuestion) });

const config = { tag: 'Registration forms', owner: 'catalog', audience: 'operator' } as const;

export const setForm = operation({
  method: 'POST',
  url: '/operator/form.set',
  config: {
    ...config,
    operationId: 'form.set',
    permission: 'design',
    summary:
      'Replace the questions of an event, which orders and registrations answer; an empty list removes them',
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
    isRead: true,
    permission: 'settings.read',
    summary: 'Read the questions of an event, which orders and registrations answer',
  },
  schema: { body: z.object(eventScope), response: { 200: Form } },
});
