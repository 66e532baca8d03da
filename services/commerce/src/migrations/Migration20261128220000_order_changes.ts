import { Migration } from '@mikro-orm/migrations';

export class Migration20261128220000_order_changes extends Migration {
  override name = 'Migration20261128220000_order_changes';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "commerce"."order_change" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "order_id" text not null, "request" jsonb not null, "quote" jsonb not null, "state" text not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "executed_at" timestamptz(3) null, "last_attempt_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "order_change_of_order" on "commerce"."order_change" ("order_id");`);
    this.addSql(
      `create index order_change_executing on commerce.order_change (last_attempt_at) where state = 'executing';`,
    );
    this.addSql(
      `alter table "commerce"."order_change" add constraint "order_change_state_check" check ("state" in ('quoted', 'executing', 'done'));`,
    );
    this.addSql(`alter table "commerce"."event_projection" add "ends_at" timestamptz(3) null;`);
    this.addSql(
      `alter table "commerce"."customer_order" add column "cancelled_addons" jsonb not null default '[]'::jsonb;`,
    );
  }
}
