import { Migration } from '@mikro-orm/migrations';

export class Migration20261127200000_initial extends Migration {
  override name = 'Migration20261127200000_initial';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "commerce";`);
    this.addSql(
      `create table "commerce"."addon_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "name" text not null, "price_amount" int not null, "status" text not null, primary key ("id"));`,
    );

    this.addSql(
      `create table "commerce"."audit_entry" ("id" text not null, "at" timestamptz(3) not null default clock_timestamp(), "business_unit_id" text null, "event_id" text null, "actor_type" text not null, "actor_id" text null, "operation" text not null, "records" text[] not null, "fields" text[] not null, "result" text not null, "reason" text null, "request_id" text not null, primary key ("id"));`,
    );
    this.addSql(
      `create index audit_entry_newest on commerce.audit_entry (timezone('UTC', at), id);`,
    );
    this.addSql(
      `create index "audit_entry_of_unit" on "commerce"."audit_entry" ("business_unit_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_event" on "commerce"."audit_entry" ("business_unit_id", "event_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_actor" on "commerce"."audit_entry" ("business_unit_id", "actor_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_operation" on "commerce"."audit_entry" ("business_unit_id", "operation", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_record" on "commerce"."audit_entry" using gin ("records");`,
    );

    this.addSql(
      `create table "commerce"."bundle_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "name" text not null, "price_amount" int null, "items" jsonb not null, primary key ("id"));`,
    );

    this.addSql(
      `create table "commerce"."change_counter" ("name" text not null, "last" bigint not null, "confirmed" bigint not null, primary key ("name"));`,
    );

    this.addSql(
      `create table "commerce"."change_inbox" ("position" bigserial primary key, "business_unit_id" text not null, "occurred_at" timestamptz(3) not null default clock_timestamp(), "body" text not null);`,
    );

    this.addSql(
      `create table "commerce"."change_log" ("number" bigint not null, "business_unit_id" text not null, "occurred_at" timestamptz(3) not null, "body" text not null, primary key ("number"));`,
    );

    this.addSql(
      `create table "commerce"."customer_order" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "order_number" text not null, "email" text not null, "name" text null, "status" text not null, "intent" text null, "currency" text not null, "total_amount" bigint not null, "seats" jsonb not null, "addon_ids" text[] not null, "addons" jsonb not null default '[]'::jsonb, "redemption_code" text null, "responses" jsonb null, "buyer_registration_id" text null, "addon_registration_id" text null, "hold_expires_at" timestamptz(3) not null, "placed_at" timestamptz(3) not null, "paid_at" timestamptz(3) null, "cancelled_at" timestamptz(3) null, "settlement_id" text null, "read_after_token" text null, "revoked_at" timestamptz(3) null, "last_attempt_at" timestamptz(3) not null, "version" bigint not null default ((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint, primary key ("id"));`,
    );
    this.addSql(
      `alter table "commerce"."customer_order" add constraint "customer_order_number" unique ("order_number");`,
    );
    this.addSql(
      `create index "customer_order_newest" on "commerce"."customer_order" ("business_unit_id", "event_id", "placed_at", "id");`,
    );
    this.addSql(
      `create index "customer_order_by_status" on "commerce"."customer_order" ("business_unit_id", "event_id", "status", "placed_at", "id");`,
    );
    this.addSql(
      `create index customer_order_of_email on commerce.customer_order (business_unit_id, event_id, lower(email collate "C"), placed_at, id);`,
    );
    this.addSql(
      `create index customer_order_by_email on commerce.customer_order (event_id collate "C", lower(email collate "C"));`,
    );
    this.addSql(
      `create index customer_order_by_number on commerce.customer_order ((event_id || ' '), order_number text_pattern_ops);`,
    );
    this.addSql(
      `create index customer_order_by_name on commerce.customer_order using gin ((array_to_tsvector(string_to_array(event_id || ' ' || regexp_replace(nullif(regexp_replace(left(replace(replace(replace(replace(translate(lower(regexp_replace("normalize"(name || ' ' || regexp_replace(name, '[\\u0027\\u002d\\u0060\\u00b4\\u02b9-\\u02bf\\u05be\\u05f3\\u05f4\\u200c\\u2010-\\u2013\\u2018\\u2019\\u2032\\u2212\\uff07\\uff0d]', '', 'g'), 'NFKD'), '[\\u00ad\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed\\u200d\\u2060\\ufe00-\\ufe0f\\ufeff]', '', 'g') collate pg_c_utf8), 'øłđðħŧŋıɓɗƙƴς', 'olddhtnibdkyσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 480), '^[[:punct:][:space:][:cntrl:]\\u02b9-\\u02bf\\u2000-\\u206f]+|[[:punct:][:space:][:cntrl:]\\u02b9-\\u02bf\\u2000-\\u206f]+$', '', 'g'), ''), '[[:punct:][:space:][:cntrl:]\\u02b9-\\u02bf\\u2000-\\u206f]+', '|' || event_id || ' ', 'g'), '|')))) with (fastupdate = off);`,
    );
    this.addSql(
      `create index "customer_order_changes" on "commerce"."customer_order" ("business_unit_id", "event_id", "version", "id");`,
    );
    this.addSql(
      `create index customer_order_paid on commerce.customer_order (business_unit_id collate "C", paid_at, event_id collate "C") where paid_at is not null;`,
    );
    this.addSql(
      `create index customer_order_unfinished on commerce.customer_order (last_attempt_at) where status in ('held', 'awaiting_payment') or intent is not null or (status = 'refunded' and revoked_at is null) or (status = 'expired' and settlement_id is not null);`,
    );

    this.addSql(
      `create table "commerce"."dead_letter" ("stream_created_at" text not null, "seq" bigint not null, "index" int not null, "body" text not null, "error" text not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("stream_created_at", "seq", "index"));`,
    );

    this.addSql(
      `create table "commerce"."event_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "name" text not null, "status" text not null, "currency" text not null, "currency_locked" boolean not null, "form" jsonb null, primary key ("id"));`,
    );

    this.addSql(
      `create table "commerce"."idempotency_key" ("business_unit_id" text not null, "operation" text not null, "key" text not null, "request_hash" text not null, "id_seed" text not null, "lease_until" timestamptz(3) not null, "created_at" timestamptz(3) not null, "response_status" int null, "response_location" text null, "response_body" text null, primary key ("business_unit_id", "operation", "key"));`,
    );
    this.addSql(
      `create index "idempotency_key_by_age" on "commerce"."idempotency_key" ("created_at");`,
    );

    this.addSql(
      `create table "commerce"."order_line" ("order_id" text not null, "position" int not null, "item_type" text not null, "item_id" text not null, "name" text not null, "quantity" int not null, "unit_amount" bigint not null, "discount_amount" bigint not null, "total_amount" bigint not null, "unfulfilled_amount" bigint not null default '0', "unfulfilled_registration_ids" text[] not null default '{}', "attendees" jsonb not null, "first_seat" int not null, "seat_count" int not null, "registration_ids" text[] not null, primary key ("order_id", "position"));`,
    );

    this.addSql(
      `create table "commerce"."payment" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "order_id" text not null, "provider" text not null, "state" text not null, "amount" bigint not null, "currency" text not null, "success_url" text not null, "cancel_url" text not null, "session_id" text null, "url" text null, "created_at" timestamptz(3) not null, "last_attempt_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "payment_of_order" on "commerce"."payment" ("order_id");`);
    this.addSql(
      `create unique index payment_one_at_a_time on commerce.payment (order_id) where state in ('creating', 'open');`,
    );
    this.addSql(
      `create unique index payment_session on commerce.payment (provider, session_id) where session_id is not null;`,
    );
    this.addSql(
      `create index payment_to_expire on commerce.payment (last_attempt_at) where state in ('creating', 'open', 'expiring');`,
    );

    this.addSql(
      `create table "commerce"."payment_decline" ("provider" text not null, "provider_decline_id" text not null, "payment_id" text not null, "declined_at" timestamptz(3) not null, primary key ("provider", "provider_decline_id"));`,
    );
    this.addSql(
      `create index "payment_decline_of_payment" on "commerce"."payment_decline" ("payment_id");`,
    );

    this.addSql(
      `create table "commerce"."projection_checkpoint" ("name" text not null, "seq" bigint not null, "stream_created_at" text not null, "last_message_hash" text not null, "schema_fingerprint" text not null, "origins" jsonb not null default '{}', primary key ("name"));`,
    );

    this.addSql(
      `create table "commerce"."refund" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "order_id" text not null, "settlement_id" text not null, "amount" bigint not null, "currency" text not null, "state" text not null, "cause" text not null, "reason" text null, "failure" text null, "provider_refund_id" text null, "created_at" timestamptz(3) not null, "done_at" timestamptz(3) null, "last_attempt_at" timestamptz(3) not null, "request_id" text null, "requested_extent" text null, "requested_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "refund_of_order" on "commerce"."refund" ("order_id");`);
    this.addSql(
      `create index "refund_newest" on "commerce"."refund" ("business_unit_id", "event_id", "created_at", "id");`,
    );
    this.addSql(
      `create index "refund_newest_of_unit" on "commerce"."refund" ("business_unit_id", "created_at", "id");`,
    );
    this.addSql(`create index "refund_newest_of_all" on "commerce"."refund" ("created_at", "id");`);
    this.addSql(
      `create index refund_done on commerce.refund (business_unit_id collate "C", done_at, event_id collate "C") where done_at is not null;`,
    );
    this.addSql(
      `create index refund_owed on commerce.refund (business_unit_id, created_at, id) where state in ('due', 'pending', 'failed');`,
    );
    this.addSql(
      `create index refund_pending on commerce.refund (last_attempt_at) where state = 'pending';`,
    );
    this.addSql(
      `create index refund_due on commerce.refund (last_attempt_at) where state = 'due';`,
    );

    this.addSql(
      `create table "commerce"."settlement" ("id" text not null, "provider" text not null, "provider_notification_id" text not null, "provider_payment_id" text not null, "session_id" text not null, "attempt_id" text null, "notified_order_id" text null, "order_id" text null, "amount" bigint not null, "currency" text not null, "livemode" boolean null, "state" text not null, "reason" text null, "received_at" timestamptz(3) not null, "last_attempt_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "commerce"."settlement" add constraint "settlement_notification" unique ("provider", "provider_notification_id");`,
    );
    this.addSql(
      `alter table "commerce"."settlement" add constraint "settlement_payment" unique ("provider", "provider_payment_id");`,
    );
    this.addSql(`create index "settlement_of_order" on "commerce"."settlement" ("order_id");`);
    this.addSql(
      `create index settlement_received on commerce.settlement (last_attempt_at) where state = 'received';`,
    );

    this.addSql(
      `create table "commerce"."ticket_type_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "name" text not null, "price_amount" int not null, primary key ("id"));`,
    );

    this.addSql(
      `alter table "commerce"."audit_entry" add constraint "audit_entry_actor_type_check" check ("actor_type" in ('key', 'operator', 'cli', 'system', 'device'));`,
    );
    this.addSql(
      `alter table "commerce"."audit_entry" add constraint "audit_entry_result_check" check ("result" in ('done', 'unchanged', 'refused', 'started'));`,
    );

    this.addSql(
      `alter table "commerce"."customer_order" add constraint "customer_order_total_amount_check" check (total_amount >= 0);`,
    );
    this.addSql(
      `alter table "commerce"."customer_order" add constraint "customer_order_status_check" check ("status" in ('held', 'awaiting_payment', 'paid', 'cancelled', 'expired', 'refund_due', 'refunded'));`,
    );
    this.addSql(
      `alter table "commerce"."customer_order" add constraint "customer_order_intent_check" check ("intent" in ('fulfil', 'cancel', 'release', 'restore'));`,
    );
    this.addSql(
      `create or replace function "commerce"."customer_order_version_fn"() returns trigger as $$ begin if to_jsonb(old) - 'last_attempt_at' is distinct from to_jsonb(new) - 'last_attempt_at' then new.version := greatest(old.version + 1, ((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint); end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "version" BEFORE UPDATE on "commerce"."customer_order" for each ROW execute function "commerce"."customer_order_version_fn"();`,
    );

    this.addSql(
      `alter table "commerce"."order_line" add constraint "order_line_quantity_check" check (quantity > 0);`,
    );
    this.addSql(
      `alter table "commerce"."order_line" add constraint "order_line_item_type_check" check ("item_type" in ('registration_type', 'addon', 'bundle'));`,
    );

    this.addSql(
      `alter table "commerce"."payment" add constraint "payment_state_check" check ("state" in ('creating', 'open', 'expiring', 'expired', 'paid', 'refused'));`,
    );

    this.addSql(
      `alter table "commerce"."refund" add constraint "refund_amount_check" check (amount > 0);`,
    );
    this.addSql(
      `alter table "commerce"."refund" add constraint "refund_state_check" check ("state" in ('due', 'pending', 'done', 'failed', 'withdrawn'));`,
    );
    this.addSql(
      `alter table "commerce"."refund" add constraint "refund_requested_extent_check" check ("requested_extent" in ('amount', 'onlyDue', 'all'));`,
    );
    this.addSql(
      `create or replace function "commerce"."refund_order_version_fn"() returns trigger as $$ begin if tg_op = 'INSERT' or old.state <> new.state or old.amount <> new.amount then update commerce.customer_order set version = version + 1 where id = new.order_id; end if; return null; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "order_version" AFTER INSERT OR UPDATE on "commerce"."refund" for each ROW execute function "commerce"."refund_order_version_fn"();`,
    );

    this.addSql(
      `alter table "commerce"."settlement" add constraint "settlement_state_check" check ("state" in ('received', 'accepted', 'mismatch', 'surplus', 'late', 'unmatched', 'unusable'));`,
    );

    // Rows that the process expects. Its role cannot change entries of the audit log.
    this.addSql(`insert into "commerce"."change_counter" values ('changes', 0, 0);`);
    this.addSql(
      `do $$ begin if exists (select from pg_roles where rolname = 'commerce_app') then revoke update, delete on "commerce"."audit_entry" from commerce_app; end if; end $$;`,
    );
  }
}
