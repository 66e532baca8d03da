import { Migration } from '@mikro-orm/migrations';

export class Migration20261127200000_initial extends Migration {
  override name = 'Migration20261127200000_initial';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "registration";`);
    this.addSql(
      `create table "registration"."addon_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "perk_ids" text[] not null, primary key ("id"));`,
    );
    this.addSql(
      `create index "addon_projection_of_event" on "registration"."addon_projection" ("event_id");`,
    );

    this.addSql(
      `create table "registration"."attendee" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "contact_id" text not null, "email" text not null, "normal_email" text not null, "name" text null, "created_at" timestamptz(3) not null, "insertion_order" bigserial, "version" bigint not null default ((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint, primary key ("id"));`,
    );
    this.addSql(
      `alter table "registration"."attendee" add constraint "attendee_email_unique" unique ("event_id", "normal_email");`,
    );
    this.addSql(
      `create index "attendee_newest_first" on "registration"."attendee" ("business_unit_id", "event_id", "insertion_order");`,
    );
    this.addSql(
      `create index "attendee_changes" on "registration"."attendee" ("business_unit_id", "event_id", "version", "id");`,
    );

    this.addSql(
      `create table "registration"."audit_entry" ("id" text not null, "at" timestamptz(3) not null default clock_timestamp(), "business_unit_id" text null, "event_id" text null, "actor_type" text not null, "actor_id" text null, "operation" text not null, "records" text[] not null, "fields" text[] not null, "result" text not null, "reason" text null, "request_id" text not null, primary key ("id"));`,
    );
    this.addSql(
      `create index audit_entry_newest on registration.audit_entry (timezone('UTC', at), id);`,
    );
    this.addSql(
      `create index "audit_entry_of_unit" on "registration"."audit_entry" ("business_unit_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_event" on "registration"."audit_entry" ("business_unit_id", "event_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_actor" on "registration"."audit_entry" ("business_unit_id", "actor_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_operation" on "registration"."audit_entry" ("business_unit_id", "operation", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_record" on "registration"."audit_entry" using gin ("records");`,
    );

    this.addSql(
      `create table "registration"."change_counter" ("name" text not null, "last" bigint not null, "confirmed" bigint not null, primary key ("name"));`,
    );

    this.addSql(
      `create table "registration"."change_inbox" ("position" bigserial primary key, "business_unit_id" text not null, "occurred_at" timestamptz(3) not null default clock_timestamp(), "body" text not null);`,
    );

    this.addSql(
      `create table "registration"."change_log" ("number" bigint not null, "business_unit_id" text not null, "occurred_at" timestamptz(3) not null, "body" text not null, primary key ("number"));`,
    );

    this.addSql(
      `create table "registration"."dead_letter" ("stream_created_at" text not null, "seq" bigint not null, "index" int not null, "body" text not null, "error" text not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("stream_created_at", "seq", "index"));`,
    );

    this.addSql(
      `create table "registration"."event_lock" ("event_id" text not null, "business_unit_id" text not null, "max_holds_per_email" int null, "max_seats_per_email" int null, "waitlist_offer_minutes" int null, primary key ("event_id"));`,
    );

    this.addSql(
      `create table "registration"."event_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "name" text not null, "status" text not null, "currency" text not null, "form" jsonb null, primary key ("id"));`,
    );

    this.addSql(
      `create table "registration"."idempotency_key" ("business_unit_id" text not null, "operation" text not null, "key" text not null, "request_hash" text not null, "id_seed" text not null, "lease_until" timestamptz(3) not null, "created_at" timestamptz(3) not null, "response_status" int null, "response_location" text null, "response_body" text null, primary key ("business_unit_id", "operation", "key"));`,
    );
    this.addSql(
      `create index "idempotency_key_by_age" on "registration"."idempotency_key" ("created_at");`,
    );

    this.addSql(
      `create table "registration"."outbox_message" ("id" uuid not null, "payload" text not null, "traceparent" text null, "created_at" timestamptz(6) not null default clock_timestamp(), "stream_seq" bigint null, "rejection_reason" text null, primary key ("id"));`,
    );
    this.addSql(
      `create index "outbox_message_by_state" on "registration"."outbox_message" ("stream_seq", "created_at");`,
    );
    this.addSql(
      `create index "outbox_message_by_age" on "registration"."outbox_message" ("created_at");`,
    );

    this.addSql(
      `create table "registration"."perk_grant" ("registration_id" text not null, "perk_id" text not null, "business_unit_id" text not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("registration_id", "perk_id"));`,
    );

    this.addSql(
      `create table "registration"."perk_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "name" text not null, "description" text null, primary key ("id"));`,
    );
    this.addSql(
      `create index "perk_projection_of_event" on "registration"."perk_projection" ("event_id");`,
    );

    this.addSql(
      `create table "registration"."projection_checkpoint" ("name" text not null, "seq" bigint not null, "stream_created_at" text not null, "last_message_hash" text not null, "schema_fingerprint" text not null, "origins" jsonb not null default '{}', primary key ("name"));`,
    );

    this.addSql(
      `create table "registration"."redemption_code" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "ticket_type_id" text not null, "code" text not null, "code_key" text not null, "label" text null, "batch_id" text null, "max_uses" int null, "uses" int not null default 0, "expires_at" timestamptz(3) null, "status" text not null default 'active', "discount_type" text null, "discount_value" int null, "created_at" timestamptz(3) not null default clock_timestamp(), "insertion_order" bigserial, "version" bigint not null default ((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint, primary key ("id"));`,
    );
    this.addSql(
      `alter table "registration"."redemption_code" add constraint "redemption_code_unique" unique ("event_id", "code_key");`,
    );
    this.addSql(
      `create index "redemption_code_newest_first" on "registration"."redemption_code" ("business_unit_id", "event_id", "insertion_order");`,
    );
    this.addSql(
      `create index "redemption_code_by_status" on "registration"."redemption_code" ("business_unit_id", "event_id", "status", "insertion_order");`,
    );
    this.addSql(
      `create index "redemption_code_changes" on "registration"."redemption_code" ("business_unit_id", "event_id", "version", "id");`,
    );
    this.addSql(
      `create index "redemption_code_of_batch" on "registration"."redemption_code" ("business_unit_id", "event_id", "batch_id", "insertion_order");`,
    );

    this.addSql(
      `create table "registration"."redemption_code_perk" ("redemption_code_id" text not null, "perk_id" text not null, "business_unit_id" text not null, primary key ("redemption_code_id", "perk_id"));`,
    );

    this.addSql(
      `create table "registration"."registration" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "attendee_id" text not null, "contact_id" text not null, "email" text not null, "normal_email" text not null, "active_email" text null, "name" text null, "status" text not null, "type" text not null, "ticket_type_id" text null, "redemption_code_id" text null, "order_id" text null, "checkin_code" text not null, "registered_at" timestamptz(3) not null, "cancelled_at" timestamptz(3) null, "rejection_reason" text null, "responses" jsonb null, "insertion_order" bigserial, "waitlist_order" bigint null, "offer_id" text null, "offer_expires_at" timestamptz(3) null, "offers_missed" int not null default 0, "version" bigint not null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "registration"."registration" add constraint "registration_active_email_unique" unique ("event_id", "active_email");`,
    );
    this.addSql(
      `alter table "registration"."registration" add constraint "registration_checkin_code_unique" unique ("checkin_code");`,
    );
    this.addSql(
      `create index "registration_of_attendee" on "registration"."registration" ("attendee_id");`,
    );
    this.addSql(
      `create index "registration_of_order" on "registration"."registration" ("order_id");`,
    );
    this.addSql(
      `create index "registration_newest_first" on "registration"."registration" ("business_unit_id", "event_id", "insertion_order");`,
    );
    this.addSql(
      `create index "registration_by_status" on "registration"."registration" ("business_unit_id", "event_id", "status", "insertion_order");`,
    );
    this.addSql(
      `create index registration_by_time on registration.registration (business_unit_id, event_id, registered_at, id, status collate "C");`,
    );
    this.addSql(
      `create index registration_waitlist on registration.registration (ticket_type_id, (coalesce(waitlist_order, insertion_order))) where status = 'waitlisted' and offer_id is null;`,
    );
    this.addSql(
      `create index "registration_waiting" on "registration"."registration" ("ticket_type_id", "status", "insertion_order");`,
    );
    this.addSql(
      `create index registration_of_type on registration.registration (ticket_type_id collate "C", insertion_order);`,
    );
    this.addSql(
      `create index registration_of_code on registration.registration (redemption_code_id, insertion_order) where redemption_code_id is not null;`,
    );
    this.addSql(
      `create index "registration_changes" on "registration"."registration" ("business_unit_id", "event_id", "version", "id");`,
    );
    this.addSql(
      `create index registration_of_email on registration.registration (event_id collate "C", normal_email text_pattern_ops);`,
    );
    this.addSql(
      `create index registration_of_badge on registration.registration ((event_id || ' '), checkin_code text_pattern_ops);`,
    );
    this.addSql(
      `create index registration_by_name on registration.registration using gin ((array_to_tsvector(string_to_array(event_id || ' ' || regexp_replace(nullif(regexp_replace(left(replace(replace(replace(replace(translate(lower(regexp_replace("normalize"(name || ' ' || regexp_replace(name, '[\\u0027\\u002d\\u0060\\u00b4\\u02b9-\\u02bf\\u05be\\u05f3\\u05f4\\u200c\\u2010-\\u2013\\u2018\\u2019\\u2032\\u2212\\uff07\\uff0d]', '', 'g'), 'NFKD'), '[\\u00ad\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed\\u200d\\u2060\\ufe00-\\ufe0f\\ufeff]', '', 'g') collate pg_c_utf8), 'øłđðħŧŋıɓɗƙƴς', 'olddhtnibdkyσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 480), '^[[:punct:][:space:][:cntrl:]\\u02b9-\\u02bf\\u2000-\\u206f]+|[[:punct:][:space:][:cntrl:]\\u02b9-\\u02bf\\u2000-\\u206f]+$', '', 'g'), ''), '[[:punct:][:space:][:cntrl:]\\u02b9-\\u02bf\\u2000-\\u206f]+', '|' || event_id || ' ', 'g'), '|')))) with (fastupdate = off);`,
    );

    this.addSql(
      `create table "registration"."registration_addon" ("registration_id" text not null, "addon_id" text not null, "order_id" text not null, "business_unit_id" text not null, primary key ("registration_id", "addon_id", "order_id"));`,
    );

    this.addSql(
      `create table "registration"."registration_order" ("registration_id" text not null, "order_id" text not null, "business_unit_id" text not null, primary key ("registration_id", "order_id"));`,
    );
    this.addSql(
      `create index "registration_order_of_order" on "registration"."registration_order" ("order_id");`,
    );

    this.addSql(
      `create table "registration"."replaced_badge" ("checkin_code" text not null, "business_unit_id" text not null, "event_id" text not null, "registration_id" text not null, "replaced_at" timestamptz(3) not null, primary key ("checkin_code"));`,
    );
    this.addSql(
      `create index "replaced_badge_of_registration" on "registration"."replaced_badge" ("registration_id");`,
    );

    this.addSql(
      `create table "registration"."seat_ledger" ("ticket_type_id" text not null, "business_unit_id" text not null, "event_id" text not null, "confirmed" int not null default 0, "waitlisted" int not null default 0, "offered" int not null default 0, "reserved" int not null default 0, "ticket_type_version" bigint not null default '0', "version" bigint not null, primary key ("ticket_type_id"));`,
    );
    this.addSql(
      `create index "seat_ledger_of_event" on "registration"."seat_ledger" ("event_id");`,
    );
    this.addSql(
      `create index "seat_ledger_waiting" on "registration"."seat_ledger" ("waitlisted");`,
    );

    this.addSql(
      `create table "registration"."seat_reservation" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "state" text not null, "expires_at" timestamptz(3) null, "buyer_email" text null, "seat_count" int not null default 0, "redemption_code_id" text null, "code_uses" int not null default 0, "fulfilment" jsonb null, "registration_id" text null, "taken_by" text null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("id"));`,
    );
    this.addSql(
      `create index seat_reservation_taken on registration.seat_reservation (taken_by) where state = 'taken';`,
    );
    this.addSql(
      `create index "seat_reservation_due" on "registration"."seat_reservation" ("state", "expires_at");`,
    );
    this.addSql(
      `create index "seat_reservation_of_buyer" on "registration"."seat_reservation" ("event_id", "buyer_email", "state");`,
    );

    this.addSql(
      `create table "registration"."seat_reservation_item" ("reservation_id" text not null, "ticket_type_id" text not null, "quantity" int not null, primary key ("reservation_id", "ticket_type_id"));`,
    );

    this.addSql(
      `create table "registration"."stream_state" ("name" text not null, "lineage" uuid not null, "previous_lineage" uuid null, "incarnation" text not null, "confirmed_seq" bigint not null, primary key ("name"));`,
    );

    this.addSql(
      `create table "registration"."ticket_type_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "name" text not null, "description" text null, "capacity" int null, "allow_waitlist" boolean not null, "is_public" boolean not null, "requires_approval" boolean not null, "status" text not null, "opens_at" timestamptz(3) null, "closes_at" timestamptz(3) null, "price_amount" int not null, "sort_order" int not null, "created_at" timestamptz(3) not null, "perk_ids" text[] not null, primary key ("id"));`,
    );
    this.addSql(
      `create index "ticket_type_projection_of_event" on "registration"."ticket_type_projection" ("event_id");`,
    );

    this.addSql(
      `alter table "registration"."audit_entry" add constraint "audit_entry_actor_type_check" check ("actor_type" in ('key', 'operator', 'cli', 'system', 'device'));`,
    );
    this.addSql(
      `alter table "registration"."audit_entry" add constraint "audit_entry_result_check" check ("result" in ('done', 'unchanged', 'refused', 'started'));`,
    );

    this.addSql(
      `alter table "registration"."redemption_code" add constraint "redemption_code_uses_check" check (uses >= 0);`,
    );
    this.addSql(
      `alter table "registration"."redemption_code" add constraint "redemption_code_status_check" check ("status" in ('active', 'disabled'));`,
    );
    this.addSql(
      `alter table "registration"."redemption_code" add constraint "redemption_code_discount_type_check" check ("discount_type" in ('percent', 'amount'));`,
    );

    this.addSql(
      `alter table "registration"."registration" add constraint "registration_active_email_check" check ((active_email IS NULL) = (status = ANY (ARRAY['rejected'::text, 'cancelled'::text])));`,
    );
    this.addSql(
      `alter table "registration"."registration" add constraint "registration_status_check" check ("status" in ('pending', 'confirmed', 'waitlisted', 'rejected', 'cancelled'));`,
    );
    this.addSql(
      `alter table "registration"."registration" add constraint "registration_type_check" check ("type" in ('attendee', 'speaker', 'exhibitor'));`,
    );

    this.addSql(
      `alter table "registration"."seat_ledger" add constraint "seat_ledger_confirmed_check" check (confirmed >= 0);`,
    );
    this.addSql(
      `alter table "registration"."seat_ledger" add constraint "seat_ledger_waitlisted_check" check (waitlisted >= 0);`,
    );
    this.addSql(
      `alter table "registration"."seat_ledger" add constraint "seat_ledger_offered_check" check (offered >= 0 and offered <= waitlisted);`,
    );
    this.addSql(
      `alter table "registration"."seat_ledger" add constraint "seat_ledger_reserved_check" check (reserved >= 0);`,
    );

    this.addSql(
      `alter table "registration"."seat_reservation" add constraint "seat_reservation_state_check" check ("state" in ('active', 'taken', 'fulfilled', 'released', 'expired'));`,
    );

    this.addSql(
      `alter table "registration"."seat_reservation_item" add constraint "seat_reservation_item_quantity_check" check (quantity > 0);`,
    );

    // Rows that the process expects. Its role cannot change entries of the audit log.
    this.addSql(`insert into "registration"."change_counter" values ('changes', 0, 0);`);
    this.addSql(
      `do $$ begin if exists (select from pg_roles where rolname = 'registration_app') then revoke update, delete on "registration"."audit_entry" from registration_app; end if; end $$;`,
    );
  }
}
