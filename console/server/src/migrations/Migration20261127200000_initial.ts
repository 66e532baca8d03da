import { Migration } from '@mikro-orm/migrations';

export class Migration20261127200000_initial extends Migration {
  override name = 'Migration20261127200000_initial';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "console";`);
    this.addSql(
      `create table "console"."audit_entry" ("id" text not null, "at" timestamptz(3) not null default clock_timestamp(), "business_unit_id" text null, "event_id" text null, "actor_type" text not null, "actor_id" text null, "operation" text not null, "records" text[] not null, "fields" text[] not null, "result" text not null, "reason" text null, "request_id" text not null, primary key ("id"));`,
    );
    this.addSql(
      `create index audit_entry_newest on console.audit_entry (timezone('UTC', at), id);`,
    );
    this.addSql(
      `create index "audit_entry_of_unit" on "console"."audit_entry" ("business_unit_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_event" on "console"."audit_entry" ("business_unit_id", "event_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_actor" on "console"."audit_entry" ("business_unit_id", "actor_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_operation" on "console"."audit_entry" ("business_unit_id", "operation", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_record" on "console"."audit_entry" using gin ("records");`,
    );

    this.addSql(
      `create table "console"."idempotency_key" ("business_unit_id" text not null, "operation" text not null, "key" text not null, "request_hash" text not null, "id_seed" text not null, "lease_until" timestamptz(3) not null, "created_at" timestamptz(3) not null, "response_status" int null, "response_location" text null, "response_body" text null, primary key ("business_unit_id", "operation", "key"));`,
    );
    this.addSql(
      `create index "idempotency_key_by_age" on "console"."idempotency_key" ("created_at");`,
    );

    this.addSql(
      `create table "console"."identity" ("issuer" text not null, "subject" text not null, "operator_id" text not null, primary key ("issuer", "subject"));`,
    );
    this.addSql(`create index "identity_of_operator" on "console"."identity" ("operator_id");`);

    this.addSql(
      `create table "console"."invitation" ("id" text not null, "token_hash" text not null, "business_unit_id" text null, "role" text null, "platform_admin" boolean not null, "email" text null, "created_at" timestamptz(3) not null default clock_timestamp(), "expires_at" timestamptz(3) not null, "revoked_at" timestamptz(3) null, "accepted_at" timestamptz(3) null, "accepted_by" text null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "console"."invitation" add constraint "invitation_token_hash_unique" unique ("token_hash");`,
    );
    this.addSql(`create index "invitation_by_expiry" on "console"."invitation" ("expires_at");`);
    this.addSql(
      `create index "invitation_of_unit" on "console"."invitation" ("business_unit_id", "created_at");`,
    );

    this.addSql(
      `create table "console"."known_unit" ("business_unit_id" text not null, "name" text not null, "default_currency" text not null, primary key ("business_unit_id"));`,
    );

    this.addSql(
      `create table "console"."member" ("business_unit_id" text not null, "operator_id" text not null, "role" text not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("business_unit_id", "operator_id"));`,
    );
    this.addSql(`create index "member_of_operator" on "console"."member" ("operator_id");`);

    this.addSql(
      `create table "console"."operator" ("id" text not null, "name" text not null, "email" text null, "email_verified" boolean not null default false, "platform_admin" boolean not null default false, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("id"));`,
    );

    this.addSql(
      `create table "console"."passkey" ("id" text not null, "operator_id" text not null, "credential_id" text not null, "public_key" text not null, "counter" bigint not null, "transports" jsonb not null default '[]', "created_at" timestamptz(3) not null default clock_timestamp(), "last_used_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "console"."passkey" add constraint "passkey_credential_id_unique" unique ("credential_id");`,
    );
    this.addSql(`create index "passkey_of_operator" on "console"."passkey" ("operator_id");`);

    this.addSql(
      `create table "console"."passkey_challenge" ("challenge" text not null, "purpose" text not null, "operator_id" text null, "name" text null, "user_handle" text null, "expires_at" timestamptz(3) not null, primary key ("challenge"));`,
    );
    this.addSql(
      `create index "passkey_challenge_by_expiry" on "console"."passkey_challenge" ("expires_at");`,
    );

    this.addSql(
      `create table "console"."session" ("id_hash" text not null, "operator_id" text not null, "created_at" timestamptz(3) not null default clock_timestamp(), "seen_at" timestamptz(3) not null default clock_timestamp(), "expires_at" timestamptz(3) not null, primary key ("id_hash"));`,
    );
    this.addSql(`create index "session_of_operator" on "console"."session" ("operator_id");`);
    this.addSql(`create index "session_by_expiry" on "console"."session" ("expires_at");`);

    this.addSql(
      `alter table "console"."audit_entry" add constraint "audit_entry_actor_type_check" check ("actor_type" in ('key', 'operator', 'cli', 'system', 'device'));`,
    );
    this.addSql(
      `alter table "console"."audit_entry" add constraint "audit_entry_result_check" check ("result" in ('done', 'unchanged', 'refused', 'started'));`,
    );

    this.addSql(
      `alter table "console"."invitation" add constraint "invitation_role_check" check ("role" in ('owner', 'organizer', 'finance', 'door', 'viewer'));`,
    );

    this.addSql(
      `alter table "console"."member" add constraint "member_role_check" check ("role" in ('owner', 'organizer', 'finance', 'door', 'viewer'));`,
    );

    this.addSql(
      `alter table "console"."passkey_challenge" add constraint "passkey_challenge_purpose_check" check ("purpose" in ('registration', 'sign_in'));`,
    );

    // Rows that the process expects. Its role cannot change entries of the audit log.
    this.addSql(
      `do $$ begin if exists (select from pg_roles where rolname = 'console_app') then revoke update, delete on "console"."audit_entry" from console_app; end if; end $$;`,
    );
  }
}
