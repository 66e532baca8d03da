import { Migration } from '@mikro-orm/migrations';

export class Migration20261122100000_initial extends Migration {
  override name = 'Migration20261122100000_initial';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "commerce";`);
    this.addSql(
      `create table "commerce"."addon_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "name" text not null, "price_amount" int not null, "status" text not null, primary key ("id"));`,
    );
    this.addSql(
      `create table "commerce"."bundle_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "name" text not null, "price_amount" int null, "items" jsonb not null, primary key ("id"));`,
    );
    this.addSql(
      `create table "commerce"."customer_order" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "order_number" text not null, "email" text not null, "name" text null, "status" text not null, "intent" text null, "currency" text not null, "total_amount" bigint not null, "seats" jsonb not null, "addon_ids" text[] not null, "redemption_code" text null, "responses" jsonb null, "hold_expires_at" timestamptz(3) not null, "placed_at" timestamptz(3) not null, "paid_at" timestamptz(3) null, "cancelled_at" timestamptz(3) null, "settlement_id" text null, "read_after_token" text null, "revoked_at" timestamptz(3) null, "last_attempt_at" timestamptz(3) not null, "buyer_registration_id" text null, "addon_registration_id" text null, "version" bigint not null default ((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint, primary key ("id"));`,
    );
    this.addSql(
      `alter table "commerce"."customer_order" add constraint "customer_order_number" unique ("order_number");`,
    );
    this.addSql(
      `create index "customer_order_newest" on "commerce"."customer_order" ("business_unit_id", "event_id", "placed_at", "id");`,
    );
    this.addSql(
      `create index customer_order_unfinished on commerce.customer_order (last_attempt_at) where status in ('held', 'awaiting_payment') or intent is not null or (status = 'refunded' and revoked_at is null) or (status = 'expired' and settlement_id is not null);`,
    );
    this.addSql(
      `create index "customer_order_by_status" on "commerce"."customer_order" ("business_unit_id", "event_id", "status", "placed_at", "id");`,
    );
    this.addSql(
      `create index customer_order_of_email on commerce.customer_order (business_unit_id, event_id, lower(email collate "C"), placed_at, id);`,
    );
    this.addSql(
      `create index "customer_order_changes" on "commerce"."customer_order" ("business_unit_id", "event_id", "version", "id");`,
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
      `create table "commerce"."order_line" ("order_id" text not null, "position" int not null, "item_type" text not null, "item_id" text not null, "name" text not null, "quantity" int not null, "unit_amount" bigint not null, "discount_amount" bigint not null, "total_amount" bigint not null, "attendees" jsonb not null, "first_seat" int not null, "seat_count" int not null, "registration_ids" text[] not null, primary key ("order_id", "position"));`,
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
      `create table "commerce"."projection_checkpoint" ("name" text not null, "seq" bigint not null, "stream_created_at" text not null, "last_message_hash" text not null, "schema_fingerprint" text not null, primary key ("name"));`,
    );
    this.addSql(
      `create table "commerce"."refund" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "order_id" text not null, "settlement_id" text not null, "amount" bigint not null, "currency" text not null, "state" text not null, "cause" text not null, "reason" text null, "failure" text null, "provider_refund_id" text null, "created_at" timestamptz(3) not null, "done_at" timestamptz(3) null, "last_attempt_at" timestamptz(3) not null, "request_id" text null, "requested_extent" text null, "requested_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "refund_of_order" on "commerce"."refund" ("order_id");`);
    this.addSql(
      `create index "refund_newest" on "commerce"."refund" ("business_unit_id", "event_id", "created_at", "id");`,
    );
    this.addSql(
      `create index refund_pending on commerce.refund (last_attempt_at) where state = 'pending';`,
    );
    this.addSql(
      `create index refund_due on commerce.refund (last_attempt_at) where state = 'due';`,
    );
    this.addSql(
      `create index "refund_newest_of_unit" on "commerce"."refund" ("business_unit_id", "created_at", "id");`,
    );
    this.addSql(`create index "refund_newest_of_all" on "commerce"."refund" ("created_at", "id");`);
    this.addSql(
      `create table "commerce"."settlement" ("id" text not null, "provider" text not null, "provider_notification_id" text not null, "provider_payment_id" text not null, "session_id" text not null, "attempt_id" text null, "notified_order_id" text null, "order_id" text null, "amount" bigint not null, "currency" text not null, "state" text not null, "received_at" timestamptz(3) not null, "last_attempt_at" timestamptz(3) not null, "livemode" boolean null, "reason" text null, primary key ("id"));`,
    );
    this.addSql(`create index "settlement_of_order" on "commerce"."settlement" ("order_id");`);
    this.addSql(
      `create index settlement_received on commerce.settlement (last_attempt_at) where state = 'received';`,
    );
    this.addSql(
      `alter table "commerce"."settlement" add constraint "settlement_payment" unique ("provider", "provider_payment_id");`,
    );
    this.addSql(
      `alter table "commerce"."settlement" add constraint "settlement_notification" unique ("provider", "provider_notification_id");`,
    );
    this.addSql(
      `create table "commerce"."ticket_type_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "name" text not null, "price_amount" int not null, "requires_approval" boolean not null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "commerce"."customer_order" add constraint "customer_order_total_amount_check" check (total_amount >= 0);`,
    );
    this.addSql(
      `alter table "commerce"."customer_order" add constraint "customer_order_status_check" check ("status" in ('held', 'awaiting_payment', 'paid', 'cancelled', 'expired', 'refund_due', 'refunded'));`,
    );
    this.addSql(
      `alter table "commerce"."customer_order" add constraint "customer_order_intent_check" check ("intent" in ('fulfil', 'cancel', 'release'));`,
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
      `alter table "commerce"."refund" add constraint "refund_state_check" check ("state" in ('due', 'pending', 'done', 'failed'));`,
    );
    this.addSql(
      `alter table "commerce"."refund" add constraint "refund_requested_extent_check" check ("requested_extent" in ('amount', 'onlyDue', 'all'));`,
    );
    this.addSql(
      `alter table "commerce"."settlement" add constraint "settlement_state_check" check ("state" in ('received', 'accepted', 'mismatch', 'surplus', 'late', 'unmatched', 'unusable'));`,
    );
    this.addSql(
      `create or replace function commerce."customer_order_version_fn"() returns trigger as $$ begin if to_jsonb(old) - 'last_attempt_at' is distinct from to_jsonb(new) - 'last_attempt_at' then new.version := greatest(old.version + 1, ((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint); end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "version" BEFORE UPDATE on "commerce"."customer_order" for each ROW execute function commerce."customer_order_version_fn"();`,
    );
    this.addSql(
      `create or replace function commerce."refund_order_version_fn"() returns trigger as $$ begin if tg_op = 'INSERT' or old.state <> new.state or old.amount <> new.amount then update commerce.customer_order set version = version + 1 where id = new.order_id; end if; return null; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "order_version" AFTER INSERT OR UPDATE on "commerce"."refund" for each ROW execute function commerce."refund_order_version_fn"();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "commerce"."addon_projection" cascade;`);
    this.addSql(`drop table if exists "commerce"."bundle_projection" cascade;`);
    this.addSql(`drop table if exists "commerce"."customer_order" cascade;`);
    this.addSql(`drop table if exists "commerce"."dead_letter" cascade;`);
    this.addSql(`drop table if exists "commerce"."event_projection" cascade;`);
    this.addSql(`drop table if exists "commerce"."idempotency_key" cascade;`);
    this.addSql(`drop table if exists "commerce"."order_line" cascade;`);
    this.addSql(`drop table if exists "commerce"."payment" cascade;`);
    this.addSql(`drop table if exists "commerce"."projection_checkpoint" cascade;`);
    this.addSql(`drop table if exists "commerce"."refund" cascade;`);
    this.addSql(`drop table if exists "commerce"."settlement" cascade;`);
    this.addSql(`drop table if exists "commerce"."ticket_type_projection" cascade;`);
    this.addSql(`drop function if exists commerce."customer_order_version_fn"();`);
    this.addSql(`drop function if exists commerce."refund_order_version_fn"();`);

    this.addSql(`drop schema if exists "commerce";`);
  }
}
