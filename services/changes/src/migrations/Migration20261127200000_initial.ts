import { Migration } from '@mikro-orm/migrations';

export class Migration20261127200000_initial extends Migration {
  override name = 'Migration20261127200000_initial';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "changes";`);
    this.addSql(
      `create table "changes"."audit_entry" ("id" text not null, "at" timestamptz(3) not null default clock_timestamp(), "business_unit_id" text null, "event_id" text null, "actor_type" text not null, "actor_id" text null, "operation" text not null, "records" text[] not null, "fields" text[] not null, "result" text not null, "reason" text null, "request_id" text not null, primary key ("id"));`,
    );
    this.addSql(
      `create index audit_entry_newest on changes.audit_entry (timezone('UTC', at), id);`,
    );
    this.addSql(
      `create index "audit_entry_of_unit" on "changes"."audit_entry" ("business_unit_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_event" on "changes"."audit_entry" ("business_unit_id", "event_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_actor" on "changes"."audit_entry" ("business_unit_id", "actor_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_operation" on "changes"."audit_entry" ("business_unit_id", "operation", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_record" on "changes"."audit_entry" using gin ("records");`,
    );

    this.addSql(
      `create table "changes"."feed_change" ("business_unit_id" text not null, "sequence" bigint not null, "id" text not null, "type" text not null, "event_id" text null, "object_id" text not null, "owner" text not null, "number" bigint not null, "occurred_at" timestamptz(3) not null, "digest" text not null, "entry" text not null, primary key ("business_unit_id", "sequence"));`,
    );
    this.addSql(
      `create index "feed_change_of_event" on "changes"."feed_change" ("business_unit_id", "event_id", "sequence");`,
    );
    this.addSql(
      `create index "feed_change_by_id" on "changes"."feed_change" ("business_unit_id", "id");`,
    );
    this.addSql(
      `create index "feed_change_of_owner" on "changes"."feed_change" ("owner", "number");`,
    );
    this.addSql(`create index "feed_change_by_age" on "changes"."feed_change" ("occurred_at");`);
    this.addSql(
      `create index "feed_change_of_object" on "changes"."feed_change" ("business_unit_id", "object_id", "sequence");`,
    );

    this.addSql(
      `create table "changes"."feed_head" ("business_unit_id" text not null, "epoch" text not null, "sequence" bigint not null, "digest" text not null, "floor" bigint not null, primary key ("business_unit_id"));`,
    );

    this.addSql(
      `create table "changes"."idempotency_key" ("business_unit_id" text not null, "operation" text not null, "key" text not null, "request_hash" text not null, "id_seed" text not null, "lease_until" timestamptz(3) not null, "created_at" timestamptz(3) not null, "response_status" int null, "response_location" text null, "response_body" text null, primary key ("business_unit_id", "operation", "key"));`,
    );
    this.addSql(
      `create index "idempotency_key_by_age" on "changes"."idempotency_key" ("created_at");`,
    );

    this.addSql(
      `create table "changes"."owner_cursor" ("owner" text not null, "number" bigint not null, primary key ("owner"));`,
    );

    this.addSql(
      `create table "changes"."owner_lineage" ("owner" text not null, "lineage" text not null, primary key ("owner"));`,
    );

    this.addSql(
      `create table "changes"."webhook_attempt" ("id" bigserial primary key, "endpoint_id" text not null, "business_unit_id" text not null, "change_id" text not null, "sequence" bigint null, "type" text not null, "attempt" int not null, "is_replay" boolean not null, "result" text not null, "response_status" int null, "reason" text null, "duration_ms" int not null, "attempted_at" timestamptz(3) not null, "url" text not null, "cursor" text not null, "response_content_type" text null, "response_body" text null);`,
    );
    this.addSql(
      `create index "webhook_attempt_of_endpoint" on "changes"."webhook_attempt" ("endpoint_id", "id");`,
    );
    this.addSql(
      `create index "webhook_attempt_of_change" on "changes"."webhook_attempt" ("endpoint_id", "change_id", "id");`,
    );
    this.addSql(
      `create index "webhook_attempt_unsuccessful" on "changes"."webhook_attempt" ("endpoint_id", "id") where result <> 'delivered';`,
    );
    this.addSql(
      `create index "webhook_attempt_by_age" on "changes"."webhook_attempt" ("attempted_at");`,
    );

    this.addSql(
      `create table "changes"."webhook_endpoint" ("id" text not null, "business_unit_id" text not null, "url" text not null, "types" text[] null, "status" text not null, "disabled_reason" text null, "secret" text not null, "previous_secrets" jsonb not null default '[]', "rotation_id" text null, "signing_key" text not null, "public_key" text not null, "watermark" bigint not null, "next" bigint not null, "failures" int not null default 0, "failing_since" timestamptz(3) null, "backoff_until" timestamptz(3) null, "backoff_attempts" int not null default 0, "ping_id" text null, "ping_attempts" int not null default 0, "ping_at" timestamptz(3) null, "ping_until" timestamptz(3) null, "lease_holder" text null, "lease_until" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" bigint not null default '1', "insertion_order" bigserial, primary key ("id"));`,
    );
    this.addSql(
      `create index "webhook_endpoint_newest_first" on "changes"."webhook_endpoint" ("business_unit_id", "insertion_order");`,
    );

    this.addSql(
      `create table "changes"."webhook_lane" ("endpoint_id" text not null, "object_id" text not null, "sequence" bigint not null, "attempts" int not null, "next_at" timestamptz(3) not null, primary key ("endpoint_id", "object_id"));`,
    );
    this.addSql(
      `create index "webhook_lane_due" on "changes"."webhook_lane" ("endpoint_id", "next_at");`,
    );

    this.addSql(
      `create table "changes"."webhook_replay" ("endpoint_id" text not null, "id" text not null, "from_sequence" bigint not null, "sequence" bigint not null, "to_sequence" bigint not null, "attempts" int not null default 0, "next_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, primary key ("endpoint_id"));`,
    );

    this.addSql(
      `alter table "changes"."audit_entry" add constraint "audit_entry_actor_type_check" check ("actor_type" in ('key', 'operator', 'cli', 'system', 'device'));`,
    );
    this.addSql(
      `alter table "changes"."audit_entry" add constraint "audit_entry_result_check" check ("result" in ('done', 'unchanged', 'refused', 'started'));`,
    );

    this.addSql(
      `alter table "changes"."webhook_endpoint" add constraint "webhook_endpoint_status_check" check ("status" in ('pending', 'enabled', 'disabled'));`,
    );
    this.addSql(
      `alter table "changes"."webhook_endpoint" add constraint "webhook_endpoint_disabled_reason_check" check ("disabled_reason" in ('requested', 'ping_failed', 'failing', 'gone'));`,
    );

    // Rows that the process expects. Its role cannot change entries of the audit log.
    this.addSql(
      `insert into "changes"."owner_cursor" values ('catalog', 0), ('registration', 0), ('commerce', 0), ('onsite', 0);`,
    );
    this.addSql(
      `do $$ begin if exists (select from pg_roles where rolname = 'changes_app') then revoke update, delete on "changes"."audit_entry" from changes_app; end if; end $$;`,
    );
  }
}
