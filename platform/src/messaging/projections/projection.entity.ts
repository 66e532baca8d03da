import { defineEntity, p } from '@mikro-orm/core';

/** How far a service has read the stream: moved in the same commit as the copies. */
export const ProjectionCheckpoint = defineEntity({
  name: 'ProjectionPosition',
  tableName: 'projection_position',
  properties: {
    name: p.text().primary(),
    seq: p.bigint('number'),
    /** Of the stream that `seq` counts in. */
    incarnation: p.text(),
    /** The hash of the message at `seq`, to notice a stream that has lost its end and counts anew. */
    anchor: p.text(),
    /** What the copies looked like; another look asks for a resync. */
    shape: p.text(),
  },
});

/** Snapshots that could not be applied, kept for a look. */
export const DeadLetter = defineEntity({
  name: 'DeadLetter',
  tableName: 'dead_letter',
  properties: {
    incarnation: p.text().primary(),
    seq: p.bigint('number').primary(),
    index: p.integer().primary(),
    body: p.text(),
    error: p.text(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
});
