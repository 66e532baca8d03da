import { defineEntity, p } from '@mikro-orm/core';

/** Messages that a service owes the bus, in the same commit as what they tell of. Kept for a day once published. */
export const OutboxMessage = defineEntity({
  name: 'OutboxMessage',
  tableName: 'outbox_message',
  properties: {
    id: p.uuid().primary(),
    /** A JSON array of snapshots, as text: nobody but the bus reads it. */
    payload: p.text(),
    /** Where in a trace it was written, if spans of that are recorded. */
    traceparent: p.text().nullable(),
    createdAt: p.datetime(6).defaultRaw('clock_timestamp()'),
    /** Null until the bus has acknowledged it. */
    streamSeq: p.bigint('number').nullable(),
    /** Set for a message that the bus refuses; an operator has to look. */
    refused: p.text().nullable(),
  },
  indexes: [
    { name: 'outbox_message_by_state', properties: ['streamSeq', 'createdAt'] },
    { name: 'outbox_message_by_age', properties: ['createdAt'] },
  ],
});
