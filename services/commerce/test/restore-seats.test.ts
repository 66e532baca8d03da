import { fulfilReservation, releaseReservation } from '@event-api/contracts/internal/reservations';
import { newId } from '@event-api/platform/core/ids';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { expect, test } from 'vitest';
import { createCommerceMetrics } from '../src/metrics.ts';
import { reloadOrder } from '../src/orders/orders.queries.ts';
import { restoreSeats } from '../src/recovery/restore-seats.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

/** A paid free order that lists a registration, and that `restore.compare` has marked. */
async function createOrder(): Promise<string> {
  const id = newId('ord');
  await database.sql(
    `with o as (
       insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
         total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at, intent, version)
       values ($1, 'unit_1', 'evt_1', $1, 'a@example.com', 'paid', 'EUR', 0, '[]', '{}', now(), now(), now(), 'restore', 1)
       returning id)
     insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount,
       discount_amount, total_amount, attendees, first_seat, seat_count, registration_ids)
     select id, 0, 'registration_type', 'tt_1', 'Day pass', 1, 0, 0, 0, '[]', 0, 0, '{reg_lost}' from o`,
    [id],
  );
  return id;
}

/** Registration, which has no seats left and releases the reservation with this outcome. */
const registrationThat = (releases: 'released' | 'fulfilled') =>
  ({
    call: async (operation: unknown) => {
      if (operation === fulfilReservation) return { outcome: 'unfulfillable' };
      if (operation === releaseReservation) return { outcome: releases };
      throw new Error('unexpected call');
    },
  }) as unknown as ServiceClient;

async function restore(orderId: string, releases: 'released' | 'fulfilled'): Promise<void> {
  const registration = registrationThat(releases);
  const metrics = createCommerceMetrics(createMetrics('commerce'));
  const order = await reloadOrder(db, orderId);
  await restoreSeats({ db, registration, metrics }, order);
}

const stateOf = async (orderId: string) => {
  const { status, intent, lines } = await reloadOrder(db, orderId);
  return { status, intent, registrationIds: lines.flatMap((line) => line.registrationIds) };
};

test('an order whose seats are gone is cancelled after its reservation has been released', async () => {
  const id = await createOrder();
  await restore(id, 'released');
  expect(await stateOf(id)).toEqual({ status: 'cancelled', intent: null, registrationIds: [] });
});

test('an order that an earlier request fulfils meanwhile stays as it is, and is tried again', async () => {
  const id = await createOrder();
  const before = await stateOf(id);
  await expect(restore(id, 'fulfilled')).rejects.toThrow('released reservation is fulfilled');
  expect(await stateOf(id)).toEqual(before);
});
