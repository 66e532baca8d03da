import { Migration } from '@mikro-orm/migrations';

export class Migration20261129080000_payment_accounts extends Migration {
  override name = 'Migration20261129080000_payment_accounts';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "commerce"."payment_account" ("id" text not null, "business_unit_id" text not null, "provider" text not null, "provider_account_id" text null, "secret_key" text null, "webhook_secret" text null, "can_charge" boolean not null, "checked_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, "connected_at" timestamptz(3) null, "disconnected_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "commerce"."payment_account" add constraint "payment_account_at_provider" unique ("provider", "provider_account_id");`,
    );
    this.addSql(
      `create index "payment_account_of_unit" on "commerce"."payment_account" ("business_unit_id", "created_at");`,
    );
    this.addSql(
      `create unique index payment_account_connected on commerce.payment_account (business_unit_id, provider) where connected_at is not null and disconnected_at is null;`,
    );
    this.addSql(
      `create unique index payment_account_started on commerce.payment_account (business_unit_id, provider) where connected_at is null and disconnected_at is null;`,
    );
    this.addSql(
      `create table "commerce"."foreign_notification" ("provider" text not null, "kind" text not null, "object_id" text not null, "owned_by" text not null, "received_at" timestamptz(3) not null, primary key ("provider", "kind", "object_id"));`,
    );
    this.addSql(
      `create index payment_by_session on commerce.payment (session_id) where session_id is not null;`,
    );
    this.addSql(
      `create index "settlement_by_payment" on "commerce"."settlement" ("provider_payment_id");`,
    );
  }
}
