import { Migration } from '@mikro-orm/migrations';

export class Migration20261122100000_initial extends Migration {
  override name = 'Migration20261122100000_initial';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "gateway";`);
    this.addSql(
      `create table "gateway"."api_key" ("id" text not null, "business_unit_id" text not null, "name" text not null, "secret_hash" text not null, "display_prefix" text not null, "version" text not null, "rate_limit_per_minute" int null, "checkin_rate_limit_per_minute" int null, "expires_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "created_at" timestamptz(3) not null default clock_timestamp(), "changed_at" timestamptz(3) not null default clock_timestamp(), primary key ("id"));`,
    );
    this.addSql(`create index "api_key_of_unit" on "gateway"."api_key" ("business_unit_id");`);
    this.addSql(
      `alter table "gateway"."api_key" add constraint "api_key_secret_hash_unique" unique ("secret_hash");`,
    );
    this.addSql(`create index "api_key_changed" on "gateway"."api_key" ("changed_at");`);
    this.addSql(
      `create table "gateway"."business_unit" ("id" text not null, "name" text not null, "default_currency" char(3) not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("id"));`,
    );
    this.addSql(
      `create table "gateway"."idempotency_key" ("business_unit_id" text not null, "operation" text not null, "key" text not null, "request_hash" text not null, "id_seed" text not null, "lease_until" timestamptz(3) not null, "created_at" timestamptz(3) not null, "response_status" int null, "response_location" text null, "response_body" text null, primary key ("business_unit_id", "operation", "key"));`,
    );
    this.addSql(
      `create index "idempotency_key_by_age" on "gateway"."idempotency_key" ("created_at");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "gateway"."api_key" cascade;`);
    this.addSql(`drop table if exists "gateway"."business_unit" cascade;`);
    this.addSql(`drop table if exists "gateway"."idempotency_key" cascade;`);

    this.addSql(`drop schema if exists "gateway";`);
  }
}
