import { subjectTypes } from '@event-api/contracts/http/checkins';
import { defineEntity, p } from '@mikro-orm/core';

/**
 * A session or a venue that was deleted. Devices that were offline may still report scans at its
 * door. Triggers write the rows.
 */
export const DeletedDoor = defineEntity({
  name: 'DeletedDoor',
  tableName: 'deleted_door',
  properties: {
    subjectType: p.enum(subjectTypes).primary(),
    subjectId: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
  },
});

/** The trigger of a table of doors. */
export const rememberDeleted = (table: 'session' | 'venue') => ({
  name: 'remember_deleted',
  timing: 'after' as const,
  events: ['delete' as const],
  forEach: 'row' as const,
  expression: `create trigger remember_deleted after delete on onsite.${table} for each row execute function onsite.remember_deleted_fn()`,
});
