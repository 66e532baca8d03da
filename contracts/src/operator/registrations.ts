import { z } from 'zod';
import { expected, Registration } from '../http/registrations.ts';
import { operation } from '../operation.ts';
import { eventScope, reference } from './reference.ts';

export const confirmRegistration = operation({
  method: 'POST',
  url: '/operator/registration.confirm',
  config: {
    tag: 'Registrations',
    owner: 'registration',
    audience: 'operator',
    operationId: 'registration.confirm',
    permission: 'people.write',
    summary:
      'Confirm a pending or waitlisted registration without a payment, ahead of the waitlist; a confirmed one does not change',
    preconditions: ['EVENT_ARCHIVED', 'REGISTRATION_CHANGED', 'REGISTRATION_CLOSED', 'SOLD_OUT'],
  },
  schema: {
    body: z.object({
      ...eventScope,
      registrationId: reference('reg', 'The registration'),
      reason: z
        .string()
        .trim()
        .min(1)
        .max(500)
        .nullable()
        .default(null)
        .meta({ description: 'Why no payment is needed, for the log', example: 'Speaker' }),
      expected: expected(),
    }),
    response: { 200: Registration },
  },
});
