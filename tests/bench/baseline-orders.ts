import { newId } from '@event-api/platform/core/ids';
import { statement } from '@event-api/platform/db/statement';
import { openBenchDatabase } from './database.ts';

const insertOrder = statement(
  'bench_order_insert',
  `with o as (
     insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at)
     values ($1, 'unit_bench', 'evt_bench', $1, 'a@example.com', 'held', 'EUR', 0, '[]', '{}', now() + interval '1 hour', now(), now())
     returning id)
   insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount,
     discount_amount, total_amount, attendees, first_seat, seat_count, registration_ids)
   select id, 0, 'registration_type', 'tt', 'Hot', 1, 0, 0, 0, '[]', 0, 1, '{}' from o`,
);

const payOrder = statement(
  'bench_order_pay',
  `with l as (update commerce.order_line set registration_ids = '{x}' where order_id = $1)
   update commerce.customer_order set status = 'paid', paid_at = now() where id = $1`,
);

/**
 * Writes only the rows of an order in two transactions, which is the minimum for any
 * implementation.
 */
export async function bareOrders(databaseUrl: string) {
  const db = await openBenchDatabase(databaseUrl, 'commerce', 10);
  return {
    async order() {
      const id = newId('ord');
      await db.transaction((tx) => tx.query(insertOrder, [id]));
      await db.transaction((tx) => tx.query(payOrder, [id]));
    },
    close: () => void db.close(),
  };
}
