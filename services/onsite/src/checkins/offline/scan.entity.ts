import { subjectTypes } from '@event-api/contracts/http/checkins';
import { defineEntity, p } from '@mikro-orm/core';

/**
 * A scan that a device has reported, with its result. A repeat of its id gets the stored result;
 * after 90 days the row is deleted.
 */
export const Scan = defineEntity({
  name: 'Scan',
  tableName: 'scan',
  properties: {
    eventId: p.text().primary(),
    scanId: p.text().primary(),
    businessUnitId: p.text(),
    source: p.text(),
    /** A hash of badge, door and decision: another scan with the same id is another one. */
    identity: p.text(),
    subjectType: p.enum(subjectTypes),
    subjectId: p.text(),
    decision: p.enum(['admitted', 'refused'] as const),
    /** By the clock of the device. */
    scannedAt: p.datetime(3),
    /** By the clock of the server. */
    occurredAt: p.datetime(3),
    rosterCursor: p.text().nullable(),
    /** Null only within the transaction that inserts the row. */
    result: p.json().nullable(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
  indexes: [
    { name: 'scan_by_age', properties: ['createdAt'] },
    {
      // Few scans are conflicts. The others have no entry.
      name: 'scan_conflict',
      expression:
        "create index scan_conflict on onsite.scan (event_id, created_at, scan_id) where result ->> 'result' in ('contested', 'overruled')",
    },
  ],
});
