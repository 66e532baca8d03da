import { defineEntity, p } from '@mikro-orm/core';

/** A token with which a buyer assigns open seats of an order. */
export const ClaimLink = defineEntity({
  name: 'ClaimLink',
  tableName: 'claim_link',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    orderId: p.text(),
    /** Null for all open seats of the order. */
    seatId: p.text().nullable(),
    /** SHA-256 in hexadecimal. The token itself is not stored. */
    tokenHash: p.text().unique('claim_link_token'),
    createdAt: p.datetime(3),
    revokedAt: p.datetime(3).nullable(),
  },
  indexes: [
    {
      // A seat, and an order as a whole, has one link that is not revoked.
      name: 'claim_link_usable',
      expression:
        "create unique index claim_link_usable on commerce.claim_link (order_id, coalesce(seat_id, '')) where revoked_at is null",
    },
  ],
});
