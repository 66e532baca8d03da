import { defineEntity, p } from '@mikro-orm/core';

const projectedColumns = {
  id: p.text().primary(),
  businessUnitId: p.text(),
  eventId: p.text(),
  version: p.bigint('number'),
};

const perkIds = () => p.array().columnType('text[]');

export const EventProjection = defineEntity({
  name: 'EventCopy',
  tableName: 'event_copy',
  properties: {
    ...projectedColumns,
    /** Sessions that were made before this count are cleared. */
    agendaEpoch: p.integer(),
    startsAt: p.datetime(3).nullable(),
    endsAt: p.datetime(3).nullable(),
  },
});

export const RegistrationProjection = defineEntity({
  name: 'RegistrationCopy',
  tableName: 'registration_copy',
  properties: {
    ...projectedColumns,
    status: p.text(),
    checkinCode: p.text().index('registration_copy_by_code'),
    ticketTypeId: p.text().nullable(),
    addonIds: p.array().columnType('text[]'),
    redemptionCodeId: p.text().nullable(),
    grantedPerkIds: perkIds(),
  },
});

export const TicketTypeProjection = defineEntity({
  name: 'TicketTypeCopy',
  tableName: 'ticket_type_copy',
  properties: { ...projectedColumns, perkIds: perkIds() },
});

export const AddonProjection = defineEntity({
  name: 'AddonCopy',
  tableName: 'addon_copy',
  properties: { ...projectedColumns, perkIds: perkIds() },
});

export const RedemptionCodeProjection = defineEntity({
  name: 'RedemptionCodeCopy',
  tableName: 'redemption_code_copy',
  properties: { ...projectedColumns, perkIds: perkIds() },
});

/** Known to be a perk of its event; what it is called matters to nobody here. */
export const PerkProjection = defineEntity({
  name: 'PerkCopy',
  tableName: 'perk_copy',
  properties: { ...projectedColumns },
});
