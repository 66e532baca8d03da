import { Migration } from '@mikro-orm/migrations';

export class Migration20261121043022_idempotency extends Migration {
  override name = 'Migration20261121043022_idempotency';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "onsite"."idempotency_key" ("business_unit_id" text not null, "operation" text not null, "key" text not null, "request_hash" text not null, "id_seed" text not null, "lease_until" timestamptz(3) not null, "created_at" timestamptz(3) not null, "response_status" int null, "response_location" text null, "response_body" text null, primary key ("business_unit_id", "operation", "key"));`,
    );
    this.addSql(
      `create index "idempotency_key_by_age" on "onsite"."idempotency_key" ("created_at");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "onsite"."idempotency_key" cascade;`);
  }
}
