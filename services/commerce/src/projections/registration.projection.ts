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
  },
  indexes: [
    {
      // Few seats of orders end. The collations are those of `customer_order_paid`.
      name: 'registration_projection_ended',
      expression:
        'create index registration_projection_ended on commerce.registration_projection (business_unit_id collate "C", event_id collate "C", order_id) where order_id is not null and status in (\'cancelled\', \'rejected\')',
    },
  ],
});

export const registrationProjection = defineProjection({
  type: registrationSnapshot,
  schema: 'commerce',
  entity: RegistrationProjectionTable,
});
