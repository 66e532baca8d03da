/**
 * Sent with an `Idempotency-Key` that a tool has generated, as opposed to one that its user chose.
 */
export const generatedKeyHeader = 'idempotency-key-generated';
