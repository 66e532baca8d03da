import { z } from 'zod';
import { limits, text, timestamp } from '../http/fields.ts';
import { EventRefundPolicy } from '../http/refund-policies.ts';
import { operation } from '../operation.ts';
import { eventScope } from './reference.ts';

const config = { tag: 'Refund policies', owner: 'catalog', audience: 'operator' } as const;

export const setRefundPolicy = operation({
  method: 'POST',
  url: '/operator/refundPolicy.set',
  config: {
    ...config,
    operationId: 'refundPolicy.set',
    permission: 'policy',
    summary: 'Replace the refund policy of an event',
  },
  schema: {
    body: z.object({
      ...eventScope,
      text: text({ min: 1, max: limits.textLength }).meta({
        description: 'The text of the policy, for buyers',
        example: 'Full refund until a week before the event',
      }),
      refundableUntil: timestamp().nullable().default(null).meta({
        description: 'When the policy ends; null means never',
      }),
    }),
    response: { 200: EventRefundPolicy },
  },
});

export const getRefundPolicy = operation({
  method: 'POST',
  url: '/operator/refundPolicy.get',
  config: {
    ...config,
    operationId: 'refundPolicy.get',
    isRead: true,
    permission: 'settings.read',
    summary: 'Read the refund policy of an event; null when it has none',
  },
  schema: { body: z.object(eventScope), response: { 200: EventRefundPolicy } },
});
