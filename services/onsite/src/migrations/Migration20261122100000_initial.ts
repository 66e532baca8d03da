import { Migration } from '@mikro-orm/migrations';

export class Migration20261122100000_initial extends Migration {
  override name = 'Migration20261122100000_initial';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "onsite";`);
    this.addSql(
      `create table "onsite"."addon_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "perk_ids" text[] not null, primary key ("id"));`,
    );
    this.addSql(
      `create table "onsite"."booth" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "exhibitor_id" text not null, "number" text not null, "type" text not null, "venue_id" text null, "insertion_order" bigserial, primary key ("id"));`,
    );
    this.addSql(`create index "booth_of" on "onsite"."booth" ("exhibitor_id");`);
    this.addSql(`create index "booth_in_venue" on "onsite"."booth" ("venue_id");`);
    this.addSql(
      `alter table "onsite"."booth" add constraint "booth_number_unique" unique ("event_id", "number");`,
    );
    this.addSql(
      `create table "onsite"."checkin" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "registration_id" text not null, "subject_type" text not null, "subject_id" text not null, "method" text not null, "checked_in_at" timestamptz(3) not null default clock_timestamp(), "insertion_order" bigserial, primary key ("id"));`,
    );
    this.addSql(
      `create index "checkin_newest_first" on "onsite"."checkin" ("business_unit_id", "event_id", "insertion_order");`,
    );
    this.addSql(
      `create index "checkin_of_kind" on "onsite"."checkin" ("business_unit_id", "event_id", "subject_type", "insertion_order");`,
    );
    this.addSql(
      `create index "checkin_of_subject" on "onsite"."checkin" ("business_unit_id", "event_id", "subject_id", "insertion_order");`,
    );
    this.addSql(
      `alter table "onsite"."checkin" add constraint "checkin_once" unique ("registration_id", "subject_type", "subject_id");`,
    );
    this.addSql(
      `create table "onsite"."dead_letter" ("stream_created_at" text not null, "seq" bigint not null, "index" int not null, "body" text not null, "error" text not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("stream_created_at", "seq", "index"));`,
    );
    this.addSql(
      `create table "onsite"."event_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "agenda_version" int not null, "starts_at" timestamptz(3) null, "ends_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(
      `create table "onsite"."exhibitor" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "name" text not null, "description" text null, "website" text null, "status" text not null default 'pending', "created_at" timestamptz(3) not null default clock_timestamp(), "insertion_order" bigserial, primary key ("id"));`,
    );
    this.addSql(
      `create index "exhibitor_newest_first" on "onsite"."exhibitor" ("business_unit_id", "event_id", "insertion_order");`,
    );
    this.addSql(
      `create table "onsite"."exhibitor_member" ("registration_id" text not null, "business_unit_id" text not null, "event_id" text not null, "exhibitor_id" text not null, "role" text not null, "insertion_order" bigserial, primary key ("registration_id"));`,
    );
    this.addSql(
      `create index "exhibitor_member_of" on "onsite"."exhibitor_member" ("exhibitor_id");`,
    );
    this.addSql(
      `create table "onsite"."idempotency_key" ("business_unit_id" text not null, "operation" text not null, "key" text not null, "request_hash" text not null, "id_seed" text not null, "lease_until" timestamptz(3) not null, "created_at" timestamptz(3) not null, "response_status" int null, "response_location" text null, "response_body" text null, primary key ("business_unit_id", "operation", "key"));`,
    );
    this.addSql(
      `create index "idempotency_key_by_age" on "onsite"."idempotency_key" ("created_at");`,
    );
    this.addSql(
      `create table "onsite"."perk_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, primary key ("id"));`,
    );
    this.addSql(
      `create table "onsite"."projection_checkpoint" ("name" text not null, "seq" bigint not null, "stream_created_at" text not null, "last_message_hash" text not null, "schema_fingerprint" text not null, primary key ("name"));`,
    );
    this.addSql(
      `create table "onsite"."redemption_code_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "perk_ids" text[] not null, primary key ("id"));`,
    );
    this.addSql(
      `create table "onsite"."registration_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "status" text not null, "checkin_code" text not null, "ticket_type_id" text null, "addon_ids" text[] not null, "redemption_code_id" text null, "granted_perk_ids" text[] not null, primary key ("id"));`,
    );
    this.addSql(
      `create index "registration_projection_by_code" on "onsite"."registration_projection" ("checkin_code");`,
    );
    this.addSql(
      `create table "onsite"."session" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "title" text not null, "description" text null, "starts_at" timestamptz(3) not null, "ends_at" timestamptz(3) not null, "venue_id" text null, "perk_ids" text[] not null, "agenda_version" int not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("id"));`,
    );
    this.addSql(`create index "session_in_venue" on "onsite"."session" ("venue_id");`);
    this.addSql(
      `create index "session_in_time_order" on "onsite"."session" ("business_unit_id", "event_id", "starts_at", "id");`,
    );
    this.addSql(
      `create table "onsite"."speaker" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "name" text not null, "title" text null, "bio" text null, "registration_id" text null, "session_ids" text[] not null, "created_at" timestamptz(3) not null default clock_timestamp(), "insertion_order" bigserial, primary key ("id"));`,
    );
    this.addSql(
      `create index "speaker_newest_first" on "onsite"."speaker" ("business_unit_id", "event_id", "insertion_order");`,
    );
    this.addSql(
      `create table "onsite"."ticket_type_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "perk_ids" text[] not null, primary key ("id"));`,
    );
    this.addSql(
      `create table "onsite"."venue" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "name" text not null, "description" text null, "perk_ids" text[] not null, "created_at" timestamptz(3) not null default clock_timestamp(), "insertion_order" bigserial, primary key ("id"));`,
    );
    this.addSql(
      `create index "venue_newest_first" on "onsite"."venue" ("business_unit_id", "event_id", "insertion_order");`,
    );
    this.addSql(
      `alter table "onsite"."checkin" add constraint "checkin_subject_type_check" check ("subject_type" in ('event', 'session', 'venue'));`,
    );
    this.addSql(
      `alter table "onsite"."checkin" add constraint "checkin_method_check" check ("method" in ('scan', 'manual'));`,
    );
    this.addSql(
      `alter table "onsite"."exhibitor" add constraint "exhibitor_status_check" check ("status" in ('pending', 'confirmed', 'declined'));`,
    );
    this.addSql(
      `alter table "onsite"."session" add constraint "session_ends_at_check" check (ends_at > starts_at);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "onsite"."addon_projection" cascade;`);
    this.addSql(`drop table if exists "onsite"."booth" cascade;`);
    this.addSql(`drop table if exists "onsite"."checkin" cascade;`);
    this.addSql(`drop table if exists "onsite"."dead_letter" cascade;`);
    this.addSql(`drop table if exists "onsite"."event_projection" cascade;`);
    this.addSql(`drop table if exists "onsite"."exhibitor" cascade;`);
    this.addSql(`drop table if exists "onsite"."exhibitor_member" cascade;`);
    this.addSql(`drop table if exists "onsite"."idempotency_key" cascade;`);
    this.addSql(`drop table if exists "onsite"."perk_projection" cascade;`);
    this.addSql(`drop table if exists "onsite"."projection_checkpoint" cascade;`);
    this.addSql(`drop table if exists "onsite"."redemption_code_projection" cascade;`);
    this.addSql(`drop table if exists "onsite"."registration_projection" cascade;`);
    this.addSql(`drop table if exists "onsite"."session" cascade;`);
    this.addSql(`drop table if exists "onsite"."speaker" cascade;`);
    this.addSql(`drop table if exists "onsite"."ticket_type_projection" cascade;`);
    this.addSql(`drop table if exists "onsite"."venue" cascade;`);

    this.addSql(`drop schema if exists "onsite";`);
  }
}
