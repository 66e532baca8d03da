import { defineEntity, p } from '@mikro-orm/core';

export const providerRefundStates = ['done', 'failed'] as const;

/**
 * A refund that a provider reports, made by this platform or at the provider. Each refund is one row,
 * however many notifications it has.
 */
export const ProviderRefund = defineEntity({
  name: 'ProviderRefund',
  tableName: 'provider_refund',
  properties: {
    provider: p.text().primary(),
    providerRefundId: p.text().primary(),
    providerPaymentId: p.text(),
    /** The refund of this platform in the notification; null for one made at the provider. */
    refundId: p.text().nullable(),
    amount: p.bigint('number'),
    currency: p.text(),
    /** `failed` is final: an earlier notification that arrives later does not replace it. */
    state: p.enum(providerRefundStates),
    failure: p.text().nullable(),
    /** The settlement of its payment; null while none is known, as for another system's payment. */
    settlementId: p.text().nullable(),
    receivedAt: p.datetime(3),
    /** When its current state was applied to the order, with what it revokes. */
    processedAt: p.datetime(3).nullable(),
    lastAttemptAt: p.datetime(3),
  },
  indexes: [
    {
      name: 'provider_refund_of_settlement',
      expression:
        'create index provider_refund_of_settlement on commerce.provider_refund (settlement_id) where settlement_id is not null',
    },
    {
      name: 'provider_refund_unmatched',
      expression:
        'create index provider_refund_unmatched on commerce.provider_refund (provider, provider_payment_id) where settlement_id is null',
    },
    {
      name: 'provider_refund_to_apply',
      expression:
        'create index provider_refund_to_apply on commerce.provider_refund (last_attempt_at) where settlement_id is not null and processed_at is null',
    },
  ],
});
