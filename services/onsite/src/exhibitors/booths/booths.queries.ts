import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

// Of two concurrent inserts of one number, `booth_number_unique` lets only the first succeed.
const insert = statement<{ id: string }>(
  'booth_insert',
  `insert into onsite.booth (business_unit_id, event_id, exhibitor_id, id, number, type, venue_id)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict (event_id, number) do nothing returning id`,
);

/** Inserts a booth. Returns false if the event already has a booth with this number. */
export async function insertBooth(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  booth: {
    exhibitorId: string;
    id: string;
    number: string;
    type: string;
    venueId: string | null;
  },
): Promise<boolean> {
  const { exhibitorId, id, number, type, venueId } = booth;
  const values = [businessUnitId, eventId, exhibitorId, id, number, type, venueId];
  return (await tx.query(insert, values)).length > 0;
}

const remove = statement<{ id: string }>(
  'booth_delete',
  `delete from onsite.booth where business_unit_id = $1 and event_id = $2 and exhibitor_id = $3
     and ($4::text is null or number = $4) and ($5::text is null or id = $5) returning id`,
);

/**
 * Deletes an exhibitor's booths that match the number and the id, where set. Returns whether there
 * were any.
 */
export async function removeBooth(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  booth: { exhibitorId: string; number?: string | undefined; boothId?: string | undefined },
): Promise<boolean> {
  const { exhibitorId, number = null, boothId = null } = booth;
  const removed = await tx.query(remove, [businessUnitId, eventId, exhibitorId, number, boothId]);
  return removed.length > 0;
}
