import { defineEntity, p } from '@mikro-orm/core';

/** How far the cancellation of an event is. Its terms are those of the projected event. */
export const EventCancellation = defineEntity({
  name: 'EventCancellation',
  tableName: 'event_cancellation',
  properties: {
    eventId: p.text().primary(),
    businessUnitId: p.text(),
    /** Orders that were open, and what registration had, when the cancellation began. */
    openOrders: p.integer().nullable(),
    registrations: p.integer().nullable(),
    /** What registration has not cancelled yet; null before its first response. */
    registrationsLeft: p.integer().nullable(),
    finishedAt: p.datetime(3).nullable(),
    /** Why the last attempt has failed. */
    problem: p.text().nullable(),
    /** When it is looked at again, also by another replica if this one ends. */
    nextAttemptAt: p.datetime(3).index('event_cancellation_next'),
  },
});
