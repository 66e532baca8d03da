import type { EventScope } from '@event-api/contracts/internal/scope';
import type { EventLimits } from '@event-api/contracts/operator/event-limits';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { EventLock } from '../seats/seat.entity.ts';

type Limits = Omit<EventLimits, 'eventId'>;

const columns = columnsOf(EventLock, 'l', { omit: ['eventId', 'businessUnitId', 'cancelledAt'] });

const update = statement<RowOf<typeof columns>>(
  'event_limits_update',
  `update registration.event_lock l set
     max_holds_per_email = case when $3 then $4::int else max_holds_per_email end,
     max_seats_per_email = case when $5 then $6::int else max_seats_per_email end,
     waitlist_offer_minutes = case when $7 then $8::int else waitlist_offer_minutes end
   where event_id = $1 and business_unit_id = $2
   returning ${columns.sql}`,
);

/** Writes the limits of a locked event and returns all of them. Undefined limits stay unchanged. */
export async function updateLimits(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  limits: { [Limit in keyof Limits]?: Limits[Limit] | undefined },
): Promise<Limits> {
  const { maxHoldsPerEmail, maxSeatsPerEmail, waitlistOfferMinutes } = limits;
  const [row] = await tx.query(update, [
    eventId,
    businessUnitId,
    maxHoldsPerEmail !== undefined,
    maxHoldsPerEmail ?? null,
    maxSeatsPerEmail !== undefined,
    maxSeatsPerEmail ?? null,
    waitlistOfferMinutes !== undefined,
    waitlistOfferMinutes ?? null,
  ]);
  if (!row) throw new Error('the event must be locked before its limits are written');
  return row;
}

const read = statement<RowOf<typeof columns>>(
  'event_limits_read',
  `select ${columns.sql} from registration.event_lock l where l.event_id = $1 and l.business_unit_id = $2`,
);

/** Reads the limits of an event. One that nobody has registered for has no row yet: no limit is set. */
export async function readLimits(db: Db, { businessUnitId, eventId }: EventScope): Promise<Limits> {
  const [row] = await db.query(read, [eventId, businessUnitId]);
  return row ?? { maxHoldsPerEmail: null, maxSeatsPerEmail: null, waitlistOfferMinutes: null };
}
