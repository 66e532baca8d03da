import { defineEntity, p } from '@mikro-orm/core';

/**
 * A notification of one account about a payment of another account. It has no effect. An operator
 * can read here who has sent it.
 */
export const ForeignNotification = defineEntity({
  name: 'ForeignNotification',
  tableName: 'foreign_notification',
  properties: {
    /** The account that has sent it, as `payment.provider` names it. */
    provider: p.text().primary(),
    /** The kind, and the id of the payment, the decline, the refund or the dispute that it names. */
    kind: p.text().primary(),
    objectId: p.text().primary(),
    /** The account of the payment. */
    ownedBy: p.text(),
    receivedAt: p.datetime(3),
  },
});
