import { defineEntity, p } from '@mikro-orm/core';
import type { OriginStates } from './origins.ts';

/** The definition of `ProjectionCheckpoint`, for a service that adds triggers to it. */
export const projectionCheckpoint = {
  name: 'ProjectionCheckpoint',
  tableName: 'projection_checkpoint',
  properties: {
    name: p.text().primary(),
    seq: p.bigint('number'),
    /** The creation time of the stream in which `seq` counts. */
    streamCreatedAt: p.text(),
    /**
     * The hash of the message at `seq`. It reveals a stream that has lost its end and reuses
     * numbers.
     */
    lastMessageHash: p.text(),
    /** The fingerprint of the projections. A different one causes a resync. */
    schemaFingerprint: p.text(),
    /**
     * For each origin the lineage of its database from which the projections come, and whether that
     * is confirmed.
     */
    origins: p.json<OriginStates>().defaultRaw("'{}'"),
  },
};

/** The position of a service in the stream. It advances in the same commit as the projections. */
export const ProjectionCheckpoint = defineEntity(projectionCheckpoint);

/** Snapshots that could not be applied, stored for inspection. */
export const DeadLetter = defineEntity({
  name: 'DeadLetter',
  tableName: 'dead_letter',
  properties: {
    streamCreatedAt: p.text().primary(),
    seq: p.bigint('number').primary(),
    index: p.integer().primary(),
    body: p.text(),
    error: p.text(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
});
