import { z } from 'zod';
import { operation } from '../operation.ts';
import { checkPeriod, periodFields } from './days.ts';
import { eventScope } from './reference.ts';

/** How many people have registered on each day of a period. */
export const RegistrationDays = z.object({
  timezone: z.string().meta({
    description: 'The time zone of the event, in which days begin.',
    example: 'Europe/Berlin',
  }),
  days: z
    .array(
      z.object({
        day: z.string().meta({ example: '2027-05-10' }),
        registrations: z.int().meta({
          description: 'Registrations of this day that are confirmed or cancelled now.',
          example: 12,
        }),
      }),
    )
    .meta({ description: 'Every day of the period, the oldest first.' }),
});

export type RegistrationDays = z.infer<typeof RegistrationDays>;

export const countRegistrationsPerDay = operation({
  method: 'POST',
  url: '/operator/registration.countPerDay',
  config: {
    tag: 'Registrations',
    owner: 'registration',
    audience: 'operator',
    operationId: 'registration.countPerDay',
    isRead: true,
    permission: 'people.read',
    summary: 'Count the registrations of an event on each day',
    description:
      'With and without an order. A registration counts on the day of its `registeredAt`, in the time zone of the event, ' +
      'while it is confirmed or cancelled: a later cancellation does not change the count of a day. Concurrent requests share ' +
      'a count, which begins after the last of them has arrived, at most two seconds after the first.',
  },
  schema: {
    body: z.object({ ...eventScope, ...periodFields }).check(checkPeriod),
    response: { 200: RegistrationDays },
  },
});
