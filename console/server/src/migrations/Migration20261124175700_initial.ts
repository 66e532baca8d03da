import { Migration } from '@mikro-orm/migrations';

export class Migration20261124175700_initial extends Migration {
  override name = 'Migration20261124175700_initial';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "console";`);
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
      `create table "console"."member" ("business_unit_id" text not null, "operator_id" text not null, "role" text not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("business_unit_id", "operator_id"));`,
    );
    this.addSql(`create index "member_of_operator" on "console"."member" ("operator_id");`);

    this.addSql(
      `create table "console"."operator" ("id" text not null, "name" text not null, "email" text null, "email_verified" boolean not null default false, "platform_admin" boolean not null default false, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("id"));`,
    );

    this.addSql(
      `create table "console"."passkey" ("id" text not null, "operator_id" text not null, "credential_id" text not null, "public_key" text not null, "counter" bigint not null, "transports" jsonb not null default '[]', "created_at" timestamptz(3) not null default clock_timestamp(), "last_used_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "passkey_of_operator" on "console"."passkey" ("operator_id");`);
    this.addSql(
      `alter table "console"."passkey" add constraint "passkey_credential_id_unique" unique ("credential_id");`,
    );

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
      `alter table "console"."invitation" add constraint "invitation_role_check" check ("role" in ('owner', 'organizer', 'finance', 'door', 'viewer'));`,
    );

    this.addSql(
      `alter table "console"."member" add constraint "member_role_check" check ("role" in ('owner', 'organizer', 'finance', 'door', 'viewer'));`,
    );

    this.addSql(
      `alter table "console"."passkey_challenge" add constraint "passkey_challenge_purpose_check" check ("purpose" in ('registration', 'sign_in'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "console"."idempotency_key" cascade;`);
    this.addSql(`drop table if exists "console"."identity" cascade;`);
    this.addSql(`drop table if exists "console"."invitation" cascade;`);
    this.addSql(`drop table if exists "console"."member" cascade;`);
    this.addSql(`drop table if exists "console"."operator" cascade;`);
    this.addSql(`drop table if exists "console"."passkey" cascade;`);
    this.addSql(`drop table if exists "console"."passkey_challenge" cascade;`);
    this.addSql(`drop table if exists "console"."session" cascade;`);

    this.addSql(`drop schema if exists "console";`);
  }
}
