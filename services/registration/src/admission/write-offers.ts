import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Tx } from '@event-api/platform/db/database';
import { initialVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import {
  type RegistrationRow,
  registrationColumns,
} from '../registrations/registrations.queries.ts';
import { type AdmissionState, type Change, isNewOrder } from '../seats/seats.rules.ts';

// A registration that has missed an offer takes the next place of the sequence that orders the
// waitlist. The inner query sorts before the sequence is read.
const updateOffers = statement<RegistrationRow>(
  'admission_write_offers',
  `with x as materialized (
     select id, offer_id, expires_at, missed, case when requeued
       then nextval(pg_get_serial_sequence('registration.registration', 'insertion_order')) end as place
     from (
       select * from unnest($3::text[], $4::text[], $5::timestamptz[], $6::int[], $7::boolean[])
         with ordinality u(id, offer_id, expires_at, missed, requeued, n) order by n
     ) u
   )
   update registration.registration r set offer_id = x.offer_id, offer_expires_at = x.expires_at,
     offers_missed = x.missed, waitlist_order = coalesce(x.place, r.waitlist_order),
     version = greatest(r.version + 1, ${initialVersionSql})
   from x where r.id = x.id and (r.event_id = $2) is true and (r.business_unit_id = $1) is true
   returning ${registrationColumns}`,
);

/** The ids of registrations whose offer was opened or closed, in the order of the last change. */
export function offerChanges(
  { reservations }: AdmissionState,
  changes: readonly Change[],
): string[] {
  const ids = new Set<string>();
  for (const change of changes) {
    const id =
      change.kind === 'reserve'
        ? change.reservation.offer?.registrationId
        : change.kind === 'close_reservation' && reservations.get(change.id)?.offer?.registrationId;
    if (!id) continue;
    ids.delete(id);
    ids.add(id);
  }
  return [...ids];
}

/** Writes the offers of registrations as they are in `state`, and returns the rows. */
export async function writeOffers(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  { registrations, reservations }: AdmissionState,
  ids: readonly string[],
): Promise<RegistrationRow[]> {
  if (ids.length === 0) return [];
  const changed = ids.flatMap((id) => registrations.get(id) ?? []);
  return tx.query(updateOffers, [
    businessUnitId,
    eventId,
    changed.map(({ id }) => id),
    changed.map(({ offerId }) => offerId),
    changed.map(({ offerId }) => reservations.get(offerId ?? '')?.expiresAt ?? null),
    changed.map(({ offersMissed }) => offersMissed),
    changed.map(({ waitlistOrder }) => isNewOrder(waitlistOrder)),
  ]);
}
