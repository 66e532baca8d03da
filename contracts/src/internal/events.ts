import { z } from 'zod';
import { RefundPolicy } from '../http/refund-policies.ts';
import { operation } from '../operation.ts';
import { scopeFields } from './scope.ts';

const config = { tag: 'Internal', owner: 'catalog', audience: 'service' } as const;

const body = z.object(scopeFields);

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

/** The previous release has no bands. */
const StoredPolicy = RefundPolicy.extend({
  bands: RefundPolicy.shape.bands.default([]),
  automatic: RefundPolicy.shape.automatic.default(false),
});

export const readRefundPolicy = operation({
  method: 'POST',
  url: '/internal/events/refund-policy',
  config: {
    ...config,
    operationId: 'readRefundPolicy',
    summary: 'Read the refund policy of an event',
  },
  schema: { body, response: { 200: z.object({ policy: StoredPolicy.nullable() }) } },
});

export const readTimezone = operation({
  method: 'POST',
  url: '/internal/events/timezone',
  config: {
    ...config,
    operationId: 'readTimezone',
    summary: 'Read the time zone of an event',
  },
  schema: { body, response: { 200: z.object({ timezone: z.string() }) } },
});
