import { Migration } from '@mikro-orm/migrations';

export class Migration20261127200000_initial extends Migration {
  override name = 'Migration20261127200000_initial';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "catalog";`);
    this.addSql(
      `create table "catalog"."addon" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "name" text not null, "description" text null, "status" text not null default 'draft', "price_amount" int not null, "sort_order" int not null, "created_at" timestamptz(3) not null default clock_timestamp(), "version" bigint not null default '1', primary key ("id"));`,
    );
    this.addSql(
      `create index "addon_in_order" on "catalog"."addon" ("business_unit_id", "event_id", "sort_order", "created_at", "id");`,
    );
    this.addSql(
      `create index "addon_by_status" on "catalog"."addon" ("business_unit_id", "event_id", "status", "sort_order", "created_at", "id");`,
    );
    this.addSql(
      `create index "addon_changes" on "catalog"."addon" ("business_unit_id", "event_id", "version", "id");`,
    );

    this.addSql(
      `create table "catalog"."audit_entry" ("id" text not null, "at" timestamptz(3) not null default clock_timestamp(), "business_unit_id" text null, "event_id" text null, "actor_type" text not null, "actor_id" text null, "operation" text not null, "records" text[] not null, "fields" text[] not null, "result" text not null, "reason" text null, "request_id" text not null, primary key ("id"));`,
    );
    this.addSql(
      `create index audit_entry_newest on catalog.audit_entry (timezone('UTC', at), id);`,
    );
    this.addSql(
      `create index "audit_entry_of_unit" on "catalog"."audit_entry" ("business_unit_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_event" on "catalog"."audit_entry" ("business_unit_id", "event_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_actor" on "catalog"."audit_entry" ("business_unit_id", "actor_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_operation" on "catalog"."audit_entry" ("business_unit_id", "operation", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_record" on "catalog"."audit_entry" using gin ("records");`,
    );

    this.addSql(
      `create table "catalog"."bundle" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "name" text not null, "description" text null, "price_amount" int null, "sort_order" int not null, "created_at" timestamptz(3) not null default clock_timestamp(), "version" bigint not null default '1', primary key ("id"));`,
    );
    this.addSql(
      `create index "bundle_in_order" on "catalog"."bundle" ("business_unit_id", "event_id", "sort_order", "created_at", "id");`,
    );
    this.addSql(
      `create index "bundle_changes" on "catalog"."bundle" ("business_unit_id", "event_id", "version", "id");`,
    );

    this.addSql(
      `create table "catalog"."bundle_item" ("bundle_id" text not null, "position" int not null, "business_unit_id" text not null, "item_type" text not null, "item_id" text not null, "quantity" int not null, primary key ("bundle_id", "position"));`,
    );
    this.addSql(
      `alter table "catalog"."bundle_item" add constraint "bundle_item_once" unique ("bundle_id", "item_type", "item_id");`,
    );

    this.addSql(
      `create table "catalog"."change_counter" ("name" text not null, "last" bigint not null, "confirmed" bigint not null, primary key ("name"));`,
    );

    this.addSql(
      `create table "catalog"."change_inbox" ("position" bigserial primary key, "business_unit_id" text not null, "occurred_at" timestamptz(3) not null default clock_timestamp(), "body" text not null);`,
    );

    this.addSql(
      `create table "catalog"."change_log" ("number" bigint not null, "business_unit_id" text not null, "occurred_at" timestamptz(3) not null, "body" text not null, primary key ("number"));`,
    );

    this.addSql(
      `create table "catalog"."dead_letter" ("stream_created_at" text not null, "seq" bigint not null, "index" int not null, "body" text not null, "error" text not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("stream_created_at", "seq", "index"));`,
    );

    this.addSql(
      `create table "catalog"."event" ("id" text not null, "business_unit_id" text not null, "public_id" text not null, "name" text not null, "status" text not null default 'draft', "starts_at" timestamptz(3) null, "ends_at" timestamptz(3) null, "timezone" text not null, "currency" char(3) not null, "currency_locked" boolean not null default false, "agenda_version" int not null default 0, "features" text[] not null default '{}', "published_at" timestamptz(3) null, "created_at" timestamptz(3) not null default clock_timestamp(), "version" bigint not null default '1', primary key ("id"));`,
    );
    this.addSql(
      `alter table "catalog"."event" add constraint "event_public_id_unique" unique ("public_id");`,
    );
    this.addSql(
      `create index "event_newest_first" on "catalog"."event" ("business_unit_id", "created_at", "id");`,
    );
    this.addSql(
      `create index "event_by_status" on "catalog"."event" ("business_unit_id", "status", "created_at", "id");`,
    );
    this.addSql(
      `create index "event_changes" on "catalog"."event" ("business_unit_id", "version", "id");`,
    );

    this.addSql(
      `create table "catalog"."idempotency_key" ("business_unit_id" text not null, "operation" text not null, "key" text not null, "request_hash" text not null, "id_seed" text not null, "lease_until" timestamptz(3) not null, "created_at" timestamptz(3) not null, "response_status" int null, "response_location" text null, "response_body" text null, primary key ("business_unit_id", "operation", "key"));`,
    );
    this.addSql(
      `create index "idempotency_key_by_age" on "catalog"."idempotency_key" ("created_at");`,
    );

    this.addSql(
      `create table "catalog"."outbox_message" ("id" uuid not null, "payload" text not null, "traceparent" text null, "created_at" timestamptz(6) not null default clock_timestamp(), "stream_seq" bigint null, "rejection_reason" text null, primary key ("id"));`,
    );
    this.addSql(
      `create index "outbox_message_by_state" on "catalog"."outbox_message" ("stream_seq", "created_at");`,
    );
    this.addSql(
      `create index "outbox_message_by_age" on "catalog"."outbox_message" ("created_at");`,
    );

    this.addSql(
      `create table "catalog"."perk" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "name" text not null, "description" text null, "created_at" timestamptz(3) not null default clock_timestamp(), "version" bigint not null default '1', primary key ("id"));`,
    );
    this.addSql(
      `create index "perk_of_event" on "catalog"."perk" ("business_unit_id", "event_id", "created_at", "id");`,
    );

    this.addSql(
      `create table "catalog"."perk_binding" ("perk_id" text not null, "target_type" text not null, "target_id" text not null, "business_unit_id" text not null, "event_id" text not null, primary key ("perk_id", "target_type", "target_id"));`,
    );
    this.addSql(
      `create index "perk_binding_of_target" on "catalog"."perk_binding" ("business_unit_id", "event_id", "target_id");`,
    );

    this.addSql(
      `create table "catalog"."projection_checkpoint" ("name" text not null, "seq" bigint not null, "stream_created_at" text not null, "last_message_hash" text not null, "schema_fingerprint" text not null, "origins" jsonb not null default '{}', primary key ("name"));`,
    );

    this.addSql(
      `create table "catalog"."refund_policy" ("event_id" text not null, "business_unit_id" text not null, "text" text not null, "refundable_until" timestamptz(3) null, primary key ("event_id"));`,
    );

    this.addSql(
      `create table "catalog"."registration_form" ("event_id" text not null, "business_unit_id" text not null, "questions" jsonb not null, primary key ("event_id"));`,
    );

    this.addSql(
      `create table "catalog"."seat_count" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "confirmed" int not null, "waitlisted" int not null, primary key ("id"));`,
    );

    this.addSql(
      `create table "catalog"."stream_state" ("name" text not null, "lineage" uuid not null, "previous_lineage" uuid null, "incarnation" text not null, "confirmed_seq" bigint not null, primary key ("name"));`,
    );

    this.addSql(
      `create table "catalog"."ticket_type" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "name" text not null, "description" text null, "capacity" int null, "allow_waitlist" boolean not null, "is_public" boolean not null, "requires_approval" boolean not null, "status" text not null default 'draft', "opens_at" timestamptz(3) null, "closes_at" timestamptz(3) null, "price_amount" int not null, "sort_order" int not null, "created_at" timestamptz(3) not null default clock_timestamp(), "version" bigint not null default '1', primary key ("id"));`,
    );
    this.addSql(
      `create index "ticket_type_in_order" on "catalog"."ticket_type" ("business_unit_id", "event_id", "sort_order", "created_at", "id");`,
    );
    this.addSql(
      `create index "ticket_type_by_status" on "catalog"."ticket_type" ("business_unit_id", "event_id", "status", "sort_order", "created_at", "id");`,
    );
    this.addSql(
      `create index "ticket_type_changes" on "catalog"."ticket_type" ("business_unit_id", "event_id", "version", "id");`,
    );

    this.addSql(
      `alter table "catalog"."addon" add constraint "addon_price_amount_check" check (price_amount >= 0);`,
    );
    this.addSql(
      `alter table "catalog"."addon" add constraint "addon_status_check" check ("status" in ('draft', 'open', 'closed', 'archived'));`,
    );

    this.addSql(
      `alter table "catalog"."audit_entry" add constraint "audit_entry_actor_type_check" check ("actor_type" in ('key', 'operator', 'cli', 'system', 'device'));`,
    );
    this.addSql(
      `alter table "catalog"."audit_entry" add constraint "audit_entry_result_check" check ("result" in ('done', 'unchanged', 'refused', 'started'));`,
    );

    this.addSql(
      `alter table "catalog"."bundle" add constraint "bundle_price_amount_check" check (price_amount >= 0);`,
    );

    this.addSql(
      `alter table "catalog"."bundle_item" add constraint "bundle_item_quantity_check" check ((quantity >= 1) AND (quantity <= 100));`,
    );
    this.addSql(
      `alter table "catalog"."bundle_item" add constraint "bundle_item_item_type_check" check ("item_type" in ('registration_type', 'addon'));`,
    );

    this.addSql(
      `alter table "catalog"."event" add constraint "event_agenda_version_check" check (agenda_version >= 0);`,
    );
    this.addSql(
      `alter table "catalog"."event" add constraint "event_status_check" check ("status" in ('draft', 'published', 'archived'));`,
    );

    this.addSql(
      `alter table "catalog"."perk_binding" add constraint "perk_binding_target_type_check" check ("target_type" in ('registration_type', 'addon'));`,
    );

    this.addSql(
      `alter table "catalog"."ticket_type" add constraint "ticket_type_capacity_check" check (capacity > 0);`,
    );
    this.addSql(
      `alter table "catalog"."ticket_type" add constraint "ticket_type_price_amount_check" check (price_amount >= 0);`,
    );
    this.addSql(
      `alter table "catalog"."ticket_type" add constraint "ticket_type_status_check" check ("status" in ('draft', 'open', 'closed', 'archived'));`,
    );

    // Rows that the process expects. Its role cannot change entries of the audit log.
    this.addSql(`insert into "catalog"."change_counter" values ('changes', 0, 0);`);
    this.addSql(
      `do $$ begin if exists (select from pg_roles where rolname = 'catalog_app') then revoke update, delete on "catalog"."audit_entry" from catalog_app; end if; end $$;`,
    );
  }
}
