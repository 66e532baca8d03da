import { changeVersion } from '@event-api/platform/db/row-version';
import { defineEntity, p } from '@mikro-orm/core';

/** A person at an event, identified by the email. */
export const Attendee = defineEntity({
  name: 'Attendee',
  tableName: 'attendee',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    /** The same for the same email in the whole business unit. */
    contactId: p.text(),
    email: p.text(),
    normalEmail: p.text(),
    name: p.text().nullable(),
    createdAt: p.datetime(3),
    insertionOrder: p.bigint('number').autoincrement(),
    /** Increases when the attendee or one of its registrations changes. */
    version: changeVersion(),
  },
  uniques: [{ name: 'attendee_email_unique', properties: ['eventId', 'normalEmail'] }],
  indexes: [
    { name: 'attendee_newest_first', properties: ['businessUnitId', 'eventId', 'insertionOrder'] },
    { name: 'attendee_changes', properties: ['businessUnitId', 'eventId', 'version', 'id'] },
  ],
});
