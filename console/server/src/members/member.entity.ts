import { roles } from '@event-api/contracts/permissions';
import { defineEntity, p } from '@mikro-orm/core';

/** An operator in a business unit. */
export const Member = defineEntity({
  name: 'Member',
  tableName: 'member',
  properties: {
    businessUnitId: p.text().primary(),
    operatorId: p.text().primary(),
    role: p.enum(roles),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
  indexes: [{ name: 'member_of_operator', properties: ['operatorId'] }],
});
