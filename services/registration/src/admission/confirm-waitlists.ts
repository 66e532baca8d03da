import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventSnapshot, ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { ApiError } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { timeouts } from '../timeouts.ts';

const waitlistsOfEvent = statement<{ id: string }>(
  'event_waitlists',
  `select ticket_type_id as id from registration.seat_ledger
   where event_id = $2 and business_unit_id = $1 and waitlisted > 0`,
);

/**
 * Whether a batch may promote from the waitlists of an event. While the projections are not
 * confirmed, the event and its ticket types with a waitlist are fetched from catalog first: a
 * projected capacity or price may be one that the database of catalog has lost. If catalog does not
 * respond, promotions wait if that database is known to differ; otherwise the projections decide.
 */
export async function confirmWaitlists(
  { db, refresher }: { db: Db; refresher: ProjectionRefresher },
  scope: EventScope,
): Promise<boolean> {
  const types = [eventSnapshot.type, ticketTypeSnapshot.type];
  if ((await refresher.statusOf(types)) === 'confirmed') return true;
  const { businessUnitId, eventId } = scope;
  const waitlists = await db.query(waitlistsOfEvent, [businessUnitId, eventId]);
  if (waitlists.length === 0) return true;
  const records = waitlists.map(({ id }) => ({
    type: ticketTypeSnapshot.type,
    businessUnitId,
    id,
  }));
  try {
    await refresher.confirm([eventRef(scope), ...records], timeouts.promotionOwnerMs);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}
