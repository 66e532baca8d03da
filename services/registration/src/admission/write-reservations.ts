import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Tx } from '@event-api/platform/db/database';
import { initialVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import type { AdmissionState, Change } from '../seats/seats.rules.ts';

// A reservation of another event is not updated, and its id is not returned: the batch fails.
const upsertReservations = statement<{ id: string }>(
  'admission_reservations_write',
  `with written as (
   insert into registration.seat_reservation as c (id, business_unit_id, event_id, state, expires_at, buyer_email, seat_count,
     redemption_code_id, code_uses, fulfilment, offered_to, registration_id, taken_by, order_id, ticket_type_id)
   select x.id, $1, $2, x.state, x."expiresAt", x."buyerEmail", x."seatCount", x."redemptionCodeId", x."codeUses",
     x.fulfilment, x."offeredTo", x.offer->>'registrationId', x.offer->>'takenBy', x."openSeat"->>'orderId',
     x."openSeat"->>'ticketTypeId'
   from jsonb_to_recordset($3::jsonb) as x(id text, state text, "expiresAt" timestamptz, "buyerEmail" text,
     "seatCount" int, "redemptionCodeId" text, "codeUses" int, fulfilment jsonb, "offeredTo" text[], offer jsonb,
     "openSeat" jsonb)
   on conflict (id) do update set state = excluded.state, fulfilment = excluded.fulfilment, taken_by = excluded.taken_by,
     ticket_type_id = excluded.ticket_type_id
     where c.event_id = $2 and c.business_unit_id = $1
   returning id
   ), items as (
     insert into registration.seat_reservation_item (reservation_id, ticket_type_id, quantity)
     select * from unnest($4::text[], $5::text[], $6::int[]) on conflict do nothing
   )
   select id from written`,
);

const deleteItems = statement(
  'admission_open_seats_move',
  `delete from registration.seat_reservation_item i
   using unnest($2::text[], $3::text[]) x(id, ticket_type_id), registration.seat_reservation c
   where i.reservation_id = x.id and i.ticket_type_id = x.ticket_type_id and c.id = x.id
     and (c.business_unit_id = $1) is true`,
);

/**
 * Writes the reservations and offers that a batch created or changed. Errors: the id belongs to
 * another event.
 */
export async function writeReservations(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  state: AdmissionState,
  changes: readonly Change[],
): Promise<void> {
  const ids = new Set(changes.flatMap((change) => reservationIdOf(change) ?? []));
  if (ids.size === 0) return;
  const moved = changes.filter((change) => change.kind === 'move_open_seat');
  if (moved.length > 0) {
    await tx.query(deleteItems, [
      businessUnitId,
      moved.map(({ id }) => id),
      moved.map(({ from }) => from),
    ]);
  }
  const reservations = [...ids].flatMap((id) => state.reservations.get(id) ?? []);
  const seats = reservations.flatMap(({ id, seats: quantities }) =>
    [...quantities].map(([ticketTypeId, quantity]) => ({ id, ticketTypeId, quantity })),
  );
  const written = await tx.query(upsertReservations, [
    businessUnitId,
    eventId,
    JSON.stringify(reservations),
    seats.map(({ id }) => id),
    seats.map(({ ticketTypeId }) => ticketTypeId),
    seats.map(({ quantity }) => quantity),
  ]);
  if (written.length < reservations.length)
    throw new Error('the reservation belongs to another event');
}

function reservationIdOf(change: Change): string | null {
  switch (change.kind) {
    case 'reserve':
      return change.reservation.id;
    case 'assign_seat':
    case 'record_type_change':
      return change.orderId;
    case 'move_open_seat':
    case 'close_reservation':
    case 'take_offer':
    case 'return_offer':
      return change.id;
    default:
      return null;
  }
}

// A new version marks the change of perks for services with a projection of the registration.
const incrementVersionSql = `update registration.registration r set
     version = greatest(r.version + 1, ${initialVersionSql})`;

const insertAddons = statement(
  'admission_addons_write',
  `with added as (
     insert into registration.registration_addon (registration_id, addon_id, order_id, quantity, business_unit_id)
     select x.*, $5 from unnest($1::text[], $2::text[], $3::text[], $4::int[]) x on conflict do nothing
     returning registration_id
   )
   ${incrementVersionSql} where (r.business_unit_id = $5) is true and r.id = any(array(select registration_id from added))`,
);

const deleteAddons = statement(
  'admission_addons_delete',
  `with removed as (
     delete from registration.registration_addon a
     using unnest($1::text[], $2::text[]) x(registration_id, order_id)
     where a.registration_id = x.registration_id and a.order_id = x.order_id and a.business_unit_id = $3
     returning a.registration_id
   )
   ${incrementVersionSql} where (r.business_unit_id = $3) is true and r.id = any(array(select registration_id from removed))`,
);

// An update takes any of several rows for one target: the fewest units of a batch are kept.
const limitAddons = statement(
  'admission_addons_limit',
  `with kept as (
     select registration_id, addon_id, order_id, min(quantity) as quantity
     from unnest($1::text[], $2::text[], $3::text[], $4::int[]) x(registration_id, addon_id, order_id, quantity)
     group by registration_id, addon_id, order_id
   ), removed as (
     delete from registration.registration_addon a using kept x
     where a.registration_id = x.registration_id and a.addon_id = x.addon_id and a.order_id = x.order_id
       and a.business_unit_id = $5 and x.quantity = 0
     returning a.registration_id
   ), reduced as (
     update registration.registration_addon a set quantity = x.quantity from kept x
     where a.registration_id = x.registration_id and a.addon_id = x.addon_id and a.order_id = x.order_id
       and a.business_unit_id = $5 and x.quantity > 0 and a.quantity > x.quantity
     returning a.registration_id
   )
   ${incrementVersionSql} where (r.business_unit_id = $5) is true and r.id = any(array(
     select registration_id from removed union select registration_id from reduced))`,
);

/**
 * Inserts the add-ons of fulfilled orders, deletes those of revoked orders and reduces those of
 * orders that return units.
 */
export async function writeAddons(
  tx: Tx,
  { businessUnitId }: EventScope,
  changes: readonly Change[],
): Promise<void> {
  const added = changes
    .filter((change) => change.kind === 'add_addons')
    .flatMap(({ registrationId, orderId, units }) =>
      units.map((each) => ({ registrationId, orderId, ...each })),
    );
  if (added.length > 0) {
    await tx.query(insertAddons, [
      added.map(({ registrationId }) => registrationId),
      added.map(({ addonId }) => addonId),
      added.map(({ orderId }) => orderId),
      added.map(({ quantity }) => quantity),
      businessUnitId,
    ]);
  }
  // Inserts come first: within one batch, too, an order is fulfilled before it is revoked.
  const limited = changes
    .filter((change) => change.kind === 'limit_addons')
    .flatMap(({ units, ...ref }) => units.map((each) => ({ ...ref, ...each })));
  if (limited.length > 0) {
    await tx.query(limitAddons, [
      limited.map(({ registrationId }) => registrationId),
      limited.map(({ addonId }) => addonId),
      limited.map(({ orderId }) => orderId),
      limited.map(({ quantity }) => quantity),
      businessUnitId,
    ]);
  }
  const removed = changes.filter((change) => change.kind === 'remove_addons');
  if (removed.length === 0) return;
  await tx.query(deleteAddons, [
    removed.map(({ registrationId }) => registrationId),
    removed.map(({ orderId }) => orderId),
    businessUnitId,
  ]);
}
