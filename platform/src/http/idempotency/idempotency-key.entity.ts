import { defineEntity, p } from '@mikro-orm/core';

/** One request that may be repeated: what it was, who works on it, and what it was answered. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    businessUnitId: p.text().primary(),
    operation: p.text().primary(),
    key: p.text().primary(),
    /** Of the path and the body. */
    hash: p.text(),
    /** What the ids of its records are derived from, in a repeat, too. */
    seed: p.text(),
    leaseUntil: p.datetime(3),
    createdAt: p.datetime(3),
    /** The answer; null while somebody works on it. */
    status: p.integer().nullable(),
    location: p.text().nullable(),
    body: p.text().nullable(),
  },
  indexes: [{ name: 'idempotency_key_by_age', properties: ['createdAt'] }],
});
