import { z } from 'zod';
import { text } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { RefundPolicy } from '../operator/refund-policies.ts';

const config = { tag: 'Internal', owner: 'catalog', audience: 'service' } as const;

const reference = () => text({ min: 1, max: 200 });

const body = z.object({ businessUnitId: reference(), eventId: reference() });

export const lockCurrency = operation({
  method: 'POST',
  url: '/internal/events/lock-currency',
  config: {
    ...config,
    operationId: 'lockCurrency',
    summary: 'Lock the currency of an event; a retry changes nothing',
  },
  schema: { body, response: { 200: z.object({ currency: z.string() }) } },
});

export const readRefundPolicy = operation({
  method: 'POST',
  url: '/internal/events/refund-policy',
  config: {
    ...config,
    operationId: 'readRefundPolicy',
    summary: 'Read the refund policy of an event',
  },
  schema: { body, response: { 200: z.object({ policy: RefundPolicy.nullable() }) } },
});
