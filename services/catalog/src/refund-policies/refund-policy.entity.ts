import type { RefundBand } from '@event-api/contracts/http/refund-policies';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The conditions under which buyers of an event get a refund. */
export const RefundPolicy = defineEntity({
  name: 'RefundPolicy',
  tableName: 'refund_policy',
  properties: {
    eventId: p.text().primary(),
    businessUnitId: p.text(),
    text: p.text(),
    refundableUntil: p.datetime(3).nullable(),
    bands: p.json<RefundBand[]>().defaultRaw("'[]'::jsonb"),
    automatic: p.boolean().default(false),
  },
});

export type RefundPolicy = InferEntity<typeof RefundPolicy>;
