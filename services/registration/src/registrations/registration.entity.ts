import { registrationKinds, registrationStatuses } from '@event-api/contracts/http/registrations';
import { nameOrderSql, nameVectorSql } from '@event-api/platform/db/name-search';
import { partVectorSql } from '@event-api/platform/db/part-search';
import { defineEntity, p } from '@mikro-orm/core';

export const Registration = defineEntity({
  name: 'Registration',
  tableName: 'registration',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    attendeeId: p.text().index('registration_of_attendee'),
    /** The same for the same email in the whole business unit. */
    contactId: p.text(),
    /** As sent. */
    email: p.text(),
    /** Normalized, for comparison. */
    normalEmail: p.text(),
    /**
     * The normalized email while the registration is active. Unique: a person is active once in an
     * event.
     */
    activeEmail: p
      .text()
      .nullable()
      .check(
        "(active_email IS NULL) = (status = ANY (ARRAY['rejected'::text, 'cancelled'::text]))",
      ),
    name: p.text().nullable(),
    status: p.enum(registrationStatuses),
    type: p.enum(registrationKinds),
    ticketTypeId: p.text().nullable(),
    redemptionCodeId: p.text().nullable(),
    /** The order that created it, or to which a revoked order handed it over, if any. */
    orderId: p.text().nullable().index('registration_of_order'),
    /** The open seat of an order that it was assigned to; null for any other registration. */
    seatId: p.text().nullable(),
    checkinCode: p.text().unique('registration_checkin_code_unique'),
    registeredAt: p.datetime(3),
    cancelledAt: p.datetime(3).nullable(),
    /**
     * Whether its event was cancelled when it ended, as seen under the lock of the event. Null while it
     * is active, and if the previous release has ended it.
     */
    endedWithEvent: p.boolean().nullable(),
    rejectionReason: p.text().nullable(),
    /** The responses to the form of the event: its own, or those of its order at the fulfilment. */
    responses: p.json<Record<string, unknown>>().nullable(),
    /** The order of creation, by which the waitlist and lists are sorted. */
    insertionOrder: p.bigint('number').autoincrement(),
    /** The place on the waitlist after a missed offer; null for the order of creation. */
    waitlistOrder: p.bigint('number').nullable(),
    /** The reservation that offers it a seat, and when the offer ends. */
    offerId: p.text().nullable(),
    offerExpiresAt: p.datetime(3).nullable(),
    /** How many of its offers have expired. */
    offersMissed: p.integer().default(0),
    version: p.bigint('number'),
  },
  uniques: [{ name: 'registration_active_email_unique', properties: ['eventId', 'activeEmail'] }],
  indexes: [
    {
      name: 'registration_newest_first',
      properties: ['businessUnitId', 'eventId', 'insertionOrder'],
    },
    {
      name: 'registration_by_status',
      properties: ['businessUnitId', 'eventId', 'status', 'insertionOrder'],
    },
    {
      name: 'registration_by_time',
      expression:
        'create index registration_by_time on registration.registration (business_unit_id, event_id, registered_at, id, status collate "C")',
    },
    {
      name: 'registration_waitlist',
      expression:
        "create index registration_waitlist on registration.registration (ticket_type_id, (coalesce(waitlist_order, insertion_order))) where status = 'waitlisted' and offer_id is null",
    },
    { name: 'registration_waiting', properties: ['ticketTypeId', 'status', 'insertionOrder'] },
    {
      name: 'registration_of_type',
      expression:
        'create index registration_of_type on registration.registration (ticket_type_id collate "C", insertion_order)',
    },
    {
      name: 'registration_of_code',
      expression:
        'create index registration_of_code on registration.registration (redemption_code_id, insertion_order) where redemption_code_id is not null',
    },
    { name: 'registration_changes', properties: ['businessUnitId', 'eventId', 'version', 'id'] },
    {
      name: 'registration_of_email',
      expression:
        'create index registration_of_email on registration.registration (event_id collate "C", normal_email text_pattern_ops)',
    },
    {
      name: 'registration_of_badge',
      expression: `create index registration_of_badge on registration.registration ((event_id || ' '), checkin_code text_pattern_ops)`,
    },
    {
      name: 'registration_name_order',
      expression: `create index registration_name_order on registration.registration ((event_id || ''), ${nameOrderSql('name')}, insertion_order)`,
    },
    {
      name: 'registration_by_name',
      expression: `create index registration_by_name on registration.registration using gin ((${nameVectorSql('event_id', 'name')})) with (fastupdate = off)`,
    },
    {
      // Entries are added together: one by one they would cost an insert twice its time. A search
      // reads the kilobytes that wait.
      name: 'registration_by_email_part',
      expression: `create index registration_by_email_part on registration.registration using gin ((${partVectorSql('event_id', 'normal_email')})) with (gin_pending_list_limit = 256)`,
    },
  ],
});

/** The code of a former badge of a registration, which a transfer has replaced. */
export const ReplacedBadge = defineEntity({
  name: 'ReplacedBadge',
  tableName: 'replaced_badge',
  properties: {
    checkinCode: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    registrationId: p.text().index('replaced_badge_of_registration'),
    replacedAt: p.datetime(3),
  },
});

/** Units of an add-on that an order added to a registration. */
export const RegistrationAddon = defineEntity({
  name: 'RegistrationAddon',
  tableName: 'registration_addon',
  properties: {
    registrationId: p.text().primary(),
    addonId: p.text().primary(),
    orderId: p.text().primary(),
    businessUnitId: p.text(),
    /** A row of the previous release is one unit. */
    quantity: p.integer().default(1).check('quantity > 0'),
  },
});

/**
 * A fulfilled order that lists a registration of another order, because its attendee had registered
 * before.
 */
export const RegistrationOrder = defineEntity({
  name: 'RegistrationOrder',
  tableName: 'registration_order',
  properties: {
    registrationId: p.text().primary(),
    orderId: p.text().primary().index('registration_order_of_order'),
    businessUnitId: p.text(),
  },
});
