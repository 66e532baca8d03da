import { defineEntity, p } from '@mikro-orm/core';
import type { ListedDifference } from './differences.rules.ts';

/**
 * The comparison of the journal with the movements that the provider reports of an account, for a
 * day. A new comparison of the day replaces it.
 */
export const Reconciliation = defineEntity({
  name: 'Reconciliation',
  tableName: 'reconciliation',
  properties: {
    /** The account, as `payment.provider` names it. */
    provider: p.text().primary(),
    /** In the form `2026-11-28`, in UTC. */
    day: p.text().primary(),
    /** The unit that owns the account; null for that of the platform. */
    businessUnitId: p.text().nullable(),
    ranAt: p.datetime(3),
    /** How many payments, refunds and disputes were compared. */
    compared: p.integer(),
    differences: p.integer(),
    /** The first of them. */
    listed: p.json<ListedDifference[]>(),
  },
  indexes: [
    { name: 'reconciliation_newest', properties: ['day', 'provider'] },
    { name: 'reconciliation_of_unit', properties: ['businessUnitId', 'day', 'provider'] },
  ],
});
