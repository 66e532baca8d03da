import { codeStatuses } from '@event-api/contracts/http/redemption-codes';
import { changeVersion } from '@event-api/platform/db/row-version';
import { defineEntity, p } from '@mikro-orm/core';

export const RedemptionCode = defineEntity({
  name: 'RedemptionCode',
  tableName: 'redemption_code',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    ticketTypeId: p.text(),
    /** As sent. */
    code: p.text(),
    /** In upper case, for comparison. */
    codeKey: p.text(),
    label: p.text().nullable(),
    /** Of the request that created several codes. */
    batchId: p.text().nullable(),
    maxUses: p.integer().nullable(),
    /** Uses by active registrations and active reservations. Only admission changes it. */
    uses: p.integer().default(0).check('uses >= 0'),
    expiresAt: p.datetime(3).nullable(),
    status: p.enum(codeStatuses).default('active'),
    discountType: p.enum(['percent', 'amount'] as const).nullable(),
    discountValue: p.integer().nullable(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    insertionOrder: p.bigint('number').autoincrement(),
    version: changeVersion(),
  },
  uniques: [{ name: 'redemption_code_unique', properties: ['eventId', 'codeKey'] }],
  indexes: [
    {
      name: 'redemption_code_newest_first',
      properties: ['businessUnitId', 'eventId', 'insertionOrder'],
    },
    {
      name: 'redemption_code_by_status',
      properties: ['businessUnitId', 'eventId', 'status', 'insertionOrder'],
    },
    {
      name: 'redemption_code_of_batch',
      properties: ['businessUnitId', 'eventId', 'batchId', 'insertionOrder'],
    },
    { name: 'redemption_code_changes', properties: ['businessUnitId', 'eventId', 'version', 'id'] },
  ],
});

/** A perk that a code delivers. */
export const RedemptionCodePerk = defineEntity({
  name: 'RedemptionCodePerk',
  tableName: 'redemption_code_perk',
  properties: {
    redemptionCodeId: p.text().primary(),
    perkId: p.text().primary(),
    businessUnitId: p.text(),
  },
});
