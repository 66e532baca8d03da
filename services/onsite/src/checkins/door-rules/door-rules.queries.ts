import type { EventScope } from '@event-api/contracts/internal/scope';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { DoorRule } from './door-rule.entity.ts';

const columns = columnsOf(DoorRule, 'f', { omit: ['eventId', 'businessUnitId'] });

const read = statement<RowOf<typeof columns>>(
  'door_rule_read',
  `select ${columns.sql} from onsite.door_rule f where f.event_id = $1 and f.business_unit_id = $2`,
);

/** Reads the rules of the doors of an event, or the defaults. */
export async function readDoorRules(
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<RowOf<typeof columns>> {
  const [row] = await db.query(read, [eventId, businessUnitId]);
  return row ?? { refuseIfFormerInside: false };
}
