import { Migration } from '@mikro-orm/migrations';

export class Migration20261128172000_refund_policy extends Migration {
  override name = 'Migration20261128172000_refund_policy';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "commerce"."cancelled_seat" ("registration_id" text not null, "order_id" text not null, "business_unit_id" text not null, "event_id" text not null, "cancelled_at" timestamptz(3) not null, "decided_at" timestamptz(3) null, "paid_amount" bigint not null default '0', "refund_amount" bigint not null default '0', "kept_amount" bigint not null default '0', "fee_amount" bigint not null default '0', "band" int null, "reason" text not null default 'settled', "last_attempt_at" timestamptz(3) not null, primary key ("registration_id"));`,
    );
    this.addSql(
      `create index "cancelled_seat_of_order" on "commerce"."cancelled_seat" ("order_id");`,
    );
    this.addSql(
      `create index cancelled_seat_undecided on commerce.cancelled_seat (last_attempt_at) where decided_at is null;`,
    );
    this.addSql(
      `alter table "commerce"."cancelled_seat" add constraint "cancelled_seat_reason_check" check ("reason" in ('band', 'too_late', 'settled'));`,
    );
    this.addSql(`alter table "commerce"."customer_order" add "refund_policy" jsonb null;`);
    this.addSql(
      `alter table "commerce"."event_projection" add "starts_at" timestamptz(3) null, add "timezone" text null, add "refund_policy" jsonb null;`,
    );
    this.addSql(
      `alter table "commerce"."registration_projection" add "cancelled_at" timestamptz(3) null;`,
    );
    this.addSql(
      `create or replace function "commerce"."registration_projection_cancelled_seat_fn"() returns trigger as $$ begin if new.order_id is not null and new.status in ('cancelled', 'rejected') then insert into commerce.cancelled_seat (registration_id, order_id, business_unit_id, event_id, cancelled_at, last_attempt_at) select new.id, o.id, o.business_unit_id, o.event_id, coalesce(new.cancelled_at, clock_timestamp()), '-infinity' from commerce.customer_order o where o.id = new.order_id and o.business_unit_id = new.business_unit_id and o.total_amount > 0 and jsonb_array_length(o.refund_policy->'bands') > 0 on conflict do nothing; end if; return null; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "cancelled_seat" AFTER INSERT OR UPDATE on "commerce"."registration_projection" for each ROW execute function "commerce"."registration_projection_cancelled_seat_fn"();`,
    );
  }
}
