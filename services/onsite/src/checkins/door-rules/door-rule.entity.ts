import { defineEntity, p } from '@mikro-orm/core';

/** What an operator has set for the doors of an event. Without a row, the defaults hold. */
export const DoorRule = defineEntity({
  name: 'DoorRule',
  tableName: 'door_rule',
  properties: {
    eventId: p.text().primary(),
    businessUnitId: p.text(),
    refuseIfFormerInside: p.boolean(),
  },
});
