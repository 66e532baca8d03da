import { z } from 'zod';
import { operation } from '../operation.ts';
import { scopeFields } from './scope.ts';

const config = { tag: 'Internal', owner: 'registration', audience: 'service' } as const;

const active = {
  confirmed: z.int(),
  pending: z.int(),
  waitlisted: z.int(),
  /** Seats without a registration: of orders that are neither paid nor ended, and open seats. */
  reservations: z.int(),
};

export const countActive = operation({
  method: 'POST',
  url: '/internal/events/count-active',
  config: {
    ...config,
    operationId: 'countActive',
    summary: 'Count the active registrations and reservations of an event',
  },
  schema: { body: z.object(scopeFields), response: { 200: z.object(active) } },
});

export const emptyEvent = operation({
  method: 'POST',
  url: '/internal/events/empty',
  config: {
    ...config,
    operationId: 'emptyEvent',
    summary:
      'Close the admission of a cancelled event, and cancel some of its registrations and reservations',
  },
  schema: {
    body: z.object({
      ...scopeFields,
      /** The most registrations, and the most reservations, of this call. */
      limit: z.int().min(1).max(500),
    }),
    response: {
      200: z.object({
        /** What is active after the call. Nothing is added any more. */
        left: z.int(),
      }),
    },
  },
});
