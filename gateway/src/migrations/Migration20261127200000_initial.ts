import { Migration } from '@mikro-orm/migrations';

export class Migration20261127200000_initial extends Migration {
  override name = 'Migration20261127200000_initial';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "gateway";`);
    this.addSql(
      `create table "gateway"."api_key" ("id" text not null, "business_unit_id" text not null, "name" text not null, "kind" text null, "groups" text[] null, "event_ids" text[] null, "doors" text[] null, "device_id" text null, "installation_id" text null, "show_names" boolean null, "secret_hash" text not null, "display_prefix" text not null, "version" text not null, "rate_limit_per_minute" int null, "checkin_rate_limit_per_minute" int null, "expires_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "created_at" timestamptz(3) not null default clock_timestamp(), "changed_at" timestamptz(3) not null default clock_timestamp(), primary key ("id"));`,
    );
    this.addSql(
      `alter table "gateway"."api_key" add constraint "api_key_secret_hash_unique" unique ("secret_hash");`,
    );
    this.addSql(`create index "api_key_of_unit" on "gateway"."api_key" ("business_unit_id");`);
    this.addSql(`create index "api_key_changed" on "gateway"."api_key" ("changed_at");`);
    this.addSql(
      `create unique index api_key_installation_unique on gateway.api_key (business_unit_id, installation_id) where kind = 'device' and revoked_at is null;`,
    );
    this.addSql(
      `create index api_key_device_expiry on gateway.api_key (expires_at) where kind in ('device', 'pairing');`,
    );

    this.addSql(
      `create table "gateway"."audit_entry" ("id" text not null, "at" timestamptz(3) not null default clock_timestamp(), "business_unit_id" text null, "event_id" text null, "actor_type" text not null, "actor_id" text null, "operation" text not null, "records" text[] not null, "fields" text[] not null, "result" text not null, "reason" text null, "request_id" text not null, primary key ("id"));`,
    );
    this.addSql(
      `create index audit_entry_newest on gateway.audit_entry (timezone('UTC', at), id);`,
    );
    this.addSql(
      `create index "audit_entry_of_unit" on "gateway"."audit_entry" ("business_unit_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_event" on "gateway"."audit_entry" ("business_unit_id", "event_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_actor" on "gateway"."audit_entry" ("business_unit_id", "actor_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_operation" on "gateway"."audit_entry" ("business_unit_id", "operation", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_record" on "gateway"."audit_entry" using gin ("records");`,
    );

    this.addSql(
      `create table "gateway"."business_unit" ("id" text not null, "name" text not null, "default_currency" char(3) not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("id"));`,
    );

    this.addSql(
      `create table "gateway"."idempotency_key" ("business_unit_id" text not null, "operation" text not null, "key" text not null, "request_hash" text not null, "id_seed" text not null, "lease_until" timestamptz(3) not null, "created_at" timestamptz(3) not null, "response_status" int null, "response_location" text null, "response_body" text null, primary key ("business_unit_id", "operation", "key"));`,
    );
    this.addSql(
      `create index "idempotency_key_by_age" on "gateway"."idempotency_key" ("created_at");`,
    );

    this.addSql(
      `alter table "gateway"."audit_entry" add constraint "audit_entry_actor_type_check" check ("actor_type" in ('key', 'operator', 'cli', 'system', 'device'));`,
    );
    this.addSql(
      `alter table "gateway"."audit_entry" add constraint "audit_entry_result_check" check ("result" in ('done', 'unchanged', 'refused', 'started'));`,
    );

    // Rows that the process expects. Its role cannot change entries of the audit log.
    this.addSql(
      `do $$ begin if exists (select from pg_roles where rolname = 'gateway_app') then revoke update, delete on "gateway"."audit_entry" from gateway_app; end if; end $$;`,
    );
  }
}
