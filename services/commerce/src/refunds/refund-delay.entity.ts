import { defineEntity, p } from '@mikro-orm/core';

/** How long refunds of a business unit are due before the platform sends them, if it was set. */
export const RefundDelay = defineEntity({
  name: 'RefundDelay',
  tableName: 'refund_delay',
  properties: {
    businessUnitId: p.text().primary(),
    /** Null: an operator sends each refund. */
    refundAfterHours: p.integer().nullable(),
  },
});
