import { defineEntity, p } from '@mikro-orm/core';

/** What the platform takes of the payments of a business unit on its connected account. */
export const PaymentFee = defineEntity({
  name: 'PaymentFee',
  tableName: 'payment_fee',
  properties: {
    businessUnitId: p.text().primary(),
    basisPoints: p.integer().check('basis_points >= 0 and basis_points <= 10000'),
    fixedAmount: p.bigint('number').check('fixed_amount >= 0'),
  },
});
