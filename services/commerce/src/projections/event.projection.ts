import type { AttendanceMode, CancellationRefund } from '@event-api/contracts/http/events';
import type { FormQuestion } from '@event-api/contracts/http/forms';
import type { RefundPolicy } from '@event-api/contracts/http/refund-policies';
import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectionColumns } from './columns.ts';

export const EventProjectionTable = defineEntity({
  name: 'EventProjection',
  tableName: 'event_projection',
  properties: {
    ...projectionColumns,
    name: p.text(),
    status: p.text(),
    currency: p.text(),
    currencyLocked: p.boolean(),
    form: p.json<FormQuestion[]>().nullable(),
    startsAt: p.datetime(3).nullable(),
    endsAt: p.datetime(3).nullable(),
    /** Null from a release that does not publish it. */
    timezone: p.text().nullable(),
    /** How and where people attend it. Null from a release that does not publish it. */
    attendanceMode: p.text().$type<AttendanceMode>().nullable(),
    country: p.text().nullable(),
    refundPolicy: p.json<RefundPolicy>().nullable(),
    /** Null for an event that takes place, as what its cancellation pays back. */
    cancelledAt: p.datetime(3).nullable(),
    cancellationRefund: p.text().$type<CancellationRefund>().nullable(),
  },
  indexes: [
    {
      // Few events are cancelled.
      name: 'event_projection_cancelled',
      expression:
        'create index event_projection_cancelled on commerce.event_projection (id) where cancelled_at is not null',
    },
  ],
});

export const eventProjection = defineProjection({
  type: eventSnapshot,
  schema: 'commerce',
  entity: EventProjectionTable,
});
