import type { EventScope } from '@event-api/contracts/internal/scope';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { AddonProjection } from '../projections/addon.projection.ts';
import { RegistrationAddon } from '../registrations/registration.entity.ts';
import { receiversOf } from '../reservations/addons.rules.ts';
import type { AddonState, DeliveredUnits, ReservationState } from '../seats/seats.rules.ts';
import type { RecordRefs } from './requests.ts';

const columns = columnsOf(AddonProjection, 'a', {
  only: ['capacity', 'opensAt', 'closesAt', 'minPerOrder', 'maxPerOrder'],
});

// A requested add-on that the projection does not have is unlimited, and counted all the same.
const addonsOfEvent = statement<AddonState & RowOf<typeof columns>>(
  'admission_addons',
  `with known as (
     select id from registration.addon_projection where event_id = $1 and business_unit_id = $2
     union select unnest($3::text[])
   )
   select k.id, ${columns.sql}, coalesce(l.confirmed, 0) as confirmed, coalesce(l.reserved, 0) as reserved
   from known k
   left join registration.addon_projection a on a.id = k.id and (a.event_id = $1) is true and (a.business_unit_id = $2) is true
   left join registration.seat_ledger l on l.ticket_type_id = k.id and (l.business_unit_id = $2) is true`,
);

/**
 * Whether requests can reserve, deliver or return units of add-ons. A new registration does not: only
 * reservations that have expired return units in a batch of registrations.
 */
export const mayChangeUnits = ({
  addonIds,
  orderIds,
  registrationIds,
  reservationIds,
}: RecordRefs): boolean =>
  addonIds.length + orderIds.length + registrationIds.length + reservationIds.length > 0;

/** Reads the add-ons of an event, and those that requests refer to, with their taken units. */
export const readAddons = (
  tx: Tx,
  { eventId, businessUnitId }: EventScope,
  { addonIds }: Pick<RecordRefs, 'addonIds'>,
): Promise<AddonState[]> => tx.query(addonsOfEvent, [eventId, businessUnitId, addonIds]);

const units = columnsOf(RegistrationAddon, 'a', {
  only: ['registrationId', 'orderId', 'addonId', 'quantity'],
});

const deliveredUnits = statement<RowOf<typeof units>>(
  'admission_delivered_units',
  `select ${units.sql}
   from registration.registration_addon a join registration.registration r on r.id = a.registration_id
   where a.registration_id = any($3) and (a.business_unit_id = $2) is true and (r.event_id = $1) is true
     and r.active_email is not null`,
);

/**
 * Reads the add-ons of active registrations that requests may end, or that orders may lose which
 * requests revoke, by registration.
 */
export async function readDelivered(
  tx: Tx,
  { eventId, businessUnitId }: EventScope,
  { registrationIds, orderIds }: Pick<RecordRefs, 'registrationIds' | 'orderIds'>,
  read: {
    registrations: readonly { id: string; orderId: string | null }[];
    reservations: readonly ReservationState[];
  },
): Promise<Map<string, DeliveredUnits[]>> {
  const ofOrders = read.registrations.filter(({ orderId }) => orderIds.includes(orderId ?? ''));
  const receivers = read.reservations.flatMap(({ id, fulfilment }) =>
    fulfilment && orderIds.includes(id) ? receiversOf(fulfilment) : [],
  );
  const ids = [...new Set([...registrationIds, ...ofOrders.map(({ id }) => id), ...receivers])];
  if (ids.length === 0) return new Map();
  const rows = await tx.query(deliveredUnits, [eventId, businessUnitId, ids]);
  return Map.groupBy(rows, ({ registrationId }) => registrationId);
}
