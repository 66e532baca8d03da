import { defineEntity, p } from '@mikro-orm/core';

/** What a service knows about its messages in the stream. It has one row. */
export const StreamState = defineEntity({
  name: 'StreamState',
  tableName: 'stream_state',
  properties: {
    name: p.text().primary(),
    /**
     * Identifies this history of the database. A database that was restored to an earlier state
     * gets another one.
     */
    lineage: p.uuid(),
    /** The lineage before it. Null if it was never replaced. */
    previousLineage: p.uuid().nullable(),
    /** The creation time of the stream in which `confirmedSeq` counts. */
    incarnation: p.text(),
    /** The outbox contains the rows of all own messages up to this sequence. */
    confirmedSeq: p.bigint('number'),
  },
});
