import { Migration } from '@mikro-orm/migrations';

export class Migration20261128213000_open_seats extends Migration {
  override name = 'Migration20261128213000_open_seats';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "commerce"."seat_assignment" ("seat_id" text not null, "order_id" text not null, "registration_id" text not null, "business_unit_id" text not null, "event_id" text not null, "last_attempt_at" timestamptz(3) not null, primary key ("seat_id"));`,
    );
    this.addSql(
      `create index "seat_assignment_due" on "commerce"."seat_assignment" ("last_attempt_at");`,
    );
    this.addSql(
      `create index "seat_assignment_registration" on "commerce"."seat_assignment" ("registration_id");`,
    );
    this.addSql(
      `alter table "commerce"."customer_order" add "cancelled_seat_ids" text[] not null default '{}';`,
    );
    this.addSql(`alter table "commerce"."registration_projection" add "seat_id" text null;`);
    this.addSql(
      `create or replace function "commerce"."registration_projection_seat_assignment_fn"() returns trigger as $$ begin if new.seat_id is not null then insert into commerce.seat_assignment (seat_id, order_id, registration_id, business_unit_id, event_id, last_attempt_at) select new.seat_id, o.id, new.id, o.business_unit_id, o.event_id, '-infinity' from commerce.customer_order o where o.id = new.order_id and o.business_unit_id = new.business_unit_id and exists (select from commerce.order_line l where l.order_id = o.id and new.seat_id = any(l.registration_ids)) on conflict do nothing; end if; return null; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "seat_assignment" AFTER INSERT OR UPDATE on "commerce"."registration_projection" for each ROW execute function "commerce"."registration_projection_seat_assignment_fn"();`,
    );
  }
}
