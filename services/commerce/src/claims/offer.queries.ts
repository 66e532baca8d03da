import type { EventScope } from '@event-api/contracts/internal/scope';
import { unavailable } from '@event-api/platform/core/errors';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { EventProjectionTable } from '../projections/event.projection.ts';

const columns = columnsOf(EventProjectionTable, 'e', {
  only: ['name', 'form', 'status', 'endsAt', 'cancelledAt'],
});

/** What the page of a claim shows of the event. */
export type Offer = RowOf<typeof columns> & { now: Date; ticketTypeNames: Record<string, string> };

const ofEvent = statement<Offer>(
  'claim_offer',
  `select ${columns.sql}, clock_timestamp() as now,
     (select coalesce(jsonb_object_agg(t.id, t.name), '{}') from commerce.ticket_type_projection t
      where t.business_unit_id = e.business_unit_id and t.event_id = e.id) as "ticketTypeNames"
   from commerce.event_projection e where e.business_unit_id = $1 and e.id = $2`,
);

/** Reads the name of an event, its form, its end and its ticket types. Errors: 503 without its projection. */
export async function readOffer(db: Db, { businessUnitId, eventId }: EventScope): Promise<Offer> {
  const [offer] = await db.query(ofEvent, [businessUnitId, eventId]);
  if (!offer) throw unavailable(new Error('the event is not known yet'));
  return offer;
}
