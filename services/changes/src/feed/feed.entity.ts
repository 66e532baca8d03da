import { defineEntity, p } from '@mikro-orm/core';

/** How far the log of an owner is in the feed. */
export const OwnerCursor = defineEntity({
  name: 'OwnerCursor',
  tableName: 'owner_cursor',
  properties: {
    owner: p.text().primary(),
    /** The number of the last change of its log that the feed contains. */
    number: p.bigint('number'),
  },
});

/** The lineage of a publisher's database as this service has seen it last. */
export const OwnerLineage = defineEntity({
  name: 'OwnerLineage',
  tableName: 'owner_lineage',
  properties: {
    owner: p.text().primary(),
    lineage: p.text(),
  },
});

/** The end of the feed of a business unit. */
export const FeedHead = defineEntity({
  name: 'FeedHead',
  tableName: 'feed_head',
  properties: {
    businessUnitId: p.text().primary(),
    /**
     * Identifies this history of the feed. A restore of a database to an earlier state begins
     * another one.
     */
    epoch: p.text(),
    sequence: p.bigint('number'),
    /** The digest of the epoch up to `sequence`, in hex. */
    digest: p.text(),
    /** The changes up to this sequence belong to an earlier epoch or are not kept any more. */
    floor: p.bigint('number'),
  },
});

/** A change of the feed. It never changes. */
export const FeedChange = defineEntity({
  name: 'FeedChange',
  tableName: 'feed_change',
  properties: {
    businessUnitId: p.text().primary(),
    sequence: p.bigint('number').autoincrement(false).primary(),
    id: p.text(),
    type: p.text(),
    /** Null for a change of a webhook endpoint. */
    eventId: p.text().nullable(),
    objectId: p.text(),
    /**
     * The owner, and the number in its log. The service's own changes have the owner `changes` and
     * the number 0.
     */
    owner: p.text(),
    number: p.bigint('number'),
    occurredAt: p.datetime(3),
    /** The digest of the epoch up to this change, in hex. */
    digest: p.text(),
    /** The change as clients receive it, as JSON text. */
    entry: p.text(),
  },
  indexes: [
    { name: 'feed_change_of_event', properties: ['businessUnitId', 'eventId', 'sequence'] },
    { name: 'feed_change_by_id', properties: ['businessUnitId', 'id'] },
    { name: 'feed_change_of_owner', properties: ['owner', 'number'] },
    { name: 'feed_change_by_age', properties: ['occurredAt'] },
    { name: 'feed_change_of_object', properties: ['businessUnitId', 'objectId', 'sequence'] },
  ],
});
