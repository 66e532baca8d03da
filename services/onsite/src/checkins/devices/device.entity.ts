import { defineEntity, p } from '@mikro-orm/core';

/**
 * When a device was seen at the doors, and what it has reported. The gateway owns its name and its
 * credentials, and no request of a device writes there.
 */
export const Device = defineEntity({
  name: 'Device',
  tableName: 'device',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    lastSeenAt: p.datetime(3),
    unsentScans: p.integer().nullable(),
    rosterReadAt: p.datetime(3).nullable(),
    /** Null until the first report. */
    reportedAt: p.datetime(3).nullable(),
  },
  indexes: [
    { name: 'device_of_event', properties: ['eventId'] },
    { name: 'device_by_age', properties: ['lastSeenAt'] },
  ],
});
