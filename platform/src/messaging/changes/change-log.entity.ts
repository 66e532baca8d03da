import { defineEntity, p } from '@mikro-orm/core';

/** Changes that have no number yet, written in the same commit as the change itself. */
export const ChangeInbox = defineEntity({
  name: 'ChangeInbox',
  tableName: 'change_inbox',
  properties: {
    /** Drawn while the row of the object is locked, so the changes of one object are in order. */
    position: p.bigint('number').autoincrement().primary(),
    businessUnitId: p.text(),
    occurredAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    /** A `ChangeBody` as JSON text: the database does not read it. */
    body: p.text(),
  },
});

/**
 * The committed changes of a service, numbered without a gap. Rows are only added and, after the
 * retention, deleted.
 */
export const ChangeLog = defineEntity({
  name: 'ChangeLog',
  tableName: 'change_log',
  properties: {
    number: p.bigint('number').autoincrement(false).primary(),
    businessUnitId: p.text(),
    occurredAt: p.datetime(3),
    body: p.text(),
  },
});

/**
 * The highest number of the log, and the number up to which its reader has stored the changes. It
 * has one row.
 */
export const ChangeCounter = defineEntity({
  name: 'ChangeCounter',
  tableName: 'change_counter',
  properties: {
    name: p.text().primary(),
    last: p.bigint('number'),
    confirmed: p.bigint('number'),
  },
});
