import { registrationSnapshot } from '@event-api/contracts/messages/registration';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { badgeTriggers, changedSeqColumn } from './badge-changes.entity.ts';
import { perkIdsColumn, projectedColumns } from './projected-columns.ts';

export const ProjectedRegistration = defineEntity({
  name: 'ProjectedRegistration',
  tableName: 'registration_projection',
  properties: {
    ...projectedColumns,
    /** Null also while the owner runs a release that publishes no names. */
    name: p.text().nullable(),
    status: p.text(),
    checkinCode: p.text().index('registration_projection_by_code'),
    replacedCheckinCodes: p.array().columnType('text[]').defaultRaw("'{}'"),
    ticketTypeId: p.text().nullable(),
    addonIds: p.array().columnType('text[]'),
    redemptionCodeId: p.text().nullable(),
    grantedPerkIds: perkIdsColumn(),
    changedSeq: changedSeqColumn(),
  },
  triggers: badgeTriggers,
  indexes: [
    { name: 'badge_in_order_of_change', properties: ['eventId', 'changedSeq', 'id'] },
    {
      // Few registrations have replaced codes. The others have no entry.
      name: 'registration_projection_by_replaced_code',
      expression:
        "create index registration_projection_by_replaced_code on onsite.registration_projection using gin (replaced_checkin_codes) where replaced_checkin_codes <> '{}'",
    },
  ],
});

export const registrationProjection = defineProjection({
  type: registrationSnapshot,
  schema: 'onsite',
  entity: ProjectedRegistration,
  own: ['changedSeq'],
});
