import { defineEntity, p } from '@mikro-orm/core';

/** A request with an `Idempotency-Key`: its hash, its current lease and its response. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    businessUnitId: p.text().primary(),
    /** Empty: a key is for one request, whatever its operation. */
    operation: p.text().primary(),
    key: p.text().primary(),
    /** The hash of the path and the body. */
    requestHash: p.text(),
    /** The ids of the records derive from it, also in a retry. */
    idSeed: p.text(),
    leaseUntil: p.datetime(3),
    createdAt: p.datetime(3),
    /** The status of the response; null while the request is running. */
    responseStatus: p.integer().nullable(),
    responseLocation: p.text().nullable(),
    responseBody: p.text().nullable(),
  },
  indexes: [{ name: 'idempotency_key_by_age', properties: ['createdAt'] }],
});
