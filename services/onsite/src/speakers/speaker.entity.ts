import { defineEntity, p } from '@mikro-orm/core';

/** Somebody of the line-up. */
export const Speaker = defineEntity({
  name: 'Speaker',
  tableName: 'speaker',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    name: p.text(),
    title: p.text().nullable(),
    bio: p.text().nullable(),
    registrationId: p.text().nullable(),
    /** As given; those that are no longer on the agenda are not shown. */
    sessionIds: p.array().columnType('text[]'),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    place: p.bigint('number').autoincrement(),
  },
  indexes: [{ name: 'speaker_newest_first', properties: ['businessUnitId', 'eventId', 'place'] }],
});
