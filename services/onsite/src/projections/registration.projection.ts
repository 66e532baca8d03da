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
  // Only stored fields are parsed: another release of registration may publish fewer or more fields.
  type: { ...registrationSnapshot, data: registrationSnapshot.data.omit({ type: true }) },
  table: 'onsite.registration_projection',
  columns: {
    name: 'text',
    status: 'text',
    checkin_code: 'text',
    replaced_checkin_codes: 'text[]',
    ticket_type_id: 'text',
    addon_ids: 'text[]',
    redemption_code_id: 'text',
    granted_perk_ids: 'text[]',
  },
  row: (data) => ({
    name: data.name,
    status: data.status,
    checkin_code: data.checkinCode,
    replaced_checkin_codes: data.replacedCheckinCodes,
    ticket_type_id: data.ticketTypeId,
    addon_ids: data.addonIds,
    redemption_code_id: data.redemptionCodeId,
    granted_perk_ids: data.grantedPerkIds,
  }),
});
