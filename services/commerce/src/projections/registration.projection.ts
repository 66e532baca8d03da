import { registrationSnapshot } from '@event-api/contracts/messages/registration';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectionColumns } from './columns.ts';

/** The registrations of orders and of persons without one. */
export const RegistrationProjectionTable = defineEntity({
  name: 'RegistrationProjection',
  tableName: 'registration_projection',
  properties: {
    ...projectionColumns,
    status: p.text(),
    /** Null also while the owner runs a release that does not publish it. */
    orderId: p.text().nullable(),
    /** The open seat of the order that was assigned to it. */
    seatId: p.text().nullable(),
    cancelledAt: p.datetime(3).nullable(),
    /** Null also while the owner runs a release that does not publish it. */
    endedWithEvent: p.boolean().nullable(),
  },
  indexes: [
    {
      // Few seats of orders end. The collations are those of `customer_order_paid`.
      name: 'registration_projection_ended',
      expression:
        'create index registration_projection_ended on commerce.registration_projection (business_unit_id collate "C", event_id collate "C", order_id) where order_id is not null and status in (\'cancelled\', \'rejected\')',
    },
  ],
  triggers: [
    {
      // However a registration of a paid order ends, the policy of the order applies to its seat,
      // once. In the transaction of the projection, so that no message is applied without it. A
      // replica of the previous release applies a message without all that it says; a resync completes it.
      name: 'cancelled_seat',
      timing: 'after',
      events: ['insert', 'update'],
      body: `if new.order_id is not null and new.status in ('cancelled', 'rejected') then insert into commerce.cancelled_seat as c (registration_id, order_id, business_unit_id, event_id, cancelled_at, ended_with_event, last_attempt_at) select new.id, o.id, o.business_unit_id, o.event_id, coalesce(new.cancelled_at, clock_timestamp()), new.ended_with_event, '-infinity' from commerce.customer_order o where o.id = new.order_id and o.business_unit_id = new.business_unit_id and o.total_amount > 0 and jsonb_array_length(o.refund_policy->'bands') > 0 on conflict (registration_id) do update set ended_with_event = excluded.ended_with_event where c.decided_at is null and c.ended_with_event is null and excluded.ended_with_event is not null; end if; return null;`,
    },
    {
      // A request that has assigned the seat stores it in the order, unless the process ends before.
      name: 'seat_assignment',
      timing: 'after',
      events: ['insert', 'update'],
      body: `if new.seat_id is not null then insert into commerce.seat_assignment (seat_id, order_id, registration_id, business_unit_id, event_id, last_attempt_at) select new.seat_id, o.id, new.id, o.business_unit_id, o.event_id, '-infinity' from commerce.customer_order o where o.id = new.order_id and o.business_unit_id = new.business_unit_id and exists (select from commerce.order_line l where l.order_id = o.id and new.seat_id = any(l.registration_ids)) on conflict do nothing; end if; return null;`,
    },
  ],
});

export const registrationProjection = defineProjection({
  type: registrationSnapshot,
  schema: 'commerce',
  entity: RegistrationProjectionTable,
});
