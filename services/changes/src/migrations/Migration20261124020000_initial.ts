import { Migration } from '@mikro-orm/migrations';

export class Migration20261124020000_initial extends Migration {
  override name = 'Migration20261124020000_initial';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "changes"."owner_cursor" ("owner" text not null, "number" bigint not null, primary key ("owner"));`,
    );
    this.addSql(
      `insert into "changes"."owner_cursor" values ('catalog', 0), ('registration', 0), ('commerce', 0), ('onsite', 0);`,
    );
    this.addSql(
      `create table "changes"."feed_head" ("business_unit_id" text not null, "epoch" text not null, "sequence" bigint not null, "digest" text not null, "floor" bigint not null, primary key ("business_unit_id"));`,
    );
    this.addSql(
      `create table "changes"."feed_change" ("business_unit_id" text not null, "sequence" bigint not null, "type" text not null, "event_id" text not null, "owner" text not null, "number" bigint not null, "occurred_at" timestamptz(3) not null, "digest" text not null, "entry" text not null, primary key ("business_unit_id", "sequence"));`,
    );
    this.addSql(
      `create index "feed_change_of_event" on "changes"."feed_change" ("business_unit_id", "event_id", "sequence");`,
    );
    this.addSql(
      `create index "feed_change_of_owner" on "changes"."feed_change" ("owner", "number");`,
    );
    this.addSql(`create index "feed_change_by_age" on "changes"."feed_change" ("occurred_at");`);
    this.addSql(
      `create table "changes"."idempotency_key" ("business_unit_id" text not null, "operation" text not null, "key" text not null, "request_hash" text not null, "id_seed" text not null, "lease_until" timestamptz(3) not null, "created_at" timestamptz(3) not null, "response_status" int null, "response_location" text null, "response_body" text null, primary key ("business_unit_id", "operation", "key"));`,
    );
    this.addSql(
      `create index "idempotency_key_by_age" on "changes"."idempotency_key" ("created_at");`,
    );
  }

  override down(): void | Promise<void> {
    for (const table of ['owner_cursor', 'feed_head', 'feed_change', 'idempotency_key']) {
      this.addSql(`drop table if exists "changes"."${table}" cascade;`);
    }
  }
}
