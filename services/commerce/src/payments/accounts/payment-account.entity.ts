import { defineEntity, p } from '@mikro-orm/core';

/**
 * An account of a business unit at the payment provider. A row is never deleted: payments that were
 * opened on it are refunded, expired and reported on it, whatever account the unit has later.
 */
export const PaymentAccount = defineEntity({
  name: 'PaymentAccount',
  tableName: 'payment_account',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    provider: p.text(),
    /** The provider's id of the account. It belongs to one unit. */
    providerAccountId: p.text(),
    /** Encrypted with the id of the row as associated data, like the next one. */
    secretKey: p.text(),
    webhookSecret: p.text(),
    createdAt: p.datetime(3),
    /** New payments of the unit are not opened on it any more. */
    disconnectedAt: p.datetime(3).nullable(),
  },
  uniques: [
    {
      name: 'payment_account_at_provider',
      properties: ['provider', 'providerAccountId'],
    },
  ],
  indexes: [
    { name: 'payment_account_of_unit', properties: ['businessUnitId', 'createdAt'] },
    {
      name: 'payment_account_connected',
      expression:
        'create unique index payment_account_connected on commerce.payment_account (business_unit_id, provider) where disconnected_at is null',
    },
  ],
});
