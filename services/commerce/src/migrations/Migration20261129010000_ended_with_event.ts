import { Migration } from '@mikro-orm/migrations';

export class Migration20261129010000_ended_with_event extends Migration {
  override name = 'Migration20261129010000_ended_with_event';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "commerce"."cancelled_seat" add column "ended_with_event" boolean null;`,
    );
    this.addSql(
      `alter table "commerce"."registration_projection" add column "ended_with_event" boolean null;`,
    );
    this.addSql(
      `create or replace function "commerce"."registration_projection_cancelled_seat_fn"() returns trigger as $$ begin if new.order_id is not null and new.status in ('cancelled', 'rejected') then insert into commerce.cancelled_seat as c (registration_id, order_id, business_unit_id, event_id, cancelled_at, ended_with_event, last_attempt_at) select new.id, o.id, o.business_unit_id, o.event_id, coalesce(new.cancelled_at, clock_timestamp()), new.ended_with_event, '-infinity' from commerce.customer_order o where o.id = new.order_id and o.business_unit_id = new.business_unit_id and o.total_amount > 0 and jsonb_array_length(o.refund_policy->'bands') > 0 on conflict (registration_id) do update set ended_with_event = excluded.ended_with_event where c.decided_at is null and c.ended_with_event is null and excluded.ended_with_event is not null; end if; return null; end; $$ language plpgsql;`,
    );
  }
}
