import { z } from 'zod';
import { cancellationRefunds, Event } from '../http/events.ts';
import { id, line, timestampOut } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { eventScope } from './reference.ts';

const count = (description: string) => z.int().meta({ description, example: 3 });

const config = { tag: 'Events', audience: 'operator' } as const;

const refund = z.enum(cancellationRefunds).default('full').meta({
  description:
    '`full`: the whole price of what is not cancelled yet. `policy`: what the refund policy of each order promises at this moment. `none`: nothing. Refunds are sent at once; with `none`, what is owed for other reasons stays due.',
});

/** Money of one currency that a cancellation pays back. */
export const CancellationAmount = z.object({
  currency: z.string().meta({ example: 'EUR' }),
  orders: count('Orders that get money back'),
  amount: z.int().meta({ description: 'In the minor unit.', example: 43000 }),
});
export type CancellationAmount = z.infer<typeof CancellationAmount>;

export const CancellationPreview = z.object({
  eventId: id('evt'),
  expectedVersion: z.int().meta({
    description: 'What `event.cancel` takes. It changes whenever the event changes.',
    example: 1764316800000,
  }),
  cancelledAt: timestampOut().nullable(),
  registrations: z.object({
    confirmed: count('Confirmed registrations'),
    pending: count('Registrations that wait for an approval'),
    waitlisted: count('People on waitlists, with and without an offer'),
    reservedSeats: count(
      'Seats without a registration: of unpaid orders, and open seats that are sold',
    ),
  }),
  orders: z.object({
    paid: count('Paid orders, free ones included'),
    held: count('Orders that are held'),
    awaitingPayment: count('Orders with an open payment page'),
  }),
  refunds: z.array(CancellationAmount).meta({
    description: 'What is paid back, per currency, with what is due already.',
  }),
});
export type CancellationPreview = z.infer<typeof CancellationPreview>;

export const previewEventCancel = operation({
  method: 'POST',
  url: '/operator/event.previewCancel',
  config: {
    ...config,
    owner: 'commerce',
    operationId: 'event.previewCancel',
    isRead: true,
    permission: 'orders.list',
    summary: 'Show whom and what the cancellation of an event would concern; nothing changes',
    description: 'Sales between the preview and the command are found by the cancellation itself.',
  },
  schema: {
    body: z.object({ ...eventScope, refund }),
    response: { 200: CancellationPreview },
  },
});

export const cancelEvent = operation({
  method: 'POST',
  url: '/operator/event.cancel',
  config: {
    ...config,
    owner: 'catalog',
    operationId: 'event.cancel',
    permission: 'money',
    summary:
      'Cancel an event: stop its sale, end open payments, cancel its registrations and refund',
    description:
      'Permanent. The event is archived at once, and its doors refuse every badge. The rest follows in the background: `event.getCancellation` shows how far it is. An archived event can be cancelled, too. A repeated command returns the event unchanged.',
    preconditions: ['EVENT_CANCELLED', 'EVENT_CHANGED'],
  },
  schema: {
    body: z.object({
      ...eventScope,
      refund,
      expectedVersion: z.int().meta({
        description: 'From `event.previewCancel`: 412 if the event has changed since.',
        example: 1764316800000,
      }),
      reason: line({ min: 0, max: 200 }).nullable().default(null).meta({
        description: 'A note for the audit log',
      }),
    }),
    response: { 200: Event },
  },
});

/** A step of a cancellation. */
const Step = z.object({
  total: count('What the step concerns'),
  left: count('What of it is left'),
});

export const EventCancellation = z.object({
  eventId: id('evt'),
  refund: z.enum(cancellationRefunds),
  cancelledAt: timestampOut(),
  finishedAt: timestampOut().nullable().meta({
    description:
      'When nothing was left. A failed refund is not sent again: `order.refund` does. One that an open dispute holds back is sent after it.',
  }),
  openOrders: Step.meta({ description: 'Orders that were not paid: their payment pages end.' }),
  registrations: Step.meta({
    description: 'Registrations and seats without one, as in `registrations` of the preview.',
  }),
  orders: Step.meta({ description: 'Paid orders whose refund is to be decided.' }),
  refunds: z
    .array(
      z.object({
        currency: z.string(),
        sent: z.int().meta({ description: 'The amount that was paid back.', example: 43000 }),
        pending: z.int().meta({ description: 'Waits for the provider.', example: 0 }),
        due: z.int().meta({ description: 'Waits for an operator or a dispute.', example: 0 }),
      }),
    )
    .meta({ description: 'The refunds of the cancellation, per currency.' }),
  failures: z
    .array(
      z.object({
        orderId: id('ord'),
        orderNumber: z.string(),
        amount: z.int(),
        currency: z.string(),
        reason: z.string().meta({ example: 'card_expired' }),
      }),
    )
    .meta({ description: 'The first hundred refunds that the provider has refused.' }),
  problem: z.string().nullable().meta({
    description: 'Why the last attempt of a step has failed. It is repeated.',
    example: null,
  }),
});
export type EventCancellation = z.infer<typeof EventCancellation>;

export const getEventCancellation = operation({
  method: 'POST',
  url: '/operator/event.getCancellation',
  config: {
    ...config,
    owner: 'commerce',
    operationId: 'event.getCancellation',
    isRead: true,
    permission: 'orders.list',
    summary: 'Show how far the cancellation of an event is; null for an event that takes place',
  },
  schema: {
    body: z.object(eventScope),
    response: { 200: z.object({ cancellation: EventCancellation.nullable() }) },
  },
});
