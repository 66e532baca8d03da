import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** What an event promises to buyers who want their money back. */
export const RefundPolicy = defineEntity({
  name: 'RefundPolicy',
  tableName: 'refund_policy',
  properties: {
    eventId: p.text().primary(),
    businessUnitId: p.text(),
    text: p.text(),
    refundableUntil: p.datetime(3).nullable(),
  },
});

export type RefundPolicy = InferEntity<typeof RefundPolicy>;
