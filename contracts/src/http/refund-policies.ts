import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import { id, timestampOut } from './fields.ts';

/** The refund promise of an event to its buyers. */
export const RefundPolicy = z.object({
  text: z.string().meta({ example: 'Full refund until a week before the event' }),
  refundableUntil: timestampOut('2027-05-03T07:00:00.000Z')
    .nullable()
    .meta({ description: 'Until when it applies. Null means without a time limit.' }),
});

export const EventRefundPolicy = z
  .object({
    eventId: id('evt'),
    policy: RefundPolicy.nullable().meta({ description: 'Null if the event has none.' }),
  })
  .meta({ id: 'EventRefundPolicy' });

export const getRefundPolicy = operation({
  method: 'GET',
  url: '/v1/events/:eventId/refund-policy',
  config: {
    tag: 'Forms and refund policies',
    owner: 'catalog',
    audience: 'api',
    operationId: 'getRefundPolicy',
    permission: 'catalog.read',
    summary: 'Read the refund policy of an event',
    description: 'The text that operators have set for buyers. Operators decide about refunds.',
  },
  schema: { params: EventPath, response: { 200: EventRefundPolicy } },
});
