import { checkinMethods, subjectTypes } from '@event-api/contracts/http/checkins';
import { defineEntity, p } from '@mikro-orm/core';

/** A registration that has passed a door. The unique constraint allows one check-in per registration and door. */
export const Checkin = defineEntity({
  name: 'Checkin',
  tableName: 'checkin',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    registrationId: p.text(),
    subjectType: p.enum(subjectTypes),
    /** For the event's own door, the event's id. So the constraint covers that door, too. */
    subjectId: p.text(),
    method: p.enum(checkinMethods),
    checkedInAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    /**
     * Whether projections decided that were not confirmed to come from the present database of their owner, because it
     * did not respond.
     */
    isUnconfirmed: p.boolean().default(false),
    insertionOrder: p.bigint('number').autoincrement(),
  },
  uniques: [{ name: 'checkin_once', properties: ['registrationId', 'subjectType', 'subjectId'] }],
  indexes: [
    { name: 'checkin_newest_first', properties: ['businessUnitId', 'eventId', 'insertionOrder'] },
    {
      name: 'checkin_of_kind',
      properties: ['businessUnitId', 'eventId', 'subjectType', 'insertionOrder'],
    },
    {
      name: 'checkin_of_subject',
      properties: ['businessUnitId', 'eventId', 'subjectId', 'insertionOrder'],
    },
  ],
  triggers: [
    {
      // A trigger, because the previous release also writes check-ins during a rollout.
      name: 'count',
      timing: 'after',
      events: ['insert'],
      forEach: 'statement',
      expression:
        'create trigger count after insert on onsite.checkin referencing new table as inserted for each statement execute function onsite.checkin_count_fn()',
    },
  ],
});
