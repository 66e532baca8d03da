import { defineEntity, p } from '@mikro-orm/core';

/** A card that the provider declined in the session of a payment. No money moved. */
export const PaymentDecline = defineEntity({
  name: 'PaymentDecline',
  tableName: 'payment_decline',
  properties: {
    provider: p.text().primary(),
    /** The provider's id of the declined payment: a repeated notification has the same. */
    providerDeclineId: p.text().primary(),
    paymentId: p.text().index('payment_decline_of_payment'),
    /** As the provider reports it, otherwise when the notification arrived. */
    declinedAt: p.datetime(3),
  },
});
