import { z } from 'zod';
import { defaultMaxHoldsPerEmail, defaultWaitlistOfferMinutes } from '../event-limit-defaults.ts';
import { id, limits } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { eventScope } from './reference.ts';

const maxHolds = z.int().min(1).max(1000).nullable();
const maxSeats = z.int().min(1).max(limits.capacity).nullable();
const offerMinutes = z
  .int()
  .min(1)
  .max(30 * 24 * 60)
  .nullable();

/** The limits of one email in an event as the buyer of orders, and of offers to its waitlists. */
export const EventLimits = z.object({
  eventId: id('evt'),
  maxHoldsPerEmail: maxHolds,
  maxSeatsPerEmail: maxSeats,
  waitlistOfferMinutes: offerMinutes,
});

export type EventLimits = z.infer<typeof EventLimits>;

export const setEventLimits = operation({
  method: 'POST',
  url: '/operator/event.setLimits',
  config: {
    tag: 'Events',
    owner: 'registration',
    audience: 'operator',
    operationId: 'event.setLimits',
    permission: 'design',
    summary:
      'Set how many open orders and seats one email may have in an event, and how long seats are offered to its waitlists; an omitted limit keeps its value',
    preconditions: ['EVENT_ARCHIVED'],
  },
  schema: {
    body: z.object({
      ...eventScope,
      maxHoldsPerEmail: maxHolds.optional().meta({
        description: `Orders that are held or await payment. Null restores the default of ${defaultMaxHoldsPerEmail}.`,
      }),
      maxSeatsPerEmail: maxSeats.optional().meta({
        description:
          'Seats of open orders and active registrations. All seats of an order count for its buyer. Null means no limit.',
      }),
      waitlistOfferMinutes: offerMinutes.optional().meta({
        description: `How long a seat of a ticket type with a price is offered to a waitlisted registration. Open offers keep their time. Null restores the default of ${defaultWaitlistOfferMinutes}.`,
      }),
    }),
    response: { 200: EventLimits },
  },
});

export const getEventLimits = operation({
  method: 'POST',
  url: '/operator/event.getLimits',
  config: {
    tag: 'Events',
    owner: 'registration',
    audience: 'operator',
    operationId: 'event.getLimits',
    isRead: true,
    permission: 'settings.read',
    summary: 'Read the limits of an event; null where the default holds',
  },
  schema: { body: z.object(eventScope), response: { 200: EventLimits } },
});
