import { defineEntity, p } from '@mikro-orm/core';

/**
 * An account of a business unit at the payment provider, by its secret key or connected to the
 * account of the platform. A row is never deleted: payments that were
 * opened on it are refunded, expired and reported on it, whatever account the unit has later.
 */
export const PaymentAccount = defineEntity({
  name: 'PaymentAccount',
  tableName: 'payment_account',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    provider: p.text(),
    /** The provider's id of the account, which belongs to one unit. Null until it is created. */
    providerAccountId: p.text().nullable(),
    /**
     * Encrypted with the id of the row as associated data, like the next one. Null for an account
     * that is connected to that of the platform.
     */
    secretKey: p.text().nullable(),
    webhookSecret: p.text().nullable(),
    /** Whether the provider accepts payments for it, as it said at `checkedAt`. */
    canCharge: p.boolean(),
    checkedAt: p.datetime(3),
    createdAt: p.datetime(3),
    /** Since when payments of the unit are opened on it. Null while its owner sets it up. */
    connectedAt: p.datetime(3).nullable(),
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
        'create unique index payment_account_connected on commerce.payment_account (business_unit_id, provider) where connected_at is not null and disconnected_at is null',
    },
    {
      name: 'payment_account_started',
      expression:
        'create unique index payment_account_started on commerce.payment_account (business_unit_id, provider) where connected_at is null and disconnected_at is null',
    },
  ],
});
