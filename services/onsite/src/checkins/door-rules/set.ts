import type {
  DoorRules,
  setDoorRules as operation,
} from '@event-api/contracts/operator/door-rules';
import { recordAudit } from '@event-api/platform/audit/write';
import type { Database } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { z } from 'zod';

const write = statement(
  'door_rule_set',
  `insert into onsite.door_rule as f (business_unit_id, event_id, refuse_if_former_inside) values ($1, $2, $3)
   on conflict (event_id) do update set refuse_if_former_inside = excluded.refuse_if_former_inside
   where f.business_unit_id = $1`,
);

/**
 * Sets what the doors of an event do. The next scan follows it; devices that are offline follow it
 * after they have read the roster. Allowed in archived events, whose doors admit people, too.
 * Errors: 404 for an unknown event; 503.
 */
export async function setDoorRules(
  { db, refresher }: { db: Database; refresher: ProjectionRefresher },
  { businessUnitId, eventId, refuseIfFormerInside }: z.output<typeof operation.schema.body>,
): Promise<DoorRules> {
  await refresher.require(eventRef({ businessUnitId, eventId }));
  await db.transaction(async (tx) => {
    recordAudit(tx);
    await tx.query(write, [businessUnitId, eventId, refuseIfFormerInside]);
  });
  return { eventId, refuseIfFormerInside };
}
