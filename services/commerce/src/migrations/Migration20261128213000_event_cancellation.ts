import { Migration } from '@mikro-orm/migrations';

export class Migration20261128213000_event_cancellation extends Migration {
  override name = 'Migration20261128213000_event_cancellation';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "commerce"."event_cancellation" ("event_id" text not null, "business_unit_id" text not null, "open_orders" int null, "registrations" int null, "registrations_left" int null, "finished_at" timestamptz(3) null, "problem" text null, "next_attempt_at" timestamptz(3) not null, primary key ("event_id"));`,
    );
    this.addSql(
      `create index "event_cancellation_next" on "commerce"."event_cancellation" ("next_attempt_at");`,
    );
    this.addSql(
      `alter table "commerce"."customer_order" add column "event_cancelled_at" timestamptz(3) null;`,
    );
    this.addSql(
      `alter table "commerce"."event_projection" add column "cancelled_at" timestamptz(3) null, add column "cancellation_refund" text null;`,
    );
    this.addSql(
      `create index if not exists event_projection_cancelled on commerce.event_projection (id) where cancelled_at is not null;`,
    );
  }
}
