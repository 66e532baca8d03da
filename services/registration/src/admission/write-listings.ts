import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { Change } from '../seats/seats.rules.ts';

const insertListings = statement(
  'admission_listings_write',
  `insert into registration.registration_order (registration_id, order_id, business_unit_id)
   select x.*, $3 from unnest($1::text[], $2::text[]) x on conflict do nothing`,
);

const deleteHandedOver = statement(
  'admission_listings_handed_over',
  `delete from registration.registration_order l using unnest($1::text[], $2::text[]) x(registration_id, order_id)
   where l.registration_id = x.registration_id and l.order_id = x.order_id and l.business_unit_id = $3`,
);

const deleteOfOrders = statement(
  'admission_listings_of_orders',
  `delete from registration.registration_order l using unnest($1::text[], $2::text[]) x(order_id, registration_id)
   where l.order_id = x.order_id and l.registration_id = coalesce(x.registration_id, l.registration_id)
     and l.business_unit_id = $3`,
);

/**
 * Writes which fulfilled orders list a registration of another order. Inserts come first: within
 * one batch, too, an order is fulfilled before it is revoked or gets the registration.
 */
export async function writeListings(
  tx: Tx,
  { businessUnitId }: EventScope,
  changes: readonly Change[],
): Promise<void> {
  const listed = changes.filter((change) => change.kind === 'list_registration');
  if (listed.length > 0) {
    await tx.query(insertListings, [
      listed.map(({ registrationId }) => registrationId),
      listed.map(({ orderId }) => orderId),
      businessUnitId,
    ]);
  }
  const handedOver = changes.filter((change) => change.kind === 'hand_over');
  if (handedOver.length > 0) {
    await tx.query(deleteHandedOver, [
      handedOver.map(({ registrationId }) => registrationId),
      handedOver.map(({ to }) => to.orderId),
      businessUnitId,
    ]);
  }
  const unlisted = changes.filter((change) => change.kind === 'unlist_registrations');
  if (unlisted.length === 0) return;
  const pairs = unlisted.flatMap(({ orderId, registrationIds }) =>
    (registrationIds ?? [null]).map((registrationId) => ({ orderId, registrationId })),
  );
  await tx.query(deleteOfOrders, [
    pairs.map(({ orderId }) => orderId),
    pairs.map(({ registrationId }) => registrationId),
    businessUnitId,
  ]);
}
