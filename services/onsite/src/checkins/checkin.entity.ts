import { checkinMethods, subjectTypes } from '@event-api/contracts/http/checkins';
import { defineEntity, p } from '@mikro-orm/core';

/** Somebody who has passed a door. Each registration passes each door once, and this constraint is what says so. */
export const Checkin = defineEntity({
  name: 'Checkin',
  tableName: 'checkin',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    registrationId: p.text(),
    subjectType: p.enum(subjectTypes),
    /** Of the event's own door the event's id, so that there is one such door. */
    subjectId: p.text(),
    method: p.enum(checkinMethods),
    checkedInAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    place: p.bigint('number').autoincrement(),
  },
  uniques: [{ name: 'checkin_once', properties: ['registrationId', 'subjectType', 'subjectId'] }],
  indexes: [
    { name: 'checkin_newest_first', properties: ['businessUnitId', 'eventId', 'place'] },
    { name: 'checkin_of_kind', properties: ['businessUnitId', 'eventId', 'subjectType', 'place'] },
    { name: 'checkin_of_subject', properties: ['businessUnitId', 'eventId', 'subjectId', 'place'] },
  ],
});
