import { Migration } from '@mikro-orm/migrations';

export class Migration20261122191500_payment_declines extends Migration {
  override name = 'Migration20261122191500_payment_declines';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "commerce"."payment_decline" ("provider" text not null, "provider_decline_id" text not null, "payment_id" text not null, "declined_at" timestamptz(3) not null, primary key ("provider", "provider_decline_id"));`,
    );
    this.addSql(
      `create index "payment_decline_of_payment" on "commerce"."payment_decline" ("payment_id");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "commerce"."payment_decline" cascade;`);
  }
}
