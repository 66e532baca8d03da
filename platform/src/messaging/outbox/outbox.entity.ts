import { defineEntity, p } from '@mikro-orm/core';

/**
 * Messages to publish, written in the same commit as the change. Published rows are kept for a day.
 */
export const OutboxMessage = defineEntity({
  name: 'OutboxMessage',
  tableName: 'outbox_message',
  properties: {
    id: p.uuid().primary(),
    /** A JSON array of snapshots, as text: only the bus reads it. */
    payload: p.text(),
    /** The position in the trace that wrote it, if spans are recorded. */
    traceparent: p.text().nullable(),
    createdAt: p.datetime(6).defaultRaw('clock_timestamp()'),
    /** Null until the bus has acknowledged the message. */
    streamSeq: p.bigint('number').nullable(),
    /** Set for a message that the bus rejects; an operator must act. */
    rejectionReason: p.text().nullable(),
  },
  indexes: [
    { name: 'outbox_message_by_state', properties: ['streamSeq', 'createdAt'] },
    { name: 'outbox_message_by_age', properties: ['createdAt'] },
  ],
});
